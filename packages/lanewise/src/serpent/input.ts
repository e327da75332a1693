/** Keys and options, which the modes of Serpent share. */
import { lengthOf } from '../calls/checks.ts';
import { flagOf, optionsOf } from '../calls/options.ts';
import { Bytes, copyExactly, copyOf, imul, Words } from '../engine/intrinsics.ts';
import { KEY_BYTES } from './map.ts';

export const BLOCK_BYTES = 16;

/** Pads a shorter key to 256 bits: a one bit, then zeros. §2 of the submission */
export function keyOf(key: Uint8Array): Uint8Array {
  const length = lengthOf(key, 'key');
  if (length !== 16 && length !== 24 && length !== 32)
    throw new RangeError(`"key" expected Uint8Array of length 16, 24 or 32, got length=${length}`);
  const padded = new Bytes(KEY_BYTES);
  copyExactly(padded, 0, key, length);
  if (length < KEY_BYTES) padded[length] = 1;
  return padded;
}

/** How CBC and ECB treat messages that do not consist of whole blocks. */
export interface PaddingOptions {
  /** No padding: messages are whole blocks. Otherwise PKCS #7: one to sixteen bytes, each of that value. */
  readonly disablePadding?: boolean;
}

const PADDING = { __proto__: null, disablePadding: 1 } as const;

/** Whether there is padding. */
export const paddingOf = (options: PaddingOptions | undefined): boolean =>
  !flagOf(optionsOf(options, PADDING), 'disablePadding', false);

/** Whole blocks, as decryption and messages without padding need them. */
export function checkWhole(length: number, name: string): void {
  if (length % BLOCK_BYTES)
    throw new RangeError(`"${name}" expected whole blocks of ${BLOCK_BYTES} bytes, got length=${length}`);
}

/**
 * Copies of the IVs of many messages. Two that are equal are refused, as objects refuse a second message; IVs are public, so
 * the time this takes may tell about them.
 */
export function copyIvs(given: readonly Uint8Array[]): Uint8Array[] {
  const ivs: Uint8Array[] = [];
  // A hash table with open addressing, at most half full; its entries are the numbers of messages, from 1 on. The hash
  // is FNV-1a.
  let size = 2;
  while (size < 2 * given.length) size *= 2;
  const slots = new Words(size);
  for (let i = 0; i < given.length; i++) {
    lengthOf(given[i], `ivs[${i}]`, BLOCK_BYTES);
    const iv = copyOf(given[i], BLOCK_BYTES);
    let slot = 0x811c9dc5;
    for (let j = 0; j < BLOCK_BYTES; j++) slot = imul(slot ^ iv[j], 0x01000193);
    for (slot &= size - 1; slots[slot]; slot = (slot + 1) & (size - 1)) {
      const other = slots[slot] - 1;
      if (areEqual(iv, ivs[other]))
        throw new Error(`cannot encrypt two messages with same key + IV: ivs[${other}] and ivs[${i}] are equal`);
    }
    slots[slot] = i + 1;
    ivs[i] = iv;
  }
  return ivs;
}

function areEqual(a: Uint8Array, b: Uint8Array): boolean {
  for (let i = 0; i < BLOCK_BYTES; i++) if (a[i] !== b[i]) return false;
  return true;
}
