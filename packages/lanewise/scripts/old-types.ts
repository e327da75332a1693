/** Declarations for TypeScript 5.0 to 5.6. */

/**
 * A declaration without the parameters of typed arrays, which TypeScript has since 5.7, without `NoInfer` of 5.4, and without methods
 * for `using`, whose symbols it has since 5.2.
 */
export const forOldTypeScript = (text: string): string =>
  text
    .replace(/\b(Uint8Array|Uint32Array|Int32Array)<[^<>]*>/g, '$1')
    .replace(/\bNoInfer<([^<>]*)>/g, '$1')
    .replace(/^\/\/\/ <reference lib="esnext\.disposable"[^\n]*\n/gm, '')
    .replace(/\btypeof Symbol\.(?:asyncD|d)ispose\b/g, 'symbol')
    .replace(/(?: *\/\*\*(?:[^*]|\*(?!\/))*\*\/\n)? *\[(?:Symbol\.)?(?:dispose|asyncDispose)\]\([^\n]*\n/g, '');
