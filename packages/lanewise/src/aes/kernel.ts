/**
 * AES-256 on bit slices: as many blocks as a slice has room for. The slices are in memory, and each step of a round is a
 * function on them: there is one S-box in a module, and every step can be examined on its own.
 */
import { BITS, BLOCK, mixColumns, ROUNDS, spread, substitute, unmixBits, type Slices } from './rounds.ts';
import { loop, sequence, set, tee, when } from '../wasm/control.ts';
import * as i32 from '../wasm/i32.ts';
import { Frame, type Callable, type Module } from '../wasm/module.ts';
import type { Expression, Local, Operand, Statement, ValueType } from '../wasm/types.ts';

/** Slices of a type: the instructions on them, and the arrangement of the blocks in them. */
export interface SliceCode<T extends ValueType> {
  readonly type: T;
  /** The bytes of a slice. */
  readonly bytes: number;
  /** Blocks that eight slices have room for. */
  readonly blocks: number;
  /** The preparation that must run before any of the other functions. */
  readonly prologue: Statement;
  xor(x: Expression<T>, y: Expression<T>): Expression<T>;
  and(x: Expression<T>, y: Expression<T>): Expression<T>;
  shl(x: Expression<T>, count: number): Expression<T>;
  shr(x: Expression<T>, count: number): Expression<T>;
  /** A byte in all bytes. */
  splat(byte: number): Expression<T>;
  load(address: Operand<'i32'>, offset: number): Expression<T>;
  store(address: Operand<'i32'>, offset: number, x: Expression<T>): Statement;
  /** The offset of the part of the blocks that goes to slice i before bits change places … */
  blockOffset(i: number): number;
  /**
   * Slice i of the round key at an address, the same for all blocks; or the value that becomes this slice when bits
   * change places.
   */
  keySlice(address: Operand<'i32'>, i: number): Expression<T>;
  readonly keysChangePlaces: boolean;
  rotateRows(x: Local<T>, count: number): Expression<T>;
  shiftRows(x: Expression<T>): Expression<T>;
  unshiftRows(x: Expression<T>): Expression<T>;
}

/** The addresses of AES in memory. */
export interface Places {
  /** The 15 round keys, with the constant of the S-box. */
  readonly round: number;
  /** The round keys as they are added, eight slices each. */
  readonly sliced: number;
  /** Eight slices: the state of the computation. */
  readonly slices: number;
}

type Step = Callable<[], undefined>;
type Program = <V>(slices: Slices<V>, x: readonly V[]) => V[];

/** A program's steps, each with a variable of its own, and the variables of its results. */
function straight<T extends ValueType>(frame: Frame, code: SliceCode<T>, program: Program, x: readonly Local<T>[]) {
  const steps: Statement[] = [];
  const become = (value: Expression<T>): Local<T> => {
    const to = frame.local(code.type);
    steps.push(set(to, value as Expression<NoInfer<T>>));
    return to;
  };
  const slices: Slices<Local<T>> = {
    xor: (a, b) => become(code.xor(a, b)),
    and: (a, b) => become(code.and(a, b)),
    rotateRows: (a, count) => become(code.rotateRows(a, count)),
  };
  return { results: program(slices, x), steps };
}

/** The steps by which bit i of a byte of value j changes places with bit j of the same byte of value i. */
function exchanged<T extends ValueType>(code: SliceCode<T>, x: readonly Local<T>[], t: Local<T>): Statement[] {
  type Same = Expression<NoInfer<T>>;
  return (
    [
      [1, 0x55],
      [2, 0x33],
      [4, 0x0f],
    ] as const
  ).flatMap(([n, mask]) =>
    x.flatMap((a, i) => {
      if (i & n) return [];
      const b = x[i + n];
      return [
        set(t, code.and(code.xor(code.shr(a, n), b), code.splat(mask)) as Same),
        set(b, code.xor(b, t) as Same),
        set(a, code.xor(a, code.shl(t, n)) as Same),
      ];
    }),
  );
}

/** (address): blocks in place, with the sliced keys. */
export type Blocks = Callable<['i32'], undefined>;

export interface Aes {
  /** Slices the round keys. */
  readonly sliceKeys: Step;
  /** The cipher, §5.1, and its inverse, §5.3. */
  readonly encrypt: Blocks;
  readonly decrypt: Blocks;
  /** The S-box without its constant, on the slices; and the length of a slice. */
  readonly substitute: Step;
  readonly sliceBytes: number;
  /** The number of blocks that are processed at once. */
  readonly blocks: number;
}

