/** Properties of BLAKE2. */
import { blake2b as noble2b, blake2s as noble2s } from '@noble/hashes/blake2.js';
import fc from 'fast-check';
import { blake2b, blake2s } from '../../../src/blake2.ts';
import { expectBytes, sample } from '../../support/bytes.ts';
import { lengths, onAllEngines, property, seeds, type Property } from '../../support/properties.ts';

const cases = fc.record({
  seed: seeds,
  length: lengths(),
  cut: fc.integer({ min: 0, max: 100 }),
  is2b: fc.boolean(),
  dkLen: fc.integer({ min: 1, max: 32 }),
  keyLength: fc.integer({ min: 0, max: 32 }),
  salted: fc.boolean(),
});

const hashed = property('BLAKE2 gives what another implementation gives, whole and in pieces', 1, cases, (c) => {
  const message = sample(c.length, c.seed);
  const salt = c.salted ? sample(c.is2b ? 16 : 8, c.seed + 1) : undefined;
  const key = c.keyLength ? sample(c.keyLength, c.seed + 2) : undefined;
  const options = { dkLen: c.dkLen, ...(key && { key }), ...(salt && { salt, personalization: salt }) };
  const expected = (c.is2b ? noble2b : noble2s)(message, options);
  const hash = c.is2b ? blake2b : blake2s;
  const cut = Math.floor((c.length * c.cut) / 100);
  onAllEngines((engine) => {
    expectBytes(hash(message, options), expected, engine);
    const hasher = hash.create(options).update(message.subarray(0, cut)).update(message.subarray(cut));
    expectBytes(hasher.digest(), expected, `${engine}, in pieces`);
  });
});

export const properties: readonly Property[] = [hashed];
