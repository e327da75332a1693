/** Which engines this host has, and why not the others. */
import { fill } from '../wasm/control.ts';
import { Module } from '../wasm/module.ts';
import type { Statement } from '../wasm/types.ts';
import * as v128 from '../wasm/v128.ts';

/** What runs the kernels: WebAssembly with vectors, WebAssembly without, or plain JavaScript. Best first. */
export type Engine = 'simd' | 'scalar' | 'js';
export const ENGINES: readonly Engine[] = ['simd', 'scalar', 'js'];

/** The message is the host's own: it says best what was forbidden, and by what. WebKit adds a line with our code. */
export const messageOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n', 1)[0];

/**
 * Why a function of these instructions can't be had. `WebAssembly.validate` is no answer: under a
 * Content-Security-Policy it says yes, and compiling then throws; in WebKit compiling works too, and instantiating throws.
 */
function refusal(...code: readonly Statement[]): string | undefined {
  try {
    if (typeof WebAssembly === 'undefined') return 'there is no WebAssembly';
    const module = new Module(1);
    module.define(undefined, [], undefined, () => code);
    new WebAssembly.Instance(new WebAssembly.Module(module.bytes()));
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

const vectors = (swizzle: typeof v128.i8x16_swizzle): Statement =>
  v128.store(0, 0, swizzle(v128.i32x4_splat(0), v128.i32x4_splat(0)));

let relaxed: boolean | undefined;
const refusals = new Map<Engine, string | undefined>();

/** Whether the vectors have the relaxed instructions. */
export const hasRelaxed = (): boolean => (relaxed ??= refusal(vectors(v128.i8x16_relaxed_swizzle)) === undefined);

function check(engine: Engine): string | undefined {
  if (engine === 'simd') return hasRelaxed() ? undefined : refusal(vectors(v128.i8x16_swizzle));
  if (engine === 'scalar') return refusal(fill(0, 0, 0));
  // The kernels' memory is little-endian, and JavaScript's views of words have the host's order.
  return new Uint8Array(new Uint32Array([1]).buffer)[0] === 1 ? undefined : 'the host is big-endian';
}

/** Why an engine can't be had; undefined if it can. */
export function refused(engine: Engine): string | undefined {
  if (!refusals.has(engine)) refusals.set(engine, check(engine));
  return refusals.get(engine);
}

/** The same without trying. */
export const knownRefusal = (engine: Engine): string | undefined => refusals.get(engine);

/** For an engine that promised well and then could not run a kernel. */
export const refuse = (engine: Engine, reason: string): void => void refusals.set(engine, reason);
