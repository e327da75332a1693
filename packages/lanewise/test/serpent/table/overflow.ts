/** Operations of `lanewise/serpent.js` on random bytes, in which tests make the stack overflow. */
import * as serpent from '../../../src/serpent.ts';
import type { Aead } from '../../../src/serpent.ts';
import { byBcrypto } from '../../support/interleaved/serpent.ts';
import { ocbByTheBook } from '../../support/serpent.ts';
import { aad, ivOf, type Operation } from '../../support/overflow-operation.ts';
import { instances } from './instances.ts';

// Read here once: the tests' module loader reports a stack overflow in the getter of a re-export as a missing export.
const { cbc, ctr, ecb, ocb } = serpent;

const memories = (): Uint8Array[] => instances().map(({ memory }) => memory);
const whole = (text: Uint8Array): Uint8Array => text.subarray(0, text.length & -16);

export const operations: readonly Operation[] = [
  {
    name: 'cbc.encryptMany',
    memories,
    longest: 5000,
    work({ key, nonce, text }) {
      const ivs = [nonce.subarray(1, 17), nonce.subarray(0, 16), nonce.subarray(2, 18)];
      return cbc.encryptMany(key, ivs, [text, text, text])[1];
    },
    expected: (given) => byBcrypto('CBC', given.key, ivOf(given), given.text, true),
    sealed: true,
  },
  {
    name: 'Serpent OCB',
    memories,
    longest: 5000,
    make: ({ key, nonce }) => ocb(key, nonce.subarray(0, 12), aad),
    work: ({ text }, object: Aead) => object.encrypt(text),
    expected: ({ key, nonce, text }) =>
      ocbByTheBook((block) => byBcrypto('ECB', key, undefined, block), nonce.subarray(0, 12), aad, text),
    sealed: true,
  },
  {
    name: 'Serpent CTR',
    memories,
    longest: 5000,
    make: (given) => ctr(given.key, ivOf(given)),
    work: ({ text }, object: ReturnType<typeof serpent.ctr>) => object.encrypt(text),
    expected: (given) => byBcrypto('CTR', given.key, ivOf(given), given.text),
    sealed: true,
  },
  {
    name: 'Serpent CBC',
    memories,
    longest: 5000,
    make: (given) => cbc(given.key, ivOf(given)),
    work: ({ text }, object: ReturnType<typeof serpent.cbc>) => object.encrypt(text),
    expected: (given) => byBcrypto('CBC', given.key, ivOf(given), given.text, true),
    sealed: true,
  },
  {
    name: 'Serpent ECB',
    memories,
    longest: 5000,
    make: ({ key }) => ecb(key, { disablePadding: true }),
    work: ({ text }, object: ReturnType<typeof serpent.ecb>) => object.encrypt(whole(text)),
    expected: ({ key, text }) => byBcrypto('ECB', key, undefined, whole(text)),
    sealed: true,
  },
];
