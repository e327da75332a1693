/** The judge of the full run can say no: without claims, mutants that the engine notices are gaps. */
import { expect, it, vi } from 'vitest';
import { kernelOf } from '../src/kernels.ts';
import { FullJudge } from '../src/mutations/full-judge.ts';
import { mutantOf, placesOf, type Mutant } from '../src/mutations/one-instruction.ts';
import { decode } from '../src/wasm/decode.ts';
import { exported } from '../src/wasm/types.ts';

vi.mock('../src/claims/index.ts', () => ({ kernelClaims: () => [] }));

const kernel = kernelOf('chacha short scalar');
const places = placesOf(exported(decode(kernel.bytes), 'extend'));
const mutantAt = (op: string, bit: number, byte = 0): Mutant => {
  const place = places.find(({ of, index }) => of.code[index]?.op === op)!;
  return mutantOf(kernel, place, { at: place.from + byte, bit }) as Mutant;
};

it('a gap, and what the engine cannot notice', async () => {
  const judge = await FullJudge.of(kernel);
  // i32.sub is 0x6b, i32.add 0x6a.
  expect(await judge.judge(mutantAt('i32.sub', 0))).toEqual({
    fate: 'gap',
    what: expect.stringMatching(/^extend\(\d+\) leaves another byte at /) as string,
  });
  const aligned = mutantAt('i32.load', 1, 1);
  expect(judge.reasonFor(aligned)).toBe('alignment hint');
  expect(await judge.judge(aligned)).toEqual({ fate: 'equal' });
});
