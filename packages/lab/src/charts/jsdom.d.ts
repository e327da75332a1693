/** Declarations of the part of jsdom that is used here, which has none of its own. */
declare module 'jsdom' {
  export class JSDOM {
    constructor(html?: string);
    readonly window: { readonly document: Document; readonly XMLSerializer: typeof XMLSerializer };
  }
}
