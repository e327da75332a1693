/**
 * The loops of Poly1305 by itself, and interleaved with a keystream, by induction as in induction.ts. An iteration starts with any
 * limbs of the accumulator within their intervals; its limbs lie in the same intervals, and are congruent to what RFC 8439 §2.5
 * computes of those and the blocks; and so is what is stored when the loop ends.
 */
import * as map from '../../../../lanewise/src/keystream/map.ts';
import { counted } from '../../claims/amounts.ts';
import { require, type Claim } from '../../claims/claim.ts';
import { expectBytes, expectNoEvents, range, secrets } from '../../claims/compare.ts';
import type { Runnable } from '../../claims/runnable.ts';
import { baseTerm, type Base } from '../../execute/bases.ts';
import { Machine, type Cut } from '../../execute/machine.ts';
import type { Value } from '../../execute/run.ts';
import { Vector } from '../../execute/vector.ts';
import type { Kernel } from '../../kernels.ts';
import { requireAccumulated } from '../../polynomials/congruence.ts';
import { Integer, IntegerDomain } from '../../polynomials/integers.ts';
import type { Sum } from '../../polynomials/ring.ts';
import { bytesOf } from '../../specifications/algebra.ts';
import { symbols } from '../../specifications/terms.ts';
import { add, and, numberOf, shl, sub, variable, type Term } from '../../terms/term.ts';
import { requireCarry } from '../disk/sums.ts';
import { blockNumbers, clamped, numberOf as numberOfWords, requireSmallTop } from '../poly1305/tag.ts';
import { decoded } from './at-every-length.ts';
import type { Leaves } from './every-length.ts';
import {
  anyState,
  expectBlocks,
  homeOf,
  keystreamInduction,
  localWith,
  NOTHING,
  outerLoop,
  sameVector,
  unknown,
  withoutValues,
  word,
  type InductionSetting,
} from './induction.ts';

const { SETS, STAGE, STATE } = map;
const BLOCK = map.BLOCK_BYTES;

const H_WORDS = 5;
const R_AT = 32;
const S_AT = 48;
const MAC_BLOCK = 16;
/** Limbs of the accumulator in an iteration: less than 2^33, and less than 2^3 for the last one. */
const LIMB_HIGH = 1;
const TOP = 7;

const secretWords = (name: string, count: number): Term[] =>
  Array.from({ length: count }, (_, i) => variable(32, `${name}[${i}]`, true));

interface Accumulating {
  readonly domain: IntegerDomain;
  readonly h: readonly Term[];
  readonly r: readonly Term[];
  readonly s: readonly Term[];
  /** Makes limbs of any state in which an iteration may start; remembers which locals they are. */
  enter(locals: Value<Integer>[], changed: readonly number[], keep: readonly number[]): void;
  /** The limbs as one number, at the start of the iteration, … */
  readonly start: () => Sum;
  /** … and at its end, where they have to lie where they lay at the start. */
  end(locals: readonly Value<Integer>[]): Sum;
}

const numberOfLimbs = (domain: IntegerDomain, limbs: readonly Integer[]): Sum =>
  limbs.reduce(
    (sum, limb, i) => sum.plus(limb.polynomial.scaled(1n << BigInt(32 * i))),
    domain.ring.constant(0n).polynomial,
  );

/** An accumulator in locals, in a loop. */
export function accumulating(domain: IntegerDomain): Accumulating {
  const h = secretWords('h', H_WORDS).map((term, i) => (i === 4 ? and(term, word(TOP)) : term));
  const [r, s] = [clamped(secretWords('r', 4)), secretWords('s', 4)];
  const limbs = secretWords('limb', H_WORDS);
  const high = secretWords('limb above', H_WORDS - 1);
  const any = limbs.map((term, i) =>
    i === 4 ? domain.extend_i32_u(and(term, word(TOP))) : domain.fromWords(term, and(high[i], word(LIMB_HIGH))),
  );
  let places: number[] = [];
  return {
    domain,
    h,
    r,
    s,
    enter(locals, changed, keep) {
      const isLoaded = (value: unknown, term: Term): boolean =>
        value instanceof Integer && value.origin.op === 'extend_i32_u' && value.origin.word === term;
      places = h.map((term) => localWith(locals, changed, (value) => isLoaded(value, term), 'a limb'));
      for (const local of changed) if (!keep.includes(local)) locals[local] = NOTHING;
      places.forEach((local, i) => {
        locals[local] = any[i];
      });
    },
    start: () => numberOfLimbs(domain, any),
    end(locals) {
      const after = places.map((local) => locals[local] as Integer);
      after.forEach(({ interval }, i) => {
        const most = i === 4 ? BigInt(TOP) : (BigInt(LIMB_HIGH) << 32n) + 0xffffffffn;
        require(interval.low >= 0n && interval.high <= most, () => `limb ${i} may be ${interval.high}`);
      });
      return numberOfLimbs(domain, after);
    },
  };
}

