/**
 * The yardstick: `x = rotl(x, 7) + k`, sixty-four times in a row, in a loop. Each step waits for the one before, a rotation
 * and an addition of one cycle each, so its time tells how long a cycle is at that moment, whatever the frequency is.
 */
import { loop, sequence, set, tee } from '../../../lanewise/src/wasm/control.ts';
import * as i32 from '../../../lanewise/src/wasm/i32.ts';
import { Module } from '../../../lanewise/src/wasm/module.ts';
import type { Case } from './sampler.ts';

const CYCLES_IN_STEP = 2;
const STEPS = 64;
/** Of the 64 steps, in one operation: some microseconds, beside which the call is nothing. */
const TURNS = 64;
const CYCLES = CYCLES_IN_STEP * STEPS * TURNS;
/** Any odd number with bits of both kinds. */
const ADDEND = 0x9e3779b9 | 0;

export const YARDSTICK = 'yardstick';
/** Its module's name among those that surroundings may bring. */
export const YARDSTICK_MODULE = 'lab yardstick';

/** Exports `steps(x, turns)`. */
export function yardstickModule(): Module {
  const module = new Module(1);
  module.define('steps', ['i32', 'i32'], 'i32', (_, x, turns) => [
    loop(
      sequence(...Array.from({ length: STEPS }, () => set(x, i32.add(i32.rotl(x, 7), ADDEND)))),
      tee(turns, i32.sub(turns, 1)),
    ),
    x,
  ]);
  return module;
}

/** The same in JavaScript, of which engines make the same two instructions, most of them. */
function steps(x: number, turns: number): number {
  for (let i = 0; i < turns * (STEPS / 8); i++) {
    x = (((x << 7) | (x >>> 25)) + ADDEND) | 0;
    x = (((x << 7) | (x >>> 25)) + ADDEND) | 0;
    x = (((x << 7) | (x >>> 25)) + ADDEND) | 0;
    x = (((x << 7) | (x >>> 25)) + ADDEND) | 0;
    x = (((x << 7) | (x >>> 25)) + ADDEND) | 0;
    x = (((x << 7) | (x >>> 25)) + ADDEND) | 0;
    x = (((x << 7) | (x >>> 25)) + ADDEND) | 0;
    x = (((x << 7) | (x >>> 25)) + ADDEND) | 0;
  }
  return x;
}

export interface Yardstick extends Case {
  readonly language: 'wasm' | 'js';
  /** From nanoseconds of an operation to those of a cycle. */
  readonly cycle: (nanoseconds: number) => number;
}

/** Compiles it, or takes what was compiled outside, or falls back on JavaScript. */
export function yardstick(compiled?: WebAssembly.Module): Yardstick {
  let language: Yardstick['language'] = 'wasm';
  let function_: typeof steps;
  try {
    const instance = new WebAssembly.Instance(compiled ?? new WebAssembly.Module(yardstickModule().bytes()));
    function_ = instance.exports['steps'] as typeof steps;
  } catch {
    language = 'js';
    function_ = steps;
  }
  let x = 1;
  return {
    id: YARDSTICK,
    language,
    run: () => (x = function_(x, TURNS)),
    cycle: (nanoseconds) => nanoseconds / CYCLES,
  };
}
