/** Raw stream ciphers and subkeys in noble's shapes. */
import type { StreamCipher } from 'lanewise/chacha.js';
import { isBytesOf, isMessage, isOutput, sizeOf, startsInside } from './plain.ts';

/** A stream cipher as the originals have it. */
export type Xor = (
  key: Uint8Array,
  nonce: Uint8Array,
  data: Uint8Array,
  output?: Uint8Array,
  counter?: number,
) => Uint8Array;

const BLOCK_BYTES = 64;
/** The originals compute no block with this number: they refuse to come so far. */
const LAST_BLOCK = 0xffffffff;

/** `theirs` with our kernel; `shortKeys` tells whether it also takes keys of 16 bytes. */
export const streamOf =
  (ours: StreamCipher, theirs: Xor, shortKeys: boolean): Xor =>
  (key, nonce, data, output, counter = 0) =>
    (isBytesOf(key, 32) || (shortKeys && isBytesOf(key, 16))) &&
    isBytesOf(nonce, ours.nonceLength) &&
    isMessage(data) &&
    isOutput(output, sizeOf(data)) &&
    (output === undefined || !startsInside(data, output)) &&
    Number.isSafeInteger(counter) &&
    counter >= 0 &&
    counter < LAST_BLOCK &&
    counter + Math.ceil(sizeOf(data) / BLOCK_BYTES) <= LAST_BLOCK
      ? ours(key, nonce, data, output, counter)
      : theirs(key, nonce, data, output, counter);
