/** `@noble/ciphers/_poly1305`, version 1. */
import { poly1305 as ours } from 'lanewise/poly1305.js';
import * as theirs from 'noble-ciphers-1/_poly1305';
import { abytes, aexists, aoutput, toBytes } from 'noble-ciphers-1/utils';
import { isBytesOf, isMessage } from '../plain.ts';
import { poly1305Of } from '../poly1305.ts';

export { wrapConstructorWithKey } from 'noble-ciphers-1/_poly1305';
export type { CHash } from 'noble-ciphers-1/_poly1305';

/** Strings are UTF-8 here. */
const bytesOf = (value: unknown, ...lengths: number[]): Uint8Array => {
  const bytes = toBytes(value as Uint8Array);
  abytes(bytes, ...lengths);
  return bytes;
};

const Poly1305 = /* @__PURE__ */ poly1305Of({
  // The original does not mark an object as destroyed and goes on with a key of zeros. Here it refuses, as in version 2; but after a
  // digest it has the original's message.
  aexists: (instance) => aexists((instance as { finished: boolean }).finished ? { finished: true } : instance),
  aoutput,
  key: (value) => bytesOf(value, 32),
  // A view of a detached buffer is an empty message in the original.
  message: (value) => (bytesOf(value).length > 0 ? bytesOf(value) : new Uint8Array(0)),
  result: (output) => output,
});

export const poly1305 = /* @__PURE__ */ Object.assign(
  (message: Uint8Array | string, key: Uint8Array | string): Uint8Array =>
    isMessage(message) && isBytesOf(key, 32) ? ours(message, key) : theirs.poly1305(message, key),
  { outputLen: 16, blockLen: 16, create: (key: Uint8Array) => new Poly1305(key) },
) as unknown as typeof theirs.poly1305;
