/** The messages between the page and the worker that writes files. */

export type WriterWork =
  | { readonly kind: 'begin'; readonly folder: string }
  | { readonly kind: 'open' | 'close' | 'discard'; readonly file: number }
  | { readonly kind: 'write'; readonly file: number; readonly bytes: Uint8Array<ArrayBuffer> };

export type WriterRequest = WriterWork & { readonly request: number };

export interface WriterAnswer {
  readonly request: number;
  readonly error?: { readonly name: string; readonly message: string };
}
