/** The compression function G of Argon2, whatever words are kept in. RFC 9106 §3.5 */
import { loop, sequence, set, when } from '../wasm/control.ts';
import * as i32 from '../wasm/i32.ts';
import type { Frame, Module } from '../wasm/module.ts';
import type { Expression, Local, Statement } from '../wasm/types.ts';
import { BLOCK_BYTES, REGISTER_BYTES, ROW_BYTES } from './rounds.ts';

type Word = Local<'i32'>;

/** The steps of G that depend on the variables in which words are kept. */
export interface Steps {
  /** The bytes that `begin` and `end` take. */
  readonly bytes: number;
  /** R = X xor Y goes to Z, and to the result; with `onto`, R is XORed onto the bytes that are there. */
  readonly begin: (
    x: Expression<'i32'>,
    y: Expression<'i32'>,
    z: Word,
    to: Expression<'i32'>,
    onto: boolean,
  ) => Statement;
  /** How many P are computed side by side. */
  readonly side: number;
  /**
   * P on sixteen words whose first register is at an address, and the others `stride` bytes apart; and on those `next` bytes
   * after them, if two are computed side by side.
   */
  readonly permute: (z: Word, stride: number, next: number) => Statement;
  /** Bytes of Z are XORed onto those of the result. */
  readonly end: (z: Word, to: Expression<'i32'>) => Statement;
}

/**
 * G reads all of X and Y first: one of them is anywhere in memory and rarely in a cache, and then all of its lines are on
 * their way at once.
 */
export function defineCompress(module: Module, stepsOf: (frame: Frame) => Steps): void {
  module.define('compress', ['i32', 'i32', 'i32', 'i32', 'i32'], undefined, (frame, x, y, to, onto, z) => {
    const [at, here] = frame.locals('i32', 2);
    const { bytes, side, begin, permute, end } = stepsOf(frame);
    const of = (address: Word): Expression<'i32'> => i32.add(address, at);
    /** A loop over offsets below `most`; `here` is the address in Z. */
    const each = (step: number, most: number, body: Statement): Statement =>
      sequence(
        set(at, i32.value(0)),
        loop(sequence(set(here, of(z)), body, set(at, i32.add(at, step))), i32.lt_u(at, most)),
      );
    const begun = (isOnto: boolean): Statement => each(bytes, BLOCK_BYTES, begin(of(x), of(y), here, of(to), isOnto));
    return [
      when(onto, begun(true), begun(false)),
      each(side * ROW_BYTES, BLOCK_BYTES, permute(here, REGISTER_BYTES, ROW_BYTES)),
      each(side * REGISTER_BYTES, ROW_BYTES, permute(here, ROW_BYTES, REGISTER_BYTES)),
      each(bytes, BLOCK_BYTES, end(here, of(to))),
    ];
  });
}
