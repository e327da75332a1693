/**
 * The module that unpacks the texts of the other modules; it is published as hexadecimal text itself. Cold JavaScript would
 * take as long for that as for all the rest of a first message.
 *
 * A packed text holds the instructions of a module in streams, because gzip compresses these much better than the bytes: the
 * instructions without their operands, then the locals, the offsets of memory accesses, the constants, and all other bytes, each
 * stream with a space after it. Locals and offsets are differences: to the last local, and to the last offset of the
 * same instruction in units of four bytes.
 *
 * There are two halves of five streams. The instruction after the last one in the table is followed by two numbers of statements,
 * one for each half, which are merged as words/weave.ts merges them.
 */
import { copy, loop, sequence, set, tee, when } from '../wasm/control.ts';
import * as i32 from '../wasm/i32.ts';
import { Module } from '../wasm/module.ts';
import type { Local, Operand, Statement } from '../wasm/types.ts';

/** The first character that stands for an instruction or a digit. */
export const FIRST = 35;
/** The characters from this one up are digits that more digits follow; those before it are last digits. */
export const CONTINUED = 93;
/** How many digits there are of either kind. */
export const LAST_DIGITS = CONTINUED - 1 - FIRST;
export const DIGITS = 127 - CONTINUED;

/**
 * The bytes of instructions, each at most three long. The place of an instruction in the complete table is its
 * character, from FIRST up.
 */
export interface Instructions {
  /** The end of a function and `local.set`, which end a statement as stores do. */
  readonly ends: readonly [end: string, set: string];
  readonly stores: readonly string[];
  readonly loads: readonly string[];
  /** `local.get`, `local.tee`, and a second `local.set` that ends no statement. */
  readonly locals: readonly string[];
  readonly constants: readonly string[];
  /** Their operand is one number in LEB128. */
  readonly numbered: readonly string[];
  /** Their operand is sixteen bytes. */
  readonly vectors: readonly string[];
  readonly others: readonly string[];
}

/** The whole table. */
export const tableOf = ({
  ends,
  stores,
  loads,
  locals,
  constants,
  numbered,
  vectors,
  others,
}: Instructions): string[] => [
  ...ends,
  ...stores,
  ...loads,
  ...locals,
  ...constants,
  ...numbered,
  ...vectors,
  ...others,
];

/** The first bytes of all instructions, then the second ones, the third ones, and the numbers of bytes. */
const TABLE = 0;
const MOST_BYTES = 3;
const COLUMN = 96;

const ONE = 512;
/** In a half of the streams, the addresses of their next characters. */
const [CODE, LOCALS, OFFSETS, CONSTANTS, OTHERS] = [0, 4, 8, 12, 16];
const HALF_BYTES = 20;
const OTHER = ONE + HALF_BYTES;
/** The last local of a half, and after it, in turns with the other half, the last offset of each instruction. */
const LOCAL = 2 * HALF_BYTES;
const OFFSET = 64;
const OFFSET_SHIFT = 5;

/** Where the text is, and where the module is made. */
export const TEXT = 2048;
export const MODULE = 0x8000;
const PAGES = 1;
/** A body is made after the longest size. */
const SIZE_BYTES = 5;
const SPACE = 32;

