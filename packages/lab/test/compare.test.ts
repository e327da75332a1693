import { describe, expect, test } from 'vitest';
import { compare } from '../src/results/compare.ts';
import { ResultError } from '../src/results/schema.ts';
import { engineRecord, field, header, synthetic, type Speed, type Synthetic } from './results-synthetic.ts';

const engines = [engineRecord('node26', 'Node 26', '26.10.0')];
const some: Synthetic = {
  engines,
  rounds: 8,
  noise: { process: 0.003, round: 0.01 },
  wanted: ({ id }) => /^platforms\/(chacha20|blake3)\//.test(id),
};
const before = synthetic({ ...some, seed: 1 });

const times = (factor: number, ...ids: string[]): Speed[] =>
  field.map((speed) =>
    ids.includes(speed.description.id)
      ? { ...speed, perCall: factor * speed.perCall, perByte: factor * speed.perByte }
      : speed,
  );

describe('compare', () => {
  test('calls nothing a change where nothing changed', () => {
    const { changes, compared } = compare(before, synthetic({ ...some, seed: 2 }));
    expect(changes).toEqual([]);
    expect(compared).toBe(field.length * before.contests.length);
  });

  test('finds a planted regression, its size, and nothing else', () => {
    const { changes, regressions } = compare(
      before,
      synthetic({ ...some, seed: 2, speeds: times(1.2, 'lanewise simd') }),
    );
    expect(new Set(changes.map((change) => change.case))).toEqual(new Set(['lanewise simd']));
    expect(regressions).toHaveLength(before.contests.length);
    for (const { ratio, verdict } of regressions) {
      expect(verdict).toBe('regression');
      expect(Math.abs(ratio.value / 1.2 - 1)).toBeLessThan(0.02);
      expect(ratio.low).toBeLessThan(1.2);
      expect(ratio.high).toBeGreaterThan(1.2);
    }
  });

  test('knows faster, slower within the threshold, and rivals that are none of our business', () => {
    const verdictsOf = (after: readonly Speed[]) =>
      new Set(compare(before, synthetic({ ...some, seed: 2, speeds: after })).changes.map(({ verdict }) => verdict));
    expect(verdictsOf(times(0.8, 'lanewise js'))).toEqual(new Set(['faster']));
    expect(verdictsOf(times(1.2, 'noble'))).toEqual(new Set(['slower']));
    const after = synthetic({ ...some, seed: 2, speeds: times(1.2, 'lanewise simd') });
    expect(compare(before, after, { threshold: 0.5 }).regressions).toEqual([]);
    expect(compare(before, after, { threshold: 0.5 }).changes.length).toBeGreaterThan(0);
  });

  test('is not fooled by another frequency', () => {
    const slower = synthetic({ ...some, seed: 2, nanosecondsOfCycle: 0.4 });
    expect(compare(before, slower).changes).toEqual([]);
    const faster = { ...some, seed: 2, nanosecondsOfCycle: 0.2, speeds: times(1.2, 'lanewise simd') };
    expect(compare(before, synthetic(faster)).regressions.length).toBe(before.contests.length);
  });

  test('says if only one result has probes', () => {
    const older = { ...before, schema: 'lanewise-lab/1' } as const;
    expect(compare(older, before).notes).toEqual([
      'Only one of the results tells quiet rounds from busy ones: all rounds of the other count.',
    ]);
  });

  test('reports other differences', () => {
    const after = structuredClone(
      synthetic({ ...some, seed: 2, engines: [engineRecord('node26', 'Node 26', '26.11.0')] }),
    );
    for (const { hello } of after.sessions) Object.assign(hello!.modules[0], { sha256: 'cd'.repeat(32) });
    expect(compare(before, after).notes).toEqual([
      'Node 26: version 26.10.0, then 26.11.0.',
      'Modules that changed: chacha simd.',
    ]);
  });
});

describe('compare refuses', () => {
  const elsewhere = synthetic({ ...some, header: { host: { ...header.host, cpu: 'Another CPU' } } });

  test('another machine, in one line', () => {
    expect(() => compare(before, elsewhere)).toThrow(ResultError);
    expect(() => compare(before, elsewhere)).toThrow(
      'the results cannot be compared: they come from different machines (cpu: Synthetic CPU (1) and Another CPU)',
    );
  });

  test('another generation of a processor with the same name', () => {
    const zen = (family: number) => ({
      ...header.host,
      processor: { vendor: 'AuthenticAMD', family, model: 17, stepping: 1 },
    });
    const [one, other] = [25, 26].map((family) => synthetic({ ...some, header: { host: zen(family) } }));
    expect(() => compare(one, other)).toThrow(
      'they come from different machines (Synthetic CPU (1), Zen 4 (family 25, model 17, stepping 1) and Synthetic CPU (1), Zen 5 (family 26, model 17, stepping 1))',
    );
    expect(compare(one, one).changes).toEqual([]);
    // Results of the first version do not tell.
    expect(compare(before, other).changes).toEqual([]);
  });

  test('another instruction set', () => {
    const other = synthetic({ ...some, header: { host: { ...header.host, flags: ['ssse3'] } } });
    expect(() => compare(before, other)).toThrow('the instruction sets differ');
  });

  test('unless it is forced, and then says so', () => {
    const { notes, compared } = compare(before, elsewhere, { forced: true });
    expect(compared).toBeGreaterThan(0);
    expect(notes[0]).toMatch(/^Forced: they come from different machines/);
  });

  test('results that have nothing in common', () => {
    const other = synthetic({ ...some, engines: [engineRecord('deno')] });
    expect(() => compare(before, other)).toThrow('they have no case in common');
  });
});
