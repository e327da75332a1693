/** The output of `lanewise/random.js`, timed; the seed is the secret. */
import { chacha8rand } from '../../../src/random.ts';
import { keyed, LENGTH, type Target } from '../../support/timing.ts';

const out = new Uint8Array(LENGTH);

export const targets: readonly Target[] = [keyed('chacha8rand', (seed) => void chacha8rand(seed).bytes(out))];
