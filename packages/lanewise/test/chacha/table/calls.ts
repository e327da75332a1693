/** Calls of `lanewise/chacha.js`, by `door.name` or `Type.method`. */
import * as chacha from '../../../src/chacha.ts';
import { bytes, fn, key, methods, nonces, streamsOf, text, toolsOf, words, type Call } from '../../support/call.ts';

const sealed = chacha.xchacha20poly1305(key, nonces[24]).encrypt(text);

export const calls: Readonly<Record<string, Call>> = {
  ...streamsOf('chacha', chacha),
  ...methods('CipherStream', () => chacha.chacha20.stream(key, nonces[12]), {
    update: [text, bytes(48)],
    seek: [1],
    destroy: [],
  }),
  'chacha.chacha20poly1305': fn(chacha.chacha20poly1305, key, nonces[12], text),
  'chacha.xchacha20poly1305': fn(chacha.xchacha20poly1305, key, nonces[24], text),
  'chacha.hchacha': fn(chacha.hchacha, words(4), words(8), words(4), words(8)),
  ...methods('Aead', () => chacha.xchacha20poly1305(key, nonces[24]), {
    encrypt: [text, bytes(64)],
    encryptDetached: [text, bytes(48)],
    decrypt: [sealed, bytes(48)],
    decryptDetached: [sealed.subarray(0, 48), sealed.subarray(48), bytes(48)],
    destroy: [],
  }),
  ...toolsOf('chacha'),
};
