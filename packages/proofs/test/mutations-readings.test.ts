/** Readings of mutants are of modules that ship, and of instructions that these have. */
import { expect, it } from 'vitest';
import { sha256 } from '../src/golden.ts';
import { kernelOf } from '../src/kernels.ts';
import { READINGS, withReadings } from '../src/mutations/readings.ts';
import { describeChange } from '../src/mutations/same.ts';
import type { JudgedPlace } from '../src/mutations/verdict-file.ts';
import { decode } from '../src/wasm/decode.ts';

it.each(READINGS)('$kernel: $change', ({ kernel, module, change, why }) => {
  const { bytes } = kernelOf(kernel);
  expect(sha256(bytes).slice(0, module.length)).toBe(module);
  const decoded = decode(bytes);
  const at = Number(/, at (\d+)$/.exec(change)![1]);
  const [before] = describeChange(decoded, decoded, at).split(' became ');
  expect(change.split(' became ')[0]).toBe(before);
  expect(why).not.toBe('');
});

it('a reading explains what nothing tells from the original, and no difference', () => {
  const [{ kernel, module, change }] = READINGS;
  const fateOf = (place: Partial<JudgedPlace>, verdict: JudgedPlace['mutants'][number]['verdict'], its = change) =>
    withReadings({
      ...{ kernel, module, function: 0, index: 0, layer: 'one', milliseconds: 0 },
      ...{ mutants: [{ at: 0, bit: 0, change: its, verdict }] },
      ...place,
    }).mutants[0].verdict.fate;
  expect(fateOf({}, { fate: 'equal' })).toBe('explained');
  expect(fateOf({}, { fate: 'gap', what: 'another byte' })).toBe('gap');
  expect(fateOf({}, { fate: 'equal' }, 'another change')).toBe('equal');
  expect(fateOf({ module: 'another' }, { fate: 'equal' })).toBe('equal');
});
