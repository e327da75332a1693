/** Properties of scrypt. */
import { scrypt as noble } from '@noble/hashes/scrypt.js';
import fc from 'fast-check';
import { scryptSync } from '../../../src/scrypt.ts';
import { expectBytes, sample } from '../../support/bytes.ts';
import { lengths, onAllEngines, property, seeds, type Property } from '../../support/properties.ts';

const cases = fc.record({
  seed: seeds,
  logN: fc.integer({ min: 1, max: 6 }),
  r: fc.integer({ min: 1, max: 9 }),
  p: fc.integer({ min: 1, max: 3 }),
  dkLen: fc.integer({ min: 1, max: 200 }),
  passwordLength: lengths(5000),
  saltLength: lengths(5000),
});

const derived = property('scrypt gives what another implementation gives', 1, cases, (c) => {
  const [password, salt] = [sample(c.passwordLength, c.seed), sample(c.saltLength, c.seed + 1)];
  const { logN, r, p, dkLen } = c;
  const expected = noble(password, salt, { N: 2 ** logN, r, p, dkLen });
  onAllEngines((engine) => expectBytes(scryptSync(password, salt, { logN, r, p, dkLen }), expected, engine));
});

export const properties: readonly Property[] = [derived];

/** How many cases the tests draw; `npm run fuzz` draws as many as there is time for. */
export const CASES = 150;
