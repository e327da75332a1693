/** Operations of `lanewise/blake2.js` on random bytes, in which tests make the stack overflow. */
import { blake2b as noble } from '@noble/hashes/blake2.js';
import * as hashing from '../../../src/blake2.ts';
import { sample } from '../../support/bytes.ts';
import { LONG, type Operation } from '../../support/overflow-operation.ts';
import { instances } from './instances.ts';

// Read here once: the tests' module loader reports a stack overflow in the getter of a re-export as a missing export.
const { blake2b } = hashing;
const key = sample(32, 77);
const memories = (): Uint8Array[] => instances().map(({ memory }) => memory);

export const operations: readonly Operation[] = [
  {
    name: 'blake2b',
    memories,
    longest: LONG,
    work: ({ text }) => blake2b(text, { key }),
    expected: ({ text }) => noble(text, { key }),
  },
  {
    name: 'a hasher of BLAKE2b: update and digest',
    memories,
    longest: LONG,
    make: () => blake2b.create({ key }),
    work: ({ text }, hasher: hashing.Blake2) => hasher.update(text).digest(),
    expected: ({ text }) => noble(text, { key }),
  },
];
