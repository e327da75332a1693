/**
 * The yardstick: `x = rotl(x, 7) + k`, sixty-four times in a row, in a loop. Each step depends on the one before and
 * takes a rotation and an addition of one cycle each, so its time gives the length of a cycle at that moment, at any
 * clock rate.
 */
import { loop, sequence, set, tee } from '../../../lanewise/src/wasm/control.ts';
import * as i32 from '../../../lanewise/src/wasm/i32.ts';
import { Module } from '../../../lanewise/src/wasm/module.ts';
import type { Case } from './sampler.ts';

const CYCLES_IN_STEP = 2;
const STEPS = 64;
/** Repetitions of the 64 steps in one operation: some microseconds, beside which the cost of the call is negligible. */
const TURNS = 64;
const CYCLES = CYCLES_IN_STEP * STEPS * TURNS;
/** Any odd number with bits of both kinds. */
const ADDEND = 0x9e3779b9 | 0;

export const YARDSTICK = 'yardstick';
/** The name of its module in `Surroundings.modules`. */
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

/** The same in JavaScript, which most engines compile to the same two instructions. */
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
  /** Converts nanoseconds of an operation into nanoseconds of a cycle. */
  readonly cycle: (nanoseconds: number) => number;
}

/** Compiles the yardstick, takes the given module, or falls back on JavaScript. */
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
