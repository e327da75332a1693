/** Calls of `lanewise/salsa.js`, by `door.name` or `Type.method`. */
import * as salsa from '../../../src/salsa.ts';
import { bytes, fn, key, methods, nonces, streamsOf, text, toolsOf, words, type Call } from '../../support/call.ts';

const boxed = salsa.secretbox(key, nonces[24]).seal(text);

export const calls: Readonly<Record<string, Call>> = {
  ...streamsOf('salsa', salsa),
  'salsa.secretbox': fn(salsa.secretbox, key, nonces[24]),
  'salsa.xsalsa20poly1305': fn(salsa.xsalsa20poly1305, key, nonces[24]),
  'salsa.secretbox_xchacha20poly1305': fn(salsa.secretbox_xchacha20poly1305, key, nonces[24]),
  'salsa.hsalsa': fn(salsa.hsalsa, words(4), words(8), words(4), words(8)),
  ...methods('Secretbox', () => salsa.secretbox(key, nonces[24]), {
    seal: [text, bytes(64)],
    open: [boxed, bytes(48)],
    encrypt: [text, bytes(64)],
    encryptDetached: [text, bytes(48)],
    decrypt: [boxed, bytes(48)],
    decryptDetached: [boxed.subarray(16), boxed.subarray(0, 16), bytes(48)],
    destroy: [],
  }),
  ...toolsOf('salsa'),
};
