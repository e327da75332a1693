/** The judge of mutants can say no: without claims, mutants that the engine notices are gaps. */
import { expect, it, vi } from 'vitest';
import { kernelOf } from '../src/kernels.ts';
import { judge, type Verdict } from '../src/mutations/judge.ts';
import { exported } from '../src/wasm/types.ts';
import { decode } from '../src/wasm/decode.ts';

vi.mock('../src/mutations/claims.ts', () => ({ claimsAbout: () => [] }));

const kernel = kernelOf('chacha short scalar');
const module = decode(kernel.bytes);
const { code } = exported(module, 'extend');
const judged = (at: number, bit: number): Promise<Verdict> => judge(kernel, { at, bit }, { calls: 5, all: true });

it('a result that is not what it was', async () => {
  const subtract = code.find(({ op }) => op === 'i32.sub')!;
  // i32.sub is 0x6b, i32.add 0x6a.
  const verdict = await judged(subtract.at, 0);
  expect(verdict).toEqual({
    fate: 'gap',
    what: expect.stringMatching(/^extend\(\d+\) leaves another byte at /) as string,
  });
});

it('and what the engine cannot notice, or nobody has to, is none', async () => {
  const load = code.find(({ op }) => op === 'i32.load')!;
  expect(await judged(load.at + 1, 0)).toMatchObject({ fate: 'unfit' });
  expect(await judged(load.at + 1, 1)).toEqual({ fate: 'explained', reason: 'alignment hint' });
  // i32.load becomes i32.load8_s, which kernels do not have.
  const unaligned = exported(module, 'verify').code.find((step) => step.op === 'i32.load' && step.align === 0)!;
  expect(await judged(unaligned.at, 2)).toEqual({ fate: 'unfit', by: 'undecodable' });
  // The head of the block is cleared word by word; nobody reads the fifth. A clearing constant is the byte before the store.
  const fifth = code.filter(({ op }) => op === 'i32.store')[4];
  expect(await judged(fifth.at - 1, 0)).toEqual({ fate: 'explained', reason: 'scratch' });
});
