/** Operations of `lanewise/poly1305.js` on random bytes, in which tests make the stack overflow. */
import { poly1305 } from '../../../src/poly1305.ts';
import * as oracles from '../../support/oracles.ts';
import { LONG, type Operation } from '../../support/overflow-operation.ts';
import { instances } from './instances.ts';

// Read here once: the tests' module loader reports a stack overflow in the getter of a re-export as a missing export.
const mac = poly1305;

const memories = (): Uint8Array[] => instances().map(({ memory }) => memory);

export const operations: readonly Operation[] = [
  {
    name: 'poly1305',
    memories,
    longest: LONG,
    work: ({ key, text }) => mac(text, key),
    expected: ({ key, text }) => oracles.poly1305(text, key),
  },
  {
    name: 'Poly1305: update and digest',
    memories,
    longest: LONG,
    make: ({ key }) => mac.create(key),
    work: ({ text }, object: ReturnType<typeof poly1305.create>) => object.update(text).digest(),
    expected: ({ key, text }) => oracles.poly1305(text, key),
  },
];
