/** Objects of `lanewise/chacha.js` that work by turns with all others. */
import type { Family } from '../../support/interleaved/actor.ts';
import * as streams from '../../support/interleaved/streams.ts';
import * as sealers from '../../support/interleaved/sealers.ts';

/** Families of actors. One that covers several ciphers stands here more often: streams are those of Salsa20, too. */
export const families: readonly Family[] = [
  streams.stream,
  streams.stream,
  streams.stream,
  streams.stream,
  sealers.aead,
  sealers.aead,
  sealers.managed,
];
