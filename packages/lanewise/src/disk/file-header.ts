/**
 * The header of an authenticated file (docs/inside/authenticated-file.md); a file has two copies of it:
 *
 *      offset  bytes
 *           0     16  "lanewise file v1"
 *          16     16  identity of the file, random
 *          32      4  page size, little-endian
 *          36      4  zeros
 *          40     16  encrypted: length of the content and generation, 8 bytes each, little-endian
 *          56     24  nonce
 *          80     16  tag
 *          96         zeros
 */
import { Bytes, byteLengthOf, copyBytes, part } from '../engine/intrinsics.ts';
import { TAG_BYTES, NONCE_BYTES, type PageSealer } from './sealer.ts';
import type { Operation } from '../io/steps.ts';
import { readAll, type Store } from '../io/store.ts';
import { writeNumber } from './tweak.ts';

/**
 * Each copy of the header has a block of the medium of its own: if power fails while one is written, the other is
 * intact.
 */
export const HEADER_SPACE = 4096;
const MAGIC = 'lanewise file v1';
const ID = 16;
export const ID_BYTES = 16;
const PAGE_SIZE = 32;
/** Bytes in the clear, which are authenticated with the rest. */
const CLEAR_BYTES = 40;
const SEALED = CLEAR_BYTES;
const SEALED_BYTES = 16;
/** Bytes of a header without the zeros after it. */
export const HEADER_BYTES: number = SEALED + SEALED_BYTES + NONCE_BYTES + TAG_BYTES;

/** A header, decrypted. */
export interface Header {
  readonly id: Uint8Array;
  readonly pageSize: number;
  /** Bytes of content. */
  readonly length: number;
  /** Rises with each header that is written, and so tells which of two copies is newer. */
  readonly generation: number;
}

/** A header that cannot be decrypted. */
export interface Wrong {
  readonly error: unknown;
}

export const isHeader = (copy: Header | Wrong | undefined): copy is Header => copy !== undefined && !('error' in copy);

/** The number of leading bytes that equal those of a header. */
function magicLength(bytes: Uint8Array): number {
  let length = 0;
  while (length < MAGIC.length && bytes[length] === MAGIC.charCodeAt(length)) length++;
  return length;
}

/**
 * Whether the first header was being written when the file was made, and power failed: there is the beginning of one, or
 * nothing, and zeros after it. No page is ever written before both headers are on the medium.
 */
export function isUnfinished(store: Uint8Array): boolean {
  const same = magicLength(store);
  const end = byteLengthOf(store);
  for (let i = same === MAGIC.length ? HEADER_BYTES : same; i < end; i++) if (store[i] !== 0) return false;
  return true;
}

/** The additional data of a header: its bytes in the clear, then the file's context. */
function additionalOf(header: Uint8Array, context: Uint8Array): Uint8Array {
  const additional = new Bytes(CLEAR_BYTES + byteLengthOf(context));
  copyBytes(additional, part(header, 0, CLEAR_BYTES));
  copyBytes(additional, context, CLEAR_BYTES);
  return additional;
}

/** A header, with the zeros after it. */
export function encodeHeader(header: Header, sealer: PageSealer, context: Uint8Array, nonce: Uint8Array): Uint8Array {
  const bytes = new Bytes(HEADER_SPACE);
  for (let i = 0; i < MAGIC.length; i++) bytes[i] = MAGIC.charCodeAt(i);
  copyBytes(bytes, header.id, ID);
  writeNumber(bytes, PAGE_SIZE, header.pageSize, 1);
  writeNumber(bytes, SEALED, header.length, 1);
  writeNumber(bytes, SEALED + 8, header.generation, 1);
  const sealed = part(bytes, SEALED, HEADER_BYTES - SEALED);
  sealer.seal(sealed, SEALED_BYTES, nonce, additionalOf(bytes, context), sealed);
  return bytes;
}

/** Reads a copy of the header from a store of `size` bytes: the header, or the error in it, or `undefined` if there is none. */
export function* readHeader(
  store: Store,
  size: number,
  copy: number,
  sealer: PageSealer,
  context: Uint8Array,
): Operation<Header | Wrong | undefined> {
  const at = copy * HEADER_SPACE;
  if (size < at + HEADER_BYTES) return undefined;
  const bytes = new Bytes(HEADER_BYTES);
  yield* readAll(store, bytes, at);
  if (magicLength(bytes) < MAGIC.length) return undefined;
  try {
    const opened = new Bytes(HEADER_BYTES - SEALED);
    sealer.open(part(bytes, SEALED, HEADER_BYTES - SEALED), SEALED_BYTES, additionalOf(bytes, context), opened);
    const id = new Bytes(ID_BYTES);
    copyBytes(id, part(bytes, ID, ID_BYTES));
    const pageSize = readNumber(bytes, PAGE_SIZE);
    return { id, pageSize, length: readNumber(opened, 0), generation: readNumber(opened, 8) };
  } catch (error) {
    return { error };
  }
}

/** The inverse of `writeNumber`. */
function readNumber(bytes: Uint8Array, at: number): number {
  let number = 0;
  for (let i = 7; i >= 0; i--) number = number * 256 + bytes[at + i];
  return number;
}
