/** The full run of mutants: which there are, how they are made, who judges them, and that verdicts are kept. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { kernelOf, kernels, type Kernel } from '../src/kernels.ts';
import { lint } from '../src/lints/lint.ts';
import { distinctFunctions } from '../src/mutations/distinct.ts';
import { FullJudge } from '../src/mutations/full-judge.ts';
import { mutantsAt } from '../src/mutations/full-set.ts';
import { asModule } from '../src/mutations/mutants.ts';
import { mutantOf, placesOf, type Mutant, type Place } from '../src/mutations/one-instruction.ts';
import { patched } from '../src/mutations/patch.ts';
import { VerdictFile, type JudgedPlace } from '../src/mutations/verdict-file.ts';
import { decode } from '../src/wasm/decode.ts';
import { exported } from '../src/wasm/types.ts';

const kernel = kernelOf('poly1305 scalar');
const module = decode(kernel.bytes);

it('a mutant is what decoding all of its bytes gives, and lints say of it what they say of all of it', () => {
  let compared = 0;
  for (const place of module.functions.flatMap(placesOf).filter((_, i) => i % 3 === 0))
    for (let at = place.from; at < place.to; at++) {
      const bit = at % 8;
      const mutant = mutantOf(kernel, place, { at, bit });
      const bytes = kernel.bytes.slice();
      bytes[at] ^= 1 << bit;
      const expected = asModule(bytes);
      if (typeof mutant === 'string' || typeof expected === 'string') expect(mutant).toBe(expected);
      else {
        compared++;
        expect(mutant.module).toEqual(expected);
        expect(mutant.refusal).toBe(lint({ ...kernel, bytes })[0]?.message);
      }
    }
  expect(compared).toBeGreaterThan(60);
});

it('functions of several kernels are one if they call the same ones, and two if they do not', () => {
  const twice = distinctFunctions([kernel, { ...kernel, name: 'again' }]);
  expect(twice).toHaveLength(module.functions.length);
  expect(twice.every(({ copies }) => copies.length === 1)).toBe(true);

  // Another constant in a function that others call: these are other functions, too, though their bytes are the same.
  const [callee] = module.functions;
  const callers = module.functions.filter(({ code }) => code.some((step) => step.op === 'call' && step.callee === 0));
  expect(callers.length).toBeGreaterThan(0);
  const constant = callee.code.find(({ op }) => op === 'i32.const')!;
  const other: Kernel = { ...kernel, name: 'other', bytes: patched(kernel.bytes, constant.at, 2, '\x41\x01') };
  const own = distinctFunctions([kernel, other]).filter((one) => one.kernel.name === 'other');
  const indexes = own.map((one) => one.function.index);
  expect(indexes).toEqual(expect.arrayContaining([0, ...callers.map(({ index }) => index)]));
  expect(indexes.length).toBeLessThan(module.functions.length);
});

it('of all kernels, every function is judged in one', () => {
  const all = distinctFunctions(kernels);
  const everywhere = kernels.flatMap(({ name, bytes }) => decode(bytes).functions.map(() => name));
  expect(all.flatMap((one) => [one, ...one.copies].map((copy) => copy.kernel.name)).sort()).toEqual(everywhere.sort());
  expect(all.length).toBeLessThan(everywhere.length);
});

const placeOf = (name: string, op: string): Place =>
  placesOf(exported(module, name)).find(({ of, index }) => of.code[index]?.op === op)!;

it('one mutant of an instruction is drawn: always the same; one that means the same, or that a lint refuses, only for want of others', () => {
  const draw = (place: Place, isSame = (_: Mutant): boolean => false): Mutant[] =>
    mutantsAt(kernel, place, 'one', isSame);
  const place = placeOf('absorb', 'i32.const');
  const [drawn, ...others] = draw(place);
  expect(others).toEqual([]);
  expect(draw(place)[0].flip).toEqual(drawn.flip);
  expect(drawn.refusal).toBeUndefined();
  const { flip } = drawn;
  const [second] = draw(place, (mutant) => mutant.flip.at === flip.at && mutant.flip.bit === flip.bit);
  expect(second.flip).not.toEqual(flip);
  expect(draw(place, () => true)).toHaveLength(1);
  // All bits have it among them.
  expect(mutantsAt(kernel, place, 'all', () => false).map((mutant) => mutant.flip)).toContainEqual(flip);
  const numbers = mutantsAt(kernel, place, 'numbers', () => false);
  expect(numbers.length).toBeGreaterThan(0);
  expect(numbers.every((mutant) => mutant.flip.at > place.from)).toBe(true);
  // The last `end` of a function has no other meaning.
  expect(draw(placesOf(exported(module, 'absorb')).at(-1)!)).toEqual([]);
});

it('the judge kills, and says which claim does', { timeout: 120_000 }, async () => {
  const random = kernelOf('random scalar');
  const judge = await FullJudge.of(random);
  const places = decode(random.bytes).functions.flatMap(placesOf);
  const mutants = places.flatMap((place) => mutantsAt(random, place, 'one', (m) => judge.reasonFor(m) !== undefined));
  const some = mutants.filter(({ refusal, place }, i) => refusal === undefined && place.index >= 0 && i % 100 === 1);
  expect(some.length).toBeGreaterThan(2);
  for (const mutant of some) expect(await judge.judge(mutant)).toMatchObject({ fate: 'killed', by: 'claim' });
});

it('verdicts outlive the run that gave them, and a line that was cut off is judged again', () => {
  const folder = mkdtempSync(join(tmpdir(), 'verdicts-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'deep', 'verdicts.jsonl');
  const place: JudgedPlace = {
    kernel: kernel.name,
    module: 'abc',
    function: 1,
    index: 2,
    layer: 'one',
    mutants: [{ at: 3, bit: 4, change: 'a became b', verdict: { fate: 'equal' } }],
    milliseconds: 5,
  };
  const file = new VerdictFile(path);
  expect(file.places).toEqual([]);
  file.add(place);
  file.add({ ...place, index: 3 });
  writeFileSync(path, readFileSync(path, 'utf8').slice(0, -9));
  const again = new VerdictFile(path);
  expect(again.places).toEqual([place]);
  again.add({ ...place, index: 4 });
  expect(new VerdictFile(path).places.map(({ index }) => index)).toEqual([2, 4]);
});
