/** Modules that detect a host's features: they are compiled, and never run. */
import { fill } from '../wasm/control.ts';
import { Module } from '../wasm/module.ts';
import type { Statement } from '../wasm/types.ts';
import * as v128 from '../wasm/v128.ts';

function moduleOf(statement: Statement): Module {
  const module = new Module(1);
  module.define(undefined, [], undefined, () => [statement]);
  return module;
}

const swizzled = (swizzle: typeof v128.i8x16_swizzle): Module =>
  moduleOf(v128.store(0, 0, swizzle(v128.i32x4_splat(0), v128.i32x4_splat(0))));

export const relaxedProbe: Module = swizzled(v128.i8x16_relaxed_swizzle);
export const vectorsProbe: Module = swizzled(v128.i8x16_swizzle);
/** memory.fill came later than the other instructions that kernels need. */
export const scalarProbe: Module = moduleOf(fill(0, 0, 0));
