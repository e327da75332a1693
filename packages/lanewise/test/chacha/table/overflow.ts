/** Operations of `lanewise/chacha.js` on random bytes, in which tests make the stack overflow. */
import * as chacha from '../../../src/chacha.ts';
import * as oracles from '../../support/oracles.ts';
import { concat } from '../../support/bytes.ts';
import { LONG, aad, same, type Given, type Operation } from '../../support/overflow-operation.ts';
import { instances } from './instances.ts';

// Read here once: the tests' module loader reports a stack overflow in the getter of a re-export as a missing export.
const { chacha20, hchacha, managedNonce, xchacha20, xchacha20poly1305 } = chacha;

const memories = (): Uint8Array[] => instances().map(({ memory }) => memory);
const seal = ({ key, nonce, text }: Given): Uint8Array => oracles.seal(key, nonce, aad, text);
const aead = ({ key, nonce }: Given): chacha.Aead => xchacha20poly1305(key, nonce, aad);

export const operations: readonly Operation[] = [
  {
    name: 'chacha20',
    memories,
    longest: LONG,
    work: ({ key, nonce, text }) => chacha20(key, nonce.subarray(0, 12), text),
    expected: ({ key, nonce, text }) => oracles.chacha20(key, nonce.subarray(0, 12), text),
    sealed: true,
  },
  {
    name: 'xchacha20',
    memories,
    longest: LONG,
    work: ({ key, nonce, text }) => xchacha20(key, nonce, text),
    expected: ({ key, nonce, text }) => oracles.xchacha20(key, nonce, text),
    sealed: true,
  },
  {
    name: 'hchacha',
    memories,
    longest: 0,
    work({ key, nonce }) {
      const out = new Uint32Array(8);
      const words = (bytes: Uint8Array): Uint32Array => new Uint32Array(bytes.slice().buffer);
      const constants = words(new TextEncoder().encode('expand 32-byte k'));
      hchacha(constants, words(key), words(nonce.subarray(0, 16)), out);
      return new Uint8Array(out.buffer);
    },
    expected: ({ key, nonce }) => oracles.hchacha20(key, nonce.subarray(0, 16)),
  },
  {
    name: 'a stream',
    memories,
    longest: LONG,
    make: ({ key, nonce }) => chacha20.stream(key, nonce.subarray(0, 12)),
    work: ({ text }, stream: chacha.CipherStream) => stream.update(text),
    expected: ({ key, nonce, text }) => oracles.chacha20(key, nonce.subarray(0, 12), text),
    sealed: true,
  },
  {
    name: 'encrypt',
    memories,
    longest: LONG,
    make: aead,
    work: ({ text }, object: chacha.Aead) => object.encrypt(text),
    expected: seal,
    sealed: true,
  },
  {
    name: 'encryptDetached',
    memories,
    longest: LONG,
    make: aead,
    work({ text }, object: chacha.Aead) {
      const { ciphertext, tag } = object.encryptDetached(text);
      return concat(ciphertext, tag);
    },
    expected: seal,
    sealed: true,
  },
  {
    name: 'decrypt',
    memories,
    longest: LONG,
    make: (given) => ({ object: aead(given), sealed: seal(given) }),
    work: (_, { object, sealed }: { object: chacha.Aead; sealed: Uint8Array }) => object.decrypt(sealed),
    expected: same,
    isPublic: seal,
  },
  {
    name: 'managedNonce',
    memories,
    longest: LONG,
    make: ({ key, nonce }) => managedNonce(chacha.xchacha20poly1305, () => nonce)(key, aad),
    work: ({ text }, object: chacha.ManagedCipher) => object.encrypt(text).subarray(24),
    expected: seal,
    sealed: true,
  },
];