export function unpackerModule(instructions: Instructions): Module {
  const { ends, stores, loads, locals, constants, numbered, vectors } = instructions;
  const table = tableOf(instructions);
  const loadsFrom = ends.length + stores.length;
  const localsFrom = loadsFrom + loads.length;
  const constantsFrom = localsFrom + locals.length;
  const numberedFrom = constantsFrom + constants.length;
  const vectorsFrom = numberedFrom + numbered.length;
  const othersFrom = vectorsFrom + vectors.length;

  const module = new Module(PAGES);
  const move = (address: Local<'i32'>, by: Operand<'i32'>): Statement => set(address, i32.add(address, by));
  /** Whether an instruction is one of those from `from` up to, and without, `to`. */
  const isIn = (instruction: Local<'i32'>, from: number, to: number) => i32.lt_u(i32.sub(instruction, from), to - from);

  /** The sign of a number is its lowest bit. */
  const number = module.define(undefined, ['i32'], 'i32', (frame, stream) => {
    const [at, digit, n] = frame.locals('i32', 3);
    const append = (digits: number, first: number): Statement =>
      set(n, i32.add(i32.mul(n, digits), i32.sub(digit, first)));
    return [
      set(at, i32.load(stream)),
      loop(
        sequence(
          set(digit, i32.load8_u(at)),
          move(at, 1),
          when(i32.ge_u(digit, CONTINUED), append(DIGITS, CONTINUED), append(LAST_DIGITS, FIRST)),
        ),
        i32.ge_u(digit, CONTINUED),
      ),
      i32.store(stream, 0, at),
      i32.xor(i32.shr_u(n, 1), i32.sub(0, i32.and(n, 1))),
    ];
  });
  /** Writes unsigned LEB128, and gives back the address after it. */
  const unsigned = module.define(undefined, ['i32', 'i32'], 'i32', (frame, to, n) => {
    const rest = frame.local('i32');
    return [
      loop(
        sequence(set(rest, i32.shr_u(n, 7)), i32.store8(to, 0, i32.or(n, i32.shl(i32.ne(rest, 0), 7))), move(to, 1)),
        tee(n, rest),
      ),
      to,
    ];
  });
  /** Writes `count` bytes, or if that is 0, those of one number in LEB128; gives back the address after them. */
  const bytes = module.define(undefined, ['i32', 'i32', 'i32'], 'i32', (frame, to, stream, count) => {
    const byte = frame.local('i32');
    return [
      loop(
        sequence(i32.store8(to, 0, tee(byte, number(stream))), move(to, 1), set(count, i32.sub(count, 1))),
        // In LEB128 `count` is negative by now, and so are the bytes that more bytes follow.
        i32.or(i32.lt_u(i32.sub(count, 1), MODULE), i32.shr_u(i32.and(byte, count), 31)),
      ),
      to,
    ];
  });

  /** Writes the sum of the number at `last` and of the next difference, and gives back the address after it. */
  const sum = module.define(undefined, ['i32', 'i32', 'i32', 'i32'], 'i32', (_, to, last, stream, shift) => [
    i32.store(last, 0, i32.add(i32.load(last), i32.shl(number(stream), shift))),
    unsigned(to, i32.load(last)),
  ]);

  /** Writes the instructions of a half up to the end of a statement or of a function, or until the halves are merged. */
  const statement = module.define(undefined, ['i32', 'i32'], 'i32', (frame, half, to) => {
    const [at, instruction] = frame.locals('i32', 2);
    const offsets = i32.add(half, OFFSET);
    return [
      set(at, i32.load(half, CODE)),
      loop(
        sequence(
          set(instruction, i32.sub(i32.load8_u(at), FIRST)),
          move(at, 1),
          ...[0, 1, 2].map((i) => i32.store8(to, i, i32.load8_u(instruction, TABLE + COLUMN * i))),
          move(to, i32.load8_u(instruction, TABLE + COLUMN * MOST_BYTES)),
          when(
            isIn(instruction, ends.length, localsFrom),
            set(to, sum(to, i32.add(offsets, i32.shl(instruction, OFFSET_SHIFT)), i32.add(half, OFFSETS), 2)),
            when(
              isIn(instruction, 1, constantsFrom),
              set(to, sum(to, i32.add(half, LOCAL), i32.add(half, LOCALS), 0)),
              when(
                isIn(instruction, constantsFrom, numberedFrom),
                set(to, bytes(to, i32.add(half, CONSTANTS), 0)),
                when(
                  isIn(instruction, numberedFrom, othersFrom),
                  set(to, bytes(to, i32.add(half, OTHERS), i32.shl(i32.ge_u(instruction, vectorsFrom), 4))),
                ),
              ),
            ),
          ),
        ),
        isIn(instruction, loadsFrom, table.length),
      ),
      i32.store(half, CODE, at),
      to,
    ];
  });

  /** Makes the module of a text, and gives back its length. */
  module.define('unpack', [], 'i32', (frame) => {
    const [at, to, bodies, from, one, other, ones, others] = frame.locals('i32', 8);
    const next = number(ONE + OTHERS);
    const last = i32.load8_u(i32.sub(i32.load(ONE + CODE), 1));
    return [
      set(at, i32.value(TEXT)),
      set(to, i32.value(ONE)),
      loop(
        sequence(i32.store(to, 0, at), loop(move(at, 1), i32.ne(i32.load8_u(i32.sub(at, 1)), SPACE)), move(to, 4)),
        i32.ne(to, ONE + 2 * HALF_BYTES),
      ),
      // All that is before the first body.
      set(to, bytes(MODULE, ONE + OTHERS, next)),
      set(bodies, next),
      loop(
        sequence(
          set(from, to),
          // How many declarations of locals follow; these are in the table.
          set(to, bytes(i32.add(to, SIZE_BYTES), ONE + OTHERS, 0)),
          loop(
            sequence(
              set(to, statement(ONE, to)),
              when(
                i32.eq(last, FIRST + table.length),
                sequence(
                  set(one, i32.value(0)),
                  set(other, i32.value(0)),
                  set(ones, next),
                  set(others, next),
                  loop(
                    when(
                      i32.lt_u(i32.mul(other, ones), i32.mul(one, others)),
                      sequence(set(to, statement(OTHER, to)), move(other, 1)),
                      sequence(set(to, statement(ONE, to)), move(one, 1)),
                    ),
                    i32.ne(i32.add(one, other), i32.add(ones, others)),
                  ),
                ),
              ),
            ),
            i32.ne(last, FIRST),
          ),
          set(one, i32.sub(i32.sub(to, from), SIZE_BYTES)),
          set(to, unsigned(from, one)),
          copy(to, i32.add(from, SIZE_BYTES), one),
          move(to, one),
        ),
        tee(bodies, i32.sub(bodies, 1)),
      ),
      // All that is after the last one.
      set(one, next),
      when(one, set(to, bytes(to, ONE + OTHERS, one))),
      i32.sub(to, MODULE),
    ];
  });

  const column = (of: (code: string) => number): number[] =>
    Array.from({ length: COLUMN }, (_, i) => of(table[i] ?? ''));
  const columns = [0, 1, 2].map((i) => column((code) => code.charCodeAt(i) || 0));
  module.data(
    TABLE,
    [...columns.flat(), ...column(({ length }) => length)].slice(0, COLUMN * MOST_BYTES + table.length),
  );
  return module;
}
