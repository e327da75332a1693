/** Kernels of Poly1305 in which one thing is wrong are not proved. `npm run prove` proves those that ship. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as i32 from '../../lanewise/src/wasm/i32.ts';
import * as i64 from '../../lanewise/src/wasm/i64.ts';
import type { Expression } from '../../lanewise/src/wasm/types.ts';
import { Failure, type Claim } from '../src/claims/claim.ts';
import { reductionInputs, requireReduction } from '../src/rooms/poly1305/reduction.ts';
import { poly1305Claims, poly1305TextClaims } from '../src/rooms/poly1305/claims.ts';
import { textOf } from '../src/javascript/texts.ts';
import { kernelOf } from '../src/kernels.ts';
import { edited } from '../src/mutations/patch.ts';
import { decode } from '../src/wasm/decode.ts';

const kernel = kernelOf('poly1305 scalar');
const text = textOf('poly1305');

/** Those that take next to no time, and tell everything. */
const few = (claims: readonly Claim[]): Claim[] => claims.filter(({ claim }) => !/\d{3,} bytes/.test(claim));

/** The message of the first claim that fails. */
async function failure(claims: readonly Claim[]): Promise<string | undefined> {
  for (const claim of claims) {
    try {
      await claim.prove();
    } catch (error) {
      if (error instanceof Failure) return `${claim.claim}: ${error.message}`;
      throw error;
    }
  }
  return undefined;
}

/** The instructions of all functions, one after the other. */
const { functions } = decode(kernel.bytes);
const instructions = functions.flatMap(({ code }) => code);

/** The claims about the kernel with a constant, and the instruction that uses it, replaced. */
function replaced(value: number | bigint, operator: string | undefined, code: string, nth = 0): Claim[] {
  const length = operator === undefined ? 1 : 2;
  const found = [...instructions.keys()].filter((i) => {
    const step = instructions[i];
    return 'value' in step && step.value === value && (!operator || instructions[i + 1].op === operator);
  });
  const first = found.at(nth);
  if (first === undefined) throw new Error(`the kernel has no ${value}, ${operator}`);
  const { at } = instructions[first];
  const bytes = edited(kernel.bytes, functions, [{ at, removed: instructions[first + length].at - at, code }]);
  expect(WebAssembly.validate(bytes)).toBe(true);
  return few(poly1305Claims({ ...kernel, bytes }));
}

/** Whatever was computed before. */
const word = '' as Expression<'i32'>;
const long = '' as Expression<'i64'>;
const drop = '\x1a';

const CONGRUENT = 'not congruent mod 2^130 - 5';
const WRONG_REDUCTION = 'the tag is not ((h mod p) + s) mod 2^128: z3 says sat';

describe('broken, in 64-bit integers', () => {
  it.each<[what: string, expected: string, claims: () => Claim[]]>([
    ['6 for 5 where r wraps', CONGRUENT, () => replaced(5n, 'i64.mul', i64.mul(long, 6n))],
    ['a carry left out', CONGRUENT, () => replaced(32n, 'i64.shr_u', drop + i64.value(0n), 1)],
    ['a limb of 31 bits', CONGRUENT, () => replaced(0xffffffffn, 'i64.and', i64.and(long, 0x7fffffffn))],
    ['r0 mod 2 for r0 mod 4', CONGRUENT, () => replaced(3n, 'i64.and', i64.and(long, 1n))],
    ['what comes back without bit 2', CONGRUENT, () => replaced(2n, 'i64.shr_u', i64.shl(i64.shr_u(long, 3n), 1n), 4)],
    ['r not clamped', 'r is not what it was', () => replaced(0x0fffffff, 'i32.and', word)],
    ['two bits of r kept', 'r is not what it was', () => replaced(0x0ffffffc, 'i32.and', i32.and(word, 0x0fffffff))],
    ['sums that may wrap', 'within 64 bits', () => replaced(32n, 'i64.shr_u', drop + i64.value(-1n), 1)],
    ['4 for 5 in the reduction', WRONG_REDUCTION, () => replaced(5n << 32n, undefined, i64.value(4n << 32n))],
    ['bit 131 in the reduction', WRONG_REDUCTION, () => replaced(2n, 'i64.shr_u', i64.shr_u(long, 3n), -1)],
    ['2 behind the last bytes', CONGRUENT, () => replaced(1, 'i32.store8', i32.store8(word, 0, 2))],
    ['a byte too much of padding', 'stray-write', () => replaced(15, 'local.get', i32.value(16) + '\x20\x00')],
    ['a byte too little of padding', 'over-read', () => replaced(15, 'local.get', i32.value(14) + '\x20\x00')],
    ['all blocks but the last', CONGRUENT, () => replaced(16, 'i32.add', i32.add(word, 0))],
  ])('%s', async (_, expected, claims) => {
    expect(await failure(claims())).toContain(expected);
  });
});

describe('broken, in doubles', () => {
  const without = (part: string, other: string): Claim[] => {
    expect(text.text.split(part).length).toBeGreaterThan(1);
    return few(poly1305TextClaims({ ...text, text: text.text.replace(part, other) }));
  };
  it.each<[what: string, expected: string, part: string, other: string]>([
    ['6 for 5 in the last carry', CONGRUENT, 'imul(x30 >> 20, 5)', 'imul(x30 >> 20, 6)'],
    ['a carry left out', CONGRUENT, 'x2 += x24', 'x2 += 0'],
    ['a carry taken away', CONGRUENT, 'x1 += x24', 'x1 -= x24'],
    ['a product with another limb', 'not shown to be exact', 'x18 += x5 * x13', 'x18 += x5 * x14'],
    ['4 for 5 where r wraps', CONGRUENT, 'x17 = x11 * 3.6734198463196485e-39', 'x17 = x11 * 2.938735877055719e-39'],
    ['two blocks between carries', 'not shown to be exact', 'x24 = (x1 + 2.1922524559963544e+48) -', 'x24 = x1 -'],
    ['another unit to round to', 'not shown to be exact', 'x3 + 3.8566513062215767e+61', 'x3 + 1.9283256531107883e+61'],
    ['r not clamped', 'r is not what it was', 'words[24] &= 268435455', 'words[24] &= 536870911'],
    ['a word of h stored wrong', 'last word of the accumulator may be', 'x30 >>> 18', 'x30 >>> 17'],
    ['4 for 5 in the reduction', WRONG_REDUCTION, 'x6 = 5;', 'x6 = 4;'],
    ['2 behind the last bytes', CONGRUENT, 'bytes[p0 + 192] = 1;', 'bytes[p0 + 192] = 2;'],
  ])('%s', async (_, expected, part, other) => {
    expect(await failure(without(part, other))).toContain(expected);
  });
});

describe('the last step', () => {
  it('is refuted by an example', async () => {
    const { s } = reductionInputs();
    await expect(requireReduction(s)).rejects.toThrow(/z3 says sat \(\(\|reduction h0\| #x/);
  });

  it('leaves no thread behind that would keep a process alive', () => {
    const reduction = join(import.meta.dirname, '../src/rooms/poly1305/reduction.ts');
    const script = `import { reductionInputs, requireReduction } from ${JSON.stringify(reduction)};
      requireReduction(reductionInputs().s).catch(({ name }) => console.log(name));`;
    const output = execFileSync(process.execPath, ['--input-type=module', '--eval', script], { timeout: 30_000 });
    expect(output.toString()).toBe('Failure\n');
  });
});
