/**
 * Must be imported before uPlot, which formats numbers in the browser's language as soon as it is loaded: in the C
 * locale, WebKitGTK reports a language that Intl rejects.
 */
try {
  new Intl.NumberFormat(navigator.language);
} catch {
  Object.defineProperty(navigator, 'language', { value: 'en', configurable: true });
}
