/** The cipher of `lanewise/siv.js`, timed. */
import { chacha20poly1305siv } from '../../../src/siv.ts';
import { aad, LENGTH, nonceOf, sealing, type Target } from '../../support/timing.ts';

const nonce = nonceOf(chacha20poly1305siv.nonceLength);

export const targets: readonly Target[] = sealing(
  'chacha20poly1305siv',
  (key) => chacha20poly1305siv(key, nonce, aad),
  LENGTH,
);
