/** Calls of `lanewise/siv.js`, by `door.name` or `Type.method`. */
import * as siv from '../../../src/siv.ts';
import { bytes, fn, key, methods, nonces, text, toolsOf, type Call } from '../../support/call.ts';

const make = () => siv.chacha20poly1305siv(key, nonces[16]);
const sealed = make().encrypt(text);

export const calls: Readonly<Record<string, Call>> = {
  'siv.chacha20poly1305siv': fn(siv.chacha20poly1305siv, key, nonces[16], text),
  // Its objects are of the class of ChaCha20-Poly1305's, and run other code.
  ...methods('chacha20poly1305siv()', make, {
    encrypt: [text, bytes(80)],
    encryptDetached: [text, bytes(48)],
    decrypt: [sealed, bytes(48)],
    decryptDetached: [sealed.subarray(0, 48), sealed.subarray(48), bytes(48)],
    destroy: [],
  }),
  ...toolsOf('siv'),
};
