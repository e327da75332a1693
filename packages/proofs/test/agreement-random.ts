/**
 * Random programs of the instructions that the assembler can emit: expressions over locals and memory, loops and calls.
 */
import * as control from '../../lanewise/src/wasm/control.ts';
import * as i32 from '../../lanewise/src/wasm/i32.ts';
import * as i64 from '../../lanewise/src/wasm/i64.ts';
import { Module, type Frame } from '../../lanewise/src/wasm/module.ts';
import type { Expression, Local, Statement } from '../../lanewise/src/wasm/types.ts';
import * as v128 from '../../lanewise/src/wasm/v128.ts';
import { input, INPUT, output, OUTPUT, SHUFFLES, type Program } from './agreement-opcodes.ts';
import { randomValue } from './terms-random.ts';

type Random = (limit: number) => number;
type Type = 'i32' | 'i64' | 'v128';
const TYPES = ['i32', 'i32', 'i64', 'v128'] as const;

const pick = <T>(random: Random, list: readonly T[]): T => list[random(list.length)];

const words = [i32.add, i32.sub, i32.mul, i32.and, i32.or, i32.xor, i32.shl, i32.shr_u, i32.shr_s, i32.rotl, i32.rotr];
const wordComparisons = [i32.eq, i32.ne, i32.lt_u, i32.gt_u, i32.le_u, i32.ge_u];
const longs = [i64.add, i64.sub, i64.mul, i64.and, i64.or, i64.xor, i64.shl, i64.shr_u, i64.rotl, i64.rotr];
const longComparisons = [i64.eq, i64.ne, i64.lt_u];
const vectors = [
  v128.and,
  v128.andnot,
  v128.or,
  v128.xor,
  v128.xor,
  v128.i32x4_add,
  v128.i32x4_add,
  v128.i32x4_sub,
  v128.i32x4_mul,
  v128.i32x4_lt_u,
  v128.i64x2_add,
  v128.i64x2_sub,
  v128.i64x2_extmul_low_i32x4_u,
  v128.i64x2_extmul_high_i32x4_u,
];
const vectorShifts = [v128.i32x4_shl, v128.i32x4_shr_u, v128.i64x2_shl, v128.i64x2_shr_u];

class Expressions {
  readonly #random: Random;
  readonly #locals: Readonly<{ [T in Type]: readonly Local<T>[] }>;

  constructor(random: Random, locals: Readonly<{ [T in Type]: readonly Local<T>[] }>) {
    this.#random = random;
    this.#locals = locals;
  }

  of(type: Type, depth: number): string {
    return type === 'i32' ? this.word(depth) : type === 'i64' ? this.long(depth) : this.vector(depth);
  }

