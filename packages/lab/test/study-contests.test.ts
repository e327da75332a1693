/** Contests of studies take place only where they are asked for. */
import { expect, test } from 'vitest';
import { catalogue, studyCatalogue } from '../src/client/catalogue.ts';
import type { Engine } from '../src/engines/engine.ts';
import { checkOnly, contestsOf } from '../src/lab/field.ts';

const node = { id: 'node26' } as Engine;
const isStudy = (id: string): boolean => id.startsWith('studies/');

test.each(['quick', 'default', 'full'] as const)('no other run has contests of studies: %s', (kind) => {
  expect(catalogue(kind, 'node').some(({ id }) => isStudy(id))).toBe(false);
  expect(contestsOf(node, [node], kind, '').some(isStudy)).toBe(false);
  // A part of an id is not enough.
  expect(contestsOf(node, [node], kind, '/').some(isStudy)).toBe(false);
});

test('they have ids that say so, and are chosen by their beginning', () => {
  const all = studyCatalogue('node').map(({ id }) => id);
  expect(all.length).toBeGreaterThan(0);
  expect(all.every(isStudy)).toBe(true);
  expect(contestsOf(node, [node], 'quick', 'studies/')).toEqual(all);
  expect(contestsOf(node, [node], 'quick', all[0])).toContain(all[0]);
  expect(() => checkOnly('studies/', 'quick')).not.toThrow();
  expect(() => checkOnly('studies/none', 'quick')).toThrow('fits no contest');
});
