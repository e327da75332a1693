/** `@noble/ciphers/_poly1305.js`, version 2. */
import { poly1305 as ours } from 'lanewise/poly1305.js';
import * as theirs from 'noble-ciphers-2/_poly1305.js';
import { abytes, aexists, aoutput, copyBytes } from 'noble-ciphers-2/utils.js';
import { isBytesOf, isMessage } from '../plain.ts';
import { poly1305Of } from '../poly1305.ts';

export const Poly1305 = /* @__PURE__ */ poly1305Of({
  aexists,
  aoutput,
  key: (value) => abytes(value as Uint8Array, 32, 'key'),
  // The copy of a view of a detached buffer fails as in the original.
  message: (value) => (abytes(value as Uint8Array).length > 0 ? (value as Uint8Array) : copyBytes(value as Uint8Array)),
  result: () => undefined,
}) as unknown as typeof theirs.Poly1305;

export const poly1305 = /* @__PURE__ */ Object.assign(
  (message: Uint8Array, key: Uint8Array): Uint8Array =>
    isMessage(message) && isBytesOf(key, 32) ? ours(message, key) : theirs.poly1305(message, key),
  { outputLen: 16, blockLen: 16, create: (key: Uint8Array) => new Poly1305(key) },
) as unknown as typeof theirs.poly1305;
