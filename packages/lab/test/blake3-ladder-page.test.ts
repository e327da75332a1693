/** The words of the page on BLAKE3 in steps follow its figures. */
import { expect, test } from 'vitest';
import { STEPS } from '../src/studies/blake3-ladder/contests.ts';
import { study } from '../src/studies/blake3-ladder/study.ts';
import { pageOf } from '../src/studies/pages.ts';
import type { StudyData } from '../src/studies/study.ts';

type Speeds = Readonly<Record<string, number>>;

/** Each step is as many times as fast as the one before it, everything else as fast as the last. */
function speeds(gains: Speeds): Speeds {
  let speed = 50;
  const all = STEPS.map((step) => [step, (speed *= gains[step] ?? 1.2)] as const);
  const others = ['asm.js', 'lanewise simd', 'lanewise scalar', 'fuzdev', 'WebCrypto, SHA-256'];
  return { ...Object.fromEntries(others.map((name) => [name, speed])), ...Object.fromEntries(all) };
}

/** The same speeds at every length. */
function dataOf(engines: Readonly<Record<string, Speeds>>): StudyData {
  const machine = {
    processor: 'CPU',
    results: [],
    engines: () => Object.keys(engines).map((id) => ({ id, name: id })),
    cases: (engine: string) => Object.keys(engines[engine]),
    speed: (engine: string, _: string, id: string) => engines[engine][id] as number | undefined,
    faster: (engine: string, _: string, id: string, than: string) => {
      const [one, other] = [engines[engine][id] as number | undefined, engines[engine][than] as number | undefined];
      return one === undefined || other === undefined ? undefined : one / other;
    },
    nanoseconds: () => undefined,
    cycles: () => undefined,
    clockStep: () => undefined,
    deviations: () => [],
    contests: () => [],
    parameter: () => undefined,
  };
  return { ...machine, others: [] };
}

const textOf = (engines: Readonly<Record<string, Speeds>>): string => pageOf(study, dataOf(engines)).text;

test('where all steps pay, the page says so', () => {
  const text = textOf({ node26: speeds({ '4 variables': 3 }), firefox: speeds({ '4 variables': 3.5 }) });
  expect(text).toContain('Every step of the case study still pays in every engine. No engine undoes a step.');
  expect(text).toContain('- `4 variables` pays in every engine (3.00 to 3.50 times); published: 2.20.');
  expect(text).toContain('Begin with `4 variables`: its gain, 3.25 as the median over the engines, is the largest');
  expect(text).toContain('The steps can be taken without fear');
  expect(text).toContain('Vectors pay everywhere');
});

test('engines that undo a step are named, and those where it makes no difference', () => {
  const text = textOf({
    node26: speeds({ '7 buffers': 1 }),
    node24: speeds({ '7 buffers': 1.01 }),
    chromium: speeds({ '7 buffers': 1 }),
    firefox: speeds({ '3 inlined': 0.9, '7 buffers': 1.02 }),
    bun: speeds({ '3 inlined': 0.5, '9 lanes': 0.4 }),
  });
  expect(text).toContain(
    '- `3 inlined` is undone by firefox and bun (0.50 to 0.90 times) and pays in all others (1.20 times)',
  );
  expect(text).toContain(
    '- `7 buffers` pays in bun (1.20 times) and makes no difference in all others (1.00 to 1.02 times)',
  );
  expect(text).toContain('`3 inlined` and `9 lanes` are undone somewhere: firefox and bun are slower with one of them');
  expect(text).toContain('cost speed in at least one of them, and none of that shows in V8.');
  expect(text).toContain('bun is slower with `9 lanes`');
  expect(textOf({ node26: speeds({ '3 inlined': 0.9 }) })).toContain(
    '`3 inlined` costs speed in at least one of them.',
  );
});

test('asm.js is judged by what it gains', () => {
  const asm = (factor: number): Speeds => {
    const all = speeds({});
    return { ...all, 'asm.js': factor * all['8 views'] };
  };
  expect(textOf({ node26: asm(1), firefox: asm(1.01) })).toContain(
    'Beside views it makes no difference in any engine. Nothing is left',
  );
  const text = textOf({ node26: asm(1.2), firefox: asm(0.5) });
  expect(text).toContain(
    'It is faster than views in node26. It is slower in firefox. Over views it gains 20\u00a0% at most',
  );
});

test('an engine without vectors has no figures of the steps that need them', () => {
  const workerd = Object.fromEntries(Object.entries(speeds({})).filter(([id]) => Number.parseInt(id) <= 8));
  const { text, pictures } = pageOf(study, dataOf({ node26: speeds({}), workerd }));
  expect(text).toMatch(/\| workerd +\|.*\| +– \|/);
  expect(text).not.toMatch(/undefined|NaN|Infinity/);
  for (const picture of pictures.values()) expect(picture).not.toMatch(/undefined|NaN|Infinity/);
  expect(pageOf(study, dataOf({})).text).toBe('No result of this processor has these contests yet.');
});
