/** The ciphers of `lanewise/chacha.js`, timed. */
import * as chacha from '../../../src/chacha.ts';
import { aad, keyed, LENGTH, message, nonceOf, sealing, xored, type Target } from '../../support/timing.ts';

const ciphers = ['chacha8', 'chacha12', 'chacha20', 'chacha20orig', 'xchacha20'] as const;

export const targets: readonly Target[] = [
  ...ciphers.map((name) => {
    const nonce = nonceOf(chacha[name].nonceLength);
    return keyed(name, (key) => void chacha[name](key, nonce, message, xored));
  }),
  ...(['chacha20poly1305', 'xchacha20poly1305'] as const).flatMap((name) => {
    const nonce = nonceOf(chacha[name].nonceLength);
    return sealing(name, (key) => chacha[name](key, nonce, aad), LENGTH);
  }),
];
