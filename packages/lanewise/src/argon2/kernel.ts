/** The compression function G of Argon2, whatever words are kept in. RFC 9106 §3.5 */
import { loop, sequence, set, when } from '../wasm/control.ts';
import * as i32 from '../wasm/i32.ts';
import type { Frame, Module } from '../wasm/module.ts';
import type { Local, Statement } from '../wasm/types.ts';
import { BLOCK_BYTES, REGISTER_BYTES, ROW_BYTES } from './rounds.ts';

type Word = Local<'i32'>;

/** The blocks of a call, from an offset on that a loop counts. */
export interface Blocks {
  readonly x: Word;
  readonly y: Word;
  readonly to: Word;
  readonly z: Word;
}

/** A loop over all offsets below `most`. */
interface Loop {
  readonly step: number;
  readonly most: number;
  readonly body: (blocks: Blocks) => Statement;
}

/** The steps of G that depend on the variables in which words are kept. */
export interface Steps {
  /** Constants are put into variables. */
  readonly constants?: readonly Statement[];
  /** The bytes that `begin` takes. */
  readonly bytes: number;
  /** R = X xor Y goes to the result; with `onto`, it is XORed onto the bytes that are there. */
  readonly begin: (blocks: Blocks, onto: boolean) => Statement;
  /** The loops after that: P on all rows, P on all columns, and the sum. */
  readonly loops: readonly Loop[];
}

/** Loops over rows and over columns, of which each turn takes `side`. */
export const rowsBy = (side: number, body: Loop['body']): Loop => ({ step: side * ROW_BYTES, most: BLOCK_BYTES, body });
export const columnsBy = (side: number, body: Loop['body']): Loop => ({
  step: side * REGISTER_BYTES,
  most: ROW_BYTES,
  body,
});

export function defineCompress(module: Module, stepsOf: (frame: Frame) => Steps): void {
  module.define('compress', ['i32', 'i32', 'i32', 'i32', 'i32'], undefined, (frame, x, y, to, onto, z) => {
    const at = frame.local('i32');
    const [hereX, hereY, hereTo, hereZ] = frame.locals('i32', 4);
    const here = { x: hereX, y: hereY, to: hereTo, z: hereZ };
    const { constants = [], bytes, begin, loops } = stepsOf(frame);
    const move = sequence(
      set(here.x, i32.add(x, at)),
      set(here.y, i32.add(y, at)),
      set(here.to, i32.add(to, at)),
      set(here.z, i32.add(z, at)),
    );
    const each = ({ step, most, body }: Loop): Statement =>
      sequence(set(at, i32.value(0)), loop(sequence(move, body(here), set(at, i32.add(at, step))), i32.lt_u(at, most)));
    const begun = (isOnto: boolean): Statement =>
      each({ step: bytes, most: BLOCK_BYTES, body: (blocks) => begin(blocks, isOnto) });
    return [...constants, when(onto, begun(true), begun(false)), ...loops.map(each)];
  });
}
