/** The part of libsodium.js that the tests use, by noble: libsodium.js needs WebAssembly or `eval`, which not all hosts allow. */
import { hchacha, xchacha20, xchacha20poly1305 } from '@noble/ciphers/chacha.js';
import { poly1305 } from '@noble/ciphers/_poly1305.js';

const words = (bytes: Uint8Array): Uint32Array => new Uint32Array(bytes.slice().buffer);
const SIGMA = words(new TextEncoder().encode('expand 32-byte k'));

export default {
  ready: Promise.resolve(),
  crypto_core_hchacha20(input: Uint8Array, key: Uint8Array): Uint8Array {
    const out = new Uint32Array(8);
    hchacha(SIGMA, words(key), words(input), out);
    return new Uint8Array(out.buffer);
  },
  crypto_stream_xchacha20_xor: (data: Uint8Array, nonce: Uint8Array, key: Uint8Array): Uint8Array =>
    xchacha20(key, nonce, data),
  crypto_aead_xchacha20poly1305_ietf_encrypt: (
    plaintext: Uint8Array,
    aad: Uint8Array,
    _: null,
    nonce: Uint8Array,
    key: Uint8Array,
  ): Uint8Array => xchacha20poly1305(key, nonce, aad).encrypt(plaintext),
  crypto_onetimeauth: (message: Uint8Array, key: Uint8Array): Uint8Array => poly1305(message, key),
};
