/** The part of libsodium.js that the tests use, by noble: libsodium.js needs WebAssembly or `eval`, which not all hosts allow. */
import { chacha20, hchacha, xchacha20, xchacha20poly1305 } from '@noble/ciphers/chacha.js';
import { poly1305 } from '@noble/ciphers/_poly1305.js';
import { SecretstreamModel } from '../../support/secretstream-model.ts';

const words = (bytes: Uint8Array): Uint32Array => new Uint32Array(bytes.slice().buffer);
const SIGMA = words(new TextEncoder().encode('expand 32-byte k'));

function hchacha20(key: Uint8Array, input: Uint8Array): Uint8Array {
  const out = new Uint32Array(8);
  hchacha(SIGMA, words(key), words(input), out);
  return new Uint8Array(out.buffer);
}

const primitives = { hchacha20, chacha20, poly1305 };
const NOTHING = new Uint8Array(0);

export default {
  ready: Promise.resolve(),
  crypto_core_hchacha20: (input: Uint8Array, key: Uint8Array): Uint8Array => hchacha20(key, input),
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
  crypto_secretstream_xchacha20poly1305_init_push(key: Uint8Array): { state: SecretstreamModel; header: Uint8Array } {
    const header = crypto.getRandomValues(new Uint8Array(24));
    return { state: new SecretstreamModel(primitives, key, header), header };
  },
  crypto_secretstream_xchacha20poly1305_init_pull: (header: Uint8Array, key: Uint8Array): SecretstreamModel =>
    new SecretstreamModel(primitives, key, header),
  crypto_secretstream_xchacha20poly1305_push: (
    state: SecretstreamModel,
    message: Uint8Array,
    ad: Uint8Array | null,
    tag: number,
  ): Uint8Array => state.push(message, ad ?? NOTHING, tag),
  crypto_secretstream_xchacha20poly1305_pull: (
    state: SecretstreamModel,
    sealed: Uint8Array,
    ad: Uint8Array | null,
  ): { message: Uint8Array; tag: number } | false => state.pull(sealed, ad ?? NOTHING) ?? false,
  crypto_secretstream_xchacha20poly1305_rekey: (state: SecretstreamModel): void => state.rekey(),
};
