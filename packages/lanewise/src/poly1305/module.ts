/**
 * The module of Poly1305 alone.
 *
 *      offset  bytes  name
 *          64     64  STATE   accumulator, r, s: see poly1305.ts
 *         128     16  TAG
 *         192  65280  STAGE   the message, and room behind it for the padding of its last block
 */
import { Module } from '../wasm/module.ts';
import { absorbLast, KEY, poly1305, type Arithmetic } from './kernel.ts';

export const STATE = 64;
export const TAG = 128;
export const STAGE = 192;
export const STAGE_BYTES = 65280;
export const PAGES = 1;

/** The exported functions. */
export interface Poly1305Functions {
  /** Makes a state of the one-time key in it. */
  start(): void;
  /** Absorbs so many whole blocks of STAGE. */
  absorb(blocks: number): void;
  /** Absorbs the last bytes, which are in STAGE, and leaves the tag in TAG. */
  finish(length: number): void;
  /** `start` and `finish` */
  mac(length: number): void;
}

export function poly1305Module(arithmetic: Arithmetic): Module {
  const module = new Module(PAGES);
  const mac = poly1305(module, STATE, arithmetic);

  const start = module.define('start', [], undefined, () => [mac.start(STATE + KEY)]);
  module.define('absorb', ['i32'], undefined, (_, blocks) => [mac.absorb(STAGE, blocks)]);
  const finish = module.define('finish', ['i32'], undefined, (_, length) => [
    ...absorbLast(mac, STAGE, length),
    mac.finish(TAG),
  ]);
  module.define('mac', ['i32'], undefined, (_, length) => [start(), finish(length)]);
  return module;
}
