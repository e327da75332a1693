/** Operations of `lanewise/poly1305.js` on random bytes, in which tests make the stack overflow. */
import { poly1305 } from '../../../src/poly1305.ts';
import * as oracles from '../../support/oracles.ts';
import { LONG, type Operation } from '../../support/overflow-operation.ts';
import { instances } from './instances.ts';

// Only these are asked of the module: the tests' module loader takes an overflow in a re-export for an export that is missing.
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