/** One block, from any limbs in the intervals, at any address, of any number that are left, and with any bit 128. */
export function absorbInduction(kernel: Kernel, index: number, state: number, top: 0 | 1): void {
  withoutValues(() => {
    const what = `a block of the MAC, with bit 128 ${top}`;
    const module = decoded(kernel);
    const domain = new IntegerDomain();
    const { ring } = domain;
    const accumulator = accumulating(domain);
    const { h, r, s } = accumulator;
    const base: Base = { name: 'data', home: 4096, length: MAC_BLOCK };
    const [address, left] = [baseTerm(base), unknown('blocks')];
    const message = secrets('message', MAC_BLOCK);
    const [block] = blockNumbers(ring, message);
    const number = top ? block : block.minus(ring.constant(1n << 128n).polynomial);
    const check = (sum: Sum): void =>
      requireAccumulated(ring, sum, numberOfWords(ring, r), [number], accumulator.start());
    let entered = false;
    const cut: Cut<Integer> = {
      at: outerLoop(module, index),
      enter(locals, changed) {
        entered = true;
        require(locals[0] === address && locals[1] === left, () => `${what}: the loop starts with other parameters`);
        accumulator.enter(locals, changed, [0, 1]);
      },
      again(condition, locals) {
        const rest = sub(left, word(1));
        const next =
          locals[0] === add(address, word(MAC_BLOCK)) && locals[1] === rest && numberOf(locals[2] as Term) === top;
        require(condition === rest && next, () => `${what}: the next block is another one`);
        check(accumulator.end(locals));
        return false;
      },
    };
    const own = range(state, 4 * H_WORDS);
    const run = new Machine<Integer>(module, {
      integers64: domain,
      ranges: { reads: [], writes: [own] },
      bases: [base],
      cut,
      // The loop is not reached with no block.
      assume: new Map([[left, 1]]),
    });
    run.write(state, h);
    run.write(state + R_AT, r);
    run.write(state + S_AT, s);
    run.write(base.home, message);
    run.callFunction(module.functions[index], address, left, top);
    require(entered, () => `${what}: the loop is not reached`);
    expectNoEvents(run as Runnable, what);
    const after = run.readWords(state, H_WORDS);
    requireSmallTop(ring, after);
    check(numberOfWords(ring, after));
    counted('iterations', 1);
  });
}

const WOVEN_BLOCKS = 8;
const WOVEN_BYTES = BLOCK * WOVEN_BLOCKS;
/** A call has fewer than 2^12 groups. */
const MOST_GROUPS = 2 ** 12 - 1;

/**
 * A group of the interleaved loop, from any state, of any number that are left. The MAC takes bytes that lie apart from
 * those that are encrypted, or the same ones before they are decrypted. The state is advanced before the loop, so blocks have the
 * high word that the counter has after the call: an AEAD's counter starts at 0 and never carries, because 2^32 blocks are refused.
 */
