/** NIST's Monte Carlo tests of SHA-2 as far as their ends, and all of Wycheproof's PBKDF2. */
// Runs in Node only: short tests go through a part of it in browsers.
import { expect, it } from 'vitest';
import { cavp, expectChain, expectKey, passwords } from './published.ts';

it.each(cavp.filter(({ msg }) => msg === undefined))('CAVP: $hash, Monte Carlo', (test) => {
  expectChain(test, 100);
});

it('Wycheproof: PBKDF2', () => {
  expect(passwords.length).toBe(234);
  for (const test of passwords) expectKey(test);
});
