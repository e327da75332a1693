/** The ciphers of `lanewise/salsa.js`, timed. */
import * as salsa from '../../../src/salsa.ts';
import { keyed, message, nonceOf, sealing, xored, type Target } from '../../support/timing.ts';

export const targets: readonly Target[] = [
  ...(['salsa20', 'xsalsa20'] as const).map((name) => {
    const nonce = nonceOf(salsa[name].nonceLength);
    return keyed(name, (key) => void salsa[name](key, nonce, message, xored));
  }),
  ...sealing('secretbox', (key) => salsa.secretbox(key, nonceOf(24)), 0),
];