export function wovenInduction(setting: InductionSetting, index: number, same: boolean): void {
  withoutValues(() => {
    const what = `a group of blocks with its MAC, ${same ? 'decrypted' : 'encrypted'}`;
    const { module, cipher } = setting;
    const domain = new IntegerDomain();
    const { ring } = domain;
    const accumulator = accumulating(domain);
    const { h, r, s } = accumulator;
    const base = homeOf(WOVEN_BLOCKS);
    const other = homeOf(WOVEN_BLOCKS, 'mac', STAGE + 8192);
    const macBase = same ? base : other;
    const [address, macAddress, groups, done] = [
      baseTerm(base),
      baseTerm(macBase),
      and(unknown('groups'), word(MOST_GROUPS)),
      unknown('done'),
    ];
    const [data, hashed] = [secrets('data', WOVEN_BYTES), secrets('hashed', WOVEN_BYTES)];
    const numbers = blockNumbers(ring, same ? data : hashed);
    const check = (sum: Sum): void =>
      requireAccumulated(ring, sum, numberOfWords(ring, r), numbers, accumulator.start());
    let low = -1;
    const state = anyState(cipher);
    const countersFrom = (first: Term): Term[] => [0, 1, 2, 3].map((lane) => add(state.low, add(first, word(lane))));
    const cut: Cut<Integer> = {
      at: outerLoop(module, index),
      enter(locals, changed) {
        const starts = locals[0] === address && locals[1] === groups && locals[2] === macAddress;
        require(starts, () => `${what}: the loop starts with other parameters`);
        low = localWith(locals, changed, (value) => sameVector(value, countersFrom(word(0))), 'the counters');
        accumulator.enter(locals, changed, [0, 1, 2]);
        locals[low] = new Vector(countersFrom(done));
      },
      again(condition, locals) {
        const rest = sub(groups, word(1));
        const next =
          locals[0] === add(address, word(WOVEN_BYTES)) &&
          locals[1] === rest &&
          locals[2] === add(macAddress, word(WOVEN_BYTES)) &&
          sameVector(locals[low], countersFrom(add(done, word(WOVEN_BLOCKS))));
        require(condition === rest && next, () => `${what}: the next group is another one`);
        check(accumulator.end(locals));
        return false;
      },
    };
    const [home, macHome] = [range(base.home, WOVEN_BYTES), range(macBase.home, WOVEN_BYTES)];
    const run = new Machine<Integer>(module, {
      integers64: domain,
      ranges: {
        reads: [range(STATE, 64), home, macHome],
        writes: [range(STATE, 64), range(SETS, 512), range(map.POLY, 4 * H_WORDS), home],
      },
      bases: same ? [base] : [base, other],
      cut,
    });
    run.write(STATE, state.words);
    run.write(map.POLY, h);
    run.write(map.POLY + R_AT, r);
    run.write(map.POLY + S_AT, s);
    run.write(base.home, data);
    if (!same) run.write(other.home, hashed);
    run.callFunction(module.functions[index], address, groups, macAddress);
    const next = state.next(shl(groups, word(3)));
    const keystream = Array.from({ length: WOVEN_BLOCKS }, (_, i) =>
      cipher.block(state.after(add(done, word(i)), next[cipher.counter + 1]), 20),
    );
    expectBlocks(run as Runnable, base.home, data, keystream.flat(), what);
    const after = run.readWords(map.POLY, H_WORDS);
    requireSmallTop(ring, after);
    check(numberOfWords(ring, after));
    expectBytes(run as Runnable, STATE, bytesOf(symbols, next), `${what}: state`);
  });
}

interface SealingInduction extends InductionSetting {
  readonly leaves: Leaves;
}

/** The claims about the loops of a kernel. */
export function inductionClaims(kernel: Kernel, settingOf: () => SealingInduction): Claim[] {
  const claim = (text: string, prove: (setting: SealingInduction) => void | Promise<void>): Claim => ({
    kernel: kernel.name,
    claim: `induction: ${text}`,
    prove: () => prove(settingOf()),
  });
  const isLong = kernel.form !== 'scalar' && !kernel.short;
  return [
    claim('keystream, any number of blocks at any address', keystreamInduction),
    claim('Poly1305, any number of blocks at any address', ({ leaves }) => {
      for (const top of [0, 1] as const) absorbInduction(kernel, leaves.absorb, map.POLY, top);
    }),
    ...(isLong
      ? [
          claim('keystream and Poly1305 interleaved, any number of groups at any address', async (setting) => {
            await requireCarry();
            for (const same of [false, true]) wovenInduction(setting, setting.leaves.woven!, same);
          }),
        ]
      : []),
  ];
}
