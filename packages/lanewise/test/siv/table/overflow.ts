/** Operations of `lanewise/siv.js` on random bytes, in which tests make the stack overflow. */
import * as siv from '../../../src/siv.ts';
import { LONG, aad, ivOf, same, type Given, type Operation } from '../../support/overflow-operation.ts';
import { instances } from '../../chacha/table/instances.ts';
import * as oracle from './oracle.ts';

// Read here once: the tests' module loader reports a stack overflow in the getter of a re-export as a missing export.
const { chacha20poly1305siv } = siv;

const memories = (): Uint8Array[] => instances().map(({ memory }) => memory);
const seal = (given: Given): Uint8Array => oracle.seal(given.key, ivOf(given), aad, given.text);
const aead = (given: Given): siv.Aead => chacha20poly1305siv(given.key, ivOf(given), aad);

export const operations: readonly Operation[] = [
  {
    name: 'SIV: encrypt',
    memories,
    longest: LONG,
    make: aead,
    work: ({ text }, object: siv.Aead) => object.encrypt(text),
    expected: seal,
    sealed: true,
  },
  {
    name: 'SIV: decrypt',
    memories,
    longest: LONG,
    make: (given) => ({ object: aead(given), sealed: seal(given) }),
    work: (_, { object, sealed }: { object: siv.Aead; sealed: Uint8Array }) => object.decrypt(sealed),
    expected: same,
    isPublic: seal,
  },
];