  word(depth: number): Expression<'i32'> {
    const random = this.#random;
    if (depth === 0) {
      const leaf = random(4);
      if (leaf === 0) return i32.value(Number(BigInt.asIntN(32, randomValue(random, 32))));
      return leaf === 1 ? input('i32', random(5)) : pick(random, this.#locals.i32);
    }
    const [x, y] = [this.word(depth - 1), this.word(random(depth))];
    switch (random(12)) {
      case 0:
        return pick(random, wordComparisons)(x, y);
      case 1:
        return i32.eqz(x);
      case 2:
        return i64.wrap_i64(this.long(depth - 1));
      case 3:
        return v128.i32x4_extract_lane(this.vector(depth - 1), random(4));
      case 4:
        return pick(random, longComparisons)(this.long(depth - 1), this.long(random(depth)));
      case 5:
        return i32.load8_u(0, INPUT + random(80));
      case 6:
        return pick(random, [i32.shl, i32.shr_u, i32.shr_s, i32.rotl])(x, random(2) ? 8 * random(5) : random(40));
      case 7: {
        const [n, local] = [1 + random(31), pick(random, this.#locals.i32)];
        return pick(random, [i32.or, i32.xor, i32.add])(i32.shl(local, n), i32.shr_u(local, 32 - n));
      }
      default:
        return pick(random, words)(x, random(4) ? y : Number(BigInt.asIntN(32, randomValue(random, 32))));
    }
  }

  long(depth: number): Expression<'i64'> {
    const random = this.#random;
    if (depth === 0) {
      const leaf = random(4);
      if (leaf === 0) return i64.value(randomValue(random, 64));
      return leaf === 1 ? input('i64', random(5)) : pick(random, this.#locals.i64);
    }
    const [x, y] = [this.long(depth - 1), this.long(random(depth))];
    switch (random(7)) {
      case 0:
        return i64.extend_i32_u(this.word(depth - 1));
      case 1:
        return v128.i64x2_extract_lane(this.vector(depth - 1), random(2));
      case 2:
        return i64.load32_u(0, INPUT + random(80));
      case 3:
        return pick(random, [i64.shl, i64.shr_u, i64.rotl])(x, BigInt(random(2) ? 8 * random(9) : random(70)));
      default:
        return pick(random, longs)(x, random(4) ? y : randomValue(random, 64));
    }
  }

  vector(depth: number): Expression<'v128'> {
    const random = this.#random;
    if (depth === 0) {
      const leaf = random(4);
      const lane = (): number => Number(randomValue(random, 32));
      if (leaf === 0) return v128.i32x4(lane(), lane(), lane(), lane());
      return leaf === 1 ? input('v128', random(5)) : pick(random, this.#locals.v128);
    }
    const [x, y] = [this.vector(depth - 1), this.vector(random(depth))];
    const indexes = random(2) ? pick(random, SHUFFLES) : Array.from({ length: 16 }, () => random(32));
    switch (random(11)) {
      case 0:
        return v128.i32x4_splat(this.word(depth - 1));
      case 1:
        return v128.i64x2_splat(this.long(depth - 1));
      case 2:
        return (x + y + '\xfd\x0d' + String.fromCharCode(...indexes)) as Expression<'v128'>;
      case 3:
        return v128.i8x16_swizzle(x, v128.i8x16(...indexes));
      case 4:
        return v128.i8x16_relaxed_swizzle(x, v128.i8x16(...indexes.map((n) => n & 15)));
      case 5:
        return pick(random, vectorShifts)(x, random(5) ? random(70) : this.word(0));
      case 6:
        return pick(random, [v128.load32_splat, v128.load64_splat])(0, INPUT + random(70));
      default:
        return pick(random, vectors)(x, y);
    }
  }
}

function statement(
  random: Random,
  frame: Frame,
  expressions: Expressions,
  locals: readonly Local<Type>[],
  types: readonly Type[],
  nested: number,
): Statement {
  const again = (): Statement => statement(random, frame, expressions, locals, types, nested - 1);
  switch (random(nested > 0 ? 8 : 6)) {
    case 0: {
      const type = pick(random, TYPES);
      return output(type, OUTPUT + random(60), expressions.of(type, 1 + random(3)));
    }
    case 1:
      return control.copy(OUTPUT + random(60), random(2) ? OUTPUT + random(60) : INPUT + random(60), random(30));
    case 2:
      return control.fill(OUTPUT + random(60), expressions.word(1), random(20));
    case 6: {
      const left = frame.local('i32');
      const body = control.sequence(again(), again());
      return control.sequence(
        control.set(left, i32.value(1 + random(3))),
        control.loop(body, control.tee(left, i32.sub(left, 1))),
      );
    }
    case 7:
      return control.when(random(2), again(), random(2) ? again() : undefined);
    default: {
      const i = random(locals.length);
      return control.set(locals[i], expressions.of(types[i], 1 + random(4)) as Expression<Type>);
    }
  }
}

/** A program of a few statements, which leaves its locals in memory at the end. */
export function randomProgram(random: Random, name: string): Program {
  const module = new Module(1);
  const helper = module.define(undefined, ['i32', 'i64'], 'i32', (_, a, b) => {
    const inner = new Expressions(random, {
      i32: [a],
      i64: [b],
      v128: [v128.i32x4_splat(a) as string as Local<'v128'>],
    });
    return [inner.word(3)];
  });
  module.define('run', [], undefined, (frame) => {
    const all = { i32: frame.locals('i32', 3), i64: frame.locals('i64', 2), v128: frame.locals('v128', 3) };
    const expressions = new Expressions(random, all);
    const locals: Local<Type>[] = [...all.i32, ...all.i64, ...all.v128];
    const types = (['i32', 'i64', 'v128'] as const).flatMap((type) => all[type].map(() => type));
    const steps = Array.from({ length: 4 + random(8) }, () => statement(random, frame, expressions, locals, types, 2));
    const called = control.set(all.i32[0], helper(expressions.word(2), expressions.long(2)));
    return [...steps, called, ...locals.map((local, i) => output(types[i], OUTPUT + 100 + 16 * i, local))];
  });
  return { name, bytes: module.bytes() };
}
