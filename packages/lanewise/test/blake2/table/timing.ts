/** BLAKE2 with a key, timed. */
import { blake2b, blake2s } from '../../../src/blake2.ts';
import { keyed, message, type Target } from '../../support/timing.ts';

export const targets: readonly Target[] = [
  keyed('blake2b, keyed', (key) => void blake2b(message, { key })),
  keyed('blake2s, keyed', (key) => void blake2s(message, { key })),
];
