/** Properties of Argon2. */
import * as noble from '@noble/hashes/argon2.js';
import fc from 'fast-check';
import * as argon2 from '../../../src/argon2.ts';
import { expectBytes, sample } from '../../support/bytes.ts';
import { lengths, onAllEngines, property, seeds, type Property } from '../../support/properties.ts';

const cases = fc.record({
  seed: seeds,
  name: fc.constantFrom('argon2d', 'argon2i', 'argon2id'),
  version: fc.constantFrom(0x13, 0x10),
  t: fc.integer({ min: 1, max: 3 }),
  p: fc.integer({ min: 1, max: 4 }),
  more: fc.integer({ min: 0, max: 60 }),
  dkLen: fc.integer({ min: 4, max: 200 }),
  passwordLength: lengths(5000),
});

const derived = property('Argon2 gives what another implementation gives', 1, cases, (c) => {
  const [password, salt] = [sample(c.passwordLength, c.seed), sample(16, c.seed + 1)];
  const options = { t: c.t, p: c.p, m: 8 * c.p + c.more, dkLen: c.dkLen, version: c.version };
  const expected = noble[c.name as 'argon2d'](password, salt, options);
  onAllEngines((engine) =>
    expectBytes(
      argon2[`${c.name as 'argon2d'}Sync`](password, salt, { ...options, version: c.version as 0x13 }),
      expected,
      engine,
    ),
  );
});

export const properties: readonly Property[] = [derived];

/** How many cases the tests draw; `npm run fuzz` draws as many as there is time for. */
export const CASES = 60;
