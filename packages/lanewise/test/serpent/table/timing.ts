/** Serpent, timed. */
import * as serpent from '../../../src/serpent.ts';
import { aad, keyed, LENGTH, message, nonceOf, sealing, xored, type Target } from '../../support/timing.ts';

export const targets: readonly Target[] = [
  ...sealing('serpent ocb', (key) => serpent.ocb(key, nonceOf(12), aad), LENGTH),
  keyed('serpent ctr', (key) => void serpent.ctr(key, nonceOf(16)).encrypt(message, xored)),
];
