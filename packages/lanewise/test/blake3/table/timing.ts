/** BLAKE3 with a key, timed. */
import { blake3 } from '../../../src/blake3.ts';
import { keyed, message, type Target } from '../../support/timing.ts';

export const targets: readonly Target[] = [keyed('blake3, keyed', (key) => void blake3(message, { key }))];
