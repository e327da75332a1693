// claims.golden.json: claims that vanish, that are new, and that examine less than before. `npm run prove` compares all
// of them; these tests compare their names, and the amounts of some small kernels. Others are in faults-by-topics-small.long.test.ts.
import { describe, expect, it } from 'vitest';
import { takeAmounts } from '../src/claims/amounts.ts';
import { allClaims, kernelClaims } from '../src/claims/index.ts';
import { keepingSolver } from '../src/rooms/poly1305/reduction.ts';
import { changeOf, goldenOf, savedClaims, textOf, vanished, type Looked } from '../src/claims-golden.ts';
import { kernelOf } from '../src/kernels.ts';

const namesOf = (list: readonly { readonly kernel: string; readonly claim: string }[]): string[] =>
  list.map(({ kernel, claim }) => `${kernel}: ${claim}`);

it('claims.golden.json lists every claim; if the change is meant, `npm run golden`', () => {
  const saved = Object.entries(savedClaims()).flatMap(([kernel, claims]) =>
    Object.keys(claims).map((claim) => ({ kernel, claim })),
  );
  expect(namesOf(saved).sort()).toEqual(namesOf(allClaims()).sort());
});

it('every claim looks at something that counts, but for those about all of the bytes', () => {
  const nothing = Object.values(savedClaims()).flatMap((claims) =>
    Object.entries(claims).flatMap(([claim, amounts]) => (amounts === '' ? [claim.split(':')[0]] : [])),
  );
  expect(new Set(nothing)).toEqual(new Set(['golden', 'lints', 'constant time']));
});

it.each(['chacha short scalar', 'salsa short scalar'])('claims of %s look at as much as is written', async (name) => {
  const claims = kernelClaims(kernelOf(name)).filter(({ claim }) => !claim.startsWith('wiped'));
  await keepingSolver(async () => {
    for (const claim of claims) {
      takeAmounts();
      await claim.prove();
      expect(changeOf({ ...claim, amounts: takeAmounts() }, savedClaims()), claim.claim).toBeUndefined();
    }
  });
});

describe('a difference', () => {
  const looked: Looked = { kernel: 'a', claim: 'x: 1', amounts: { bytes: 64, runs: 2 } };
  const golden = { a: { 'x: 1': '64 bytes, 2 runs' } };

  it('is none if the claim is the same, whatever the kernel is made of', () => {
    expect(changeOf(looked, golden)).toBeUndefined();
    expect(changeOf({ ...looked, amounts: { places: 1000, ...looked.amounts } }, golden)).toBeUndefined();
  });

  it.each([
    [{ bytes: 48, runs: 2 }, /^it looks at 48 bytes, 2 runs, and in claims.golden.json at 64 bytes, 2 runs;/],
    [{ bytes: 64 }, /^it looks at 64 bytes, and/],
    [{}, /^it looks at nothing that counts, and/],
    [{ bytes: 640, runs: 2 }, /^it looks at 640 bytes/],
  ])('is less, or more: %o', (amounts, message) => {
    expect(changeOf({ ...looked, amounts }, golden)).toMatch(message);
  });

  it('is a claim that is new', () => {
    expect(changeOf({ ...looked, claim: 'x: 2' }, golden)).toMatch(/^it is not in claims.golden.json/);
  });

  it('is a claim that has vanished', () => {
    const both = { ...golden, b: { y: '1 runs' } };
    expect(vanished([looked], both)).toEqual(['b: y']);
    expect(vanished([{ kernel: 'a', claim: 'x: 2' }], both)).toEqual(['a: x: 1', 'b: y']);
    expect(vanished(allClaims().slice(1), savedClaims())).toEqual(namesOf(allClaims().slice(0, 1)));
  });

  it('is written if it is meant', () => {
    const every = [looked, { kernel: 'a', claim: 'y' }, { kernel: 'b', claim: 'z' }];
    const before = { a: { 'x: 1': '1 bytes', y: '2 runs', gone: '3 runs' } };
    expect(goldenOf(every, [looked], before)).toEqual({
      a: { 'x: 1': '64 bytes, 2 runs', y: '2 runs' },
      b: { z: 'not proved' },
    });
    expect(textOf({ places: 3, exceptions: 0 })).toBe('0 exceptions');
  });
});
