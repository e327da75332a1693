/** The parts of the original package that this package uses. */

/** A function of the original. Its arguments may be anything: programs without types call it, too. */
export type Call = (...values: unknown[]) => unknown;

/** The object of the original. Until `ready` is fulfilled, most of its functions are missing. */
export interface Original {
  readonly [name: string]: unknown;
  readonly ready: Promise<void>;
  /** UTF-8. */
  readonly from_string: (text: string) => Uint8Array;
  /** Throws TypeError for bytes that aren't UTF-8. */
  readonly to_string: (bytes: Uint8Array) => string;
  readonly to_hex: (bytes: Uint8Array) => string;
  readonly to_base64: (bytes: Uint8Array) => string;
  /** The user may have set another source of random bytes. */
  readonly randombytes_buf: (length: number) => Uint8Array;
  readonly crypto_box_beforenm: Call;
  /** The module beneath, whose memory is another object after it has grown. */
  readonly libsodium: { readonly HEAPU8: Uint8Array };
}

/** Our functions by their names; each is made from the original's, which gets the calls that ours does not answer. */
export type Replacements = Readonly<Record<string, (theirs: Call) => Call>>;
