/** Poly1305, timed. */
import { poly1305 } from '../../../src/poly1305.ts';
import { keyed, message, type Target } from '../../support/timing.ts';

export const targets: readonly Target[] = [keyed('poly1305', (key) => void poly1305(message, key))];