export function defineAes<T extends ValueType>(
  module: Module,
  { round, sliced, slices }: Places,
  codeOf: (frame: Frame) => SliceCode<T>,
): Aes {
  type Same = Expression<NoInfer<T>>;
  const { bytes: sliceBytes, blocks } = codeOf(new Frame(0));
  /** A function on the slices in memory. */
  const onSlices = (body: (frame: Frame, code: SliceCode<T>, x: Local<T>[]) => Statement[], name?: string): Step =>
    module.define(name, [], undefined, (frame) => {
      const code = codeOf(frame);
      const x = frame.locals(code.type, BITS);
      return [
        code.prologue,
        ...x.map((slice, i) => set(slice, code.load(0, slices + code.bytes * i) as Same)),
        ...body(frame, code, x),
        ...x.map((slice, i) => code.store(0, slices + code.bytes * i, slice)),
      ];
    });
  const step = (program: Program, name?: string): Step =>
    onSlices((frame, code, x) => {
      const { results, steps } = straight(frame, code, program, x);
      return [...steps, ...results.map((result, i) => set(x[i], result as Same))];
    }, name);

  const exchange = onSlices((frame, code, x) => exchanged(code, x, frame.local(code.type)));
  const box = step(substitute, 'substitute');
  const unmix = step(unmixBits);
  const mix = step(mixColumns);
  const spreadColumns = step(spread);
  const shift = onSlices((_, code, x) => x.map((slice) => set(slice, code.shiftRows(slice) as Same)));
  const unshift = onSlices((_, code, x) => x.map((slice) => set(slice, code.unshiftRows(slice) as Same)));
  /** (keys): adds the key of one round, at an offset from the first sliced key. */
  const addKey = module.define(undefined, ['i32'], undefined, (frame, keys) => {
    const code = codeOf(frame);
    return Array.from({ length: BITS }, (_, i) => {
      const at = slices + code.bytes * i;
      return code.store(0, at, code.xor(code.load(0, at), code.load(keys, sliced + code.bytes * i)));
    });
  });

  const sliceKeys = module.define('sliceKeys', [], undefined, (frame) => {
    const code = codeOf(frame);
    const from = frame.local('i32');
    const to = frame.local('i32');
    const all = Array.from({ length: BITS }, (_, i) => i);
    return [
      set(from, i32.value(round)),
      set(to, i32.value(sliced)),
      loop(
        sequence(
          ...(code.keysChangePlaces
            ? [
                ...all.map((i) => code.store(0, slices + code.bytes * i, code.keySlice(from, i))),
                exchange(),
                ...all.map((i) => code.store(to, code.bytes * i, code.load(0, slices + code.bytes * i))),
              ]
            : all.map((i) => code.store(to, code.bytes * i, code.keySlice(from, i)))),
          set(to, i32.add(to, BITS * code.bytes)),
        ),
        i32.le_u(tee(from, i32.add(from, BLOCK)), round + ROUNDS * BLOCK),
      ),
    ];
  });

  const define = (back: boolean): Blocks =>
    module.define(back ? 'decryptBlocks' : 'encryptBlocks', ['i32'], undefined, (frame, address) => {
      const code = codeOf(frame);
      const keys = frame.local('i32');
      const roundBytes = BITS * code.bytes;
      const [first, last] = back ? [ROUNDS * roundBytes, 0] : [0, ROUNDS * roundBytes];
      const next = i32.add(keys, back ? -roundBytes : roundBytes);
      const all = Array.from({ length: BITS }, (_, i) => i);
      const unlessLast = (...steps: readonly Statement[]): Statement => when(i32.ne(keys, last), sequence(...steps));
      return [
        ...all.map((i) => code.store(0, slices + code.bytes * i, code.load(address, code.blockOffset(i)))),
        exchange(),
        addKey(first),
        set(keys, i32.value(first)),
        loop(
          sequence(
            set(keys, next),
            ...(back
              ? [unmix(), box(), unmix(), unshift(), addKey(keys), unlessLast(spreadColumns(), mix())]
              : [box(), shift(), unlessLast(mix()), addKey(keys)]),
          ),
          i32.ne(keys, last),
        ),
        exchange(),
        ...all.map((i) => code.store(address, code.blockOffset(i), code.load(0, slices + code.bytes * i))),
      ];
    });
  return { sliceKeys, encrypt: define(false), decrypt: define(true), substitute: box, sliceBytes, blocks };
}
