/** hacl-wasm: HACL*, verified in F*, compiled to WebAssembly without vectors. It allocates its results. */
import { hacl as load } from '#packages';
import { TAG_BYTES, type Aead, type Contestant } from './contestant.ts';
import { rival } from './rival.ts';
import { needWebAssembly } from './needs.ts';

needWebAssembly();
const { Chacha20Poly1305, SHA2 } = await load();
const none = new Uint8Array();

export const hacl: Contestant = rival('hacl-wasm');

export const haclAead = (key: Uint8Array, nonce: Uint8Array): Aead => ({
  seal: (plaintext) => Chacha20Poly1305.aead_encrypt(key, nonce, none, plaintext),
  open(sealed) {
    const end = sealed.length - TAG_BYTES;
    const [error, plaintext] = Chacha20Poly1305.aead_decrypt(
      key,
      nonce,
      none,
      sealed.subarray(0, end),
      sealed.subarray(end),
    );
    if (error !== 0) throw new Error('wrong tag');
    return plaintext;
  },
});

export const haclSha256 = (message: Uint8Array): Uint8Array => SHA2.hash_256(message)[0];
