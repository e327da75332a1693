// Every kind of claims finds a fault that no other kind finds: that there is such a fault for each kind, and small kernels.
import { expect, it } from 'vitest';
import { allClaims } from '../src/claims/index.ts';
import { faultsFoundBy, kindOf, WITHOUT } from '../src/mutations/faults.ts';
import { SMALL, testKinds } from './faults-by-kind-tests.ts';

it('has a fault for every kind of claims', () => {
  const kinds = new Set(faultsFoundBy('kind').map(({ found }) => found.kind));
  const claimed = new Set(allClaims().map(kindOf));
  expect([...claimed].filter((kind) => !kinds.has(kind)).sort()).toEqual(WITHOUT);
  expect([...kinds].filter((kind) => !claimed.has(kind))).toEqual([]);
});

testKinds(SMALL);
