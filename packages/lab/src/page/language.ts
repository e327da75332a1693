/**
 * Comes before uPlot, which formats numbers in the language of the browser as soon as it is loaded: where the locale is C,
 * WebKitGTK says that this is the language, and Intl throws.
 */
try {
  new Intl.NumberFormat(navigator.language);
} catch {
  Object.defineProperty(navigator, 'language', { value: 'en', configurable: true });
}
