/** Which engines this host has, and why not the others. */
import { fill } from '../wasm/control.ts';
import { Module } from '../wasm/module.ts';
import type { Statement } from '../wasm/types.ts';
import * as v128 from '../wasm/v128.ts';
import { bufferOf, Bytes, instantiate, Words } from './intrinsics.ts';

/** What runs the kernels: WebAssembly with vectors, WebAssembly without, or plain JavaScript. Best first. */
export type Engine = 'simd' | 'scalar' | 'js';
export const ENGINES: readonly Engine[] = ['simd', 'scalar', 'js'];

/** The message is the host's own: it says best what was forbidden, and by what. WebKit adds a line with our code. */
export function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  let line = '';
  for (let i = 0; i < message.length && message[i] !== '\n'; i++) line += message[i];
  return line;
}

/**
 * Why a function of these instructions can't be had. `WebAssembly.validate` is no answer: under a
 * Content-Security-Policy it says yes, and compiling then throws; in WebKit compiling works too, and instantiating throws.
 */
function refusal(...code: readonly Statement[]): string | undefined {
  try {
    if (!instantiate) return 'there is no WebAssembly';
    const module = new Module(1);
    module.define(undefined, [], undefined, () => code);
    instantiate(module.bytes());
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

const vectors = (swizzle: typeof v128.i8x16_swizzle): Statement =>
  v128.store(0, 0, swizzle(v128.i32x4_splat(0), v128.i32x4_splat(0)));

let relaxed: boolean | undefined;
const refusals = /* @__PURE__ */ Object.create(null) as Partial<Record<Engine, string | undefined>>;

/** Whether the vectors have the relaxed instructions. */
export const hasRelaxed = (): boolean => (relaxed ??= refusal(vectors(v128.i8x16_relaxed_swizzle)) === undefined);

function check(engine: Engine): string | undefined {
  if (engine === 'simd') return hasRelaxed() ? undefined : refusal(vectors(v128.i8x16_swizzle));
  if (engine === 'scalar') return refusal(fill(0, 0, 0));
  // The kernels' memory is little-endian, and JavaScript's views of words have the host's order.
  const word = new Words(1);
  word[0] = 1;
  return new Bytes(bufferOf(word))[0] === 1 ? undefined : 'the host is big-endian';
}

/** Why an engine can't be had; undefined if it can. */
export function refused(engine: Engine): string | undefined {
  if (!(engine in refusals)) refusals[engine] = check(engine);
  return refusals[engine];
}

/** The same without trying. */
export const knownRefusal = (engine: Engine): string | undefined => refusals[engine];

/** For an engine that promised well and then could not run a kernel. */
export const refuse = (engine: Engine, reason: string): void => void (refusals[engine] = reason);
