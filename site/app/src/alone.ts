/** Whether this page has its origin for itself. Pages of one origin can read each other's storage. */

/** Only as far as a page can tell: at the root of its host. */
export const isAlone: boolean = new URL('./', document.baseURI).pathname === '/';
