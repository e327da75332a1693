/** The options of boxes. */
import type { ChunkedFunction, ReaderOptions } from '../stream.ts';

/** The place of a value. */
export interface BoxOptions {
  /**
   * Where the value belongs, `users/42/email` for instance: it opens with the same `for` only, so it can't be moved to another row. A text,
   * which is encoded as UTF-8, or bytes; not secret, not stored; none unless given.
   */
  readonly for?: string | Uint8Array | undefined;
}

/** The options of texts. */
export interface BoxTextOptions extends BoxOptions {
  /** Whether the value is sealed as JSON, so that it may be anything that JSON has; false unless given. */
  readonly json?: boolean | undefined;
}

/** The options of {@link Box.reader}: the place of the file, and those of all readers. */
export interface BoxReaderOptions extends BoxOptions, ReaderOptions {}

/** The options of {@link createBox}. */
export interface CreateBoxOptions {
  /** `chunked` of `lanewise/stream.js`, if the box is to have streams: so a program without streams does not contain them. */
  readonly chunked?: ChunkedFunction | undefined;
}
