/** Which engines this host has, and why not the others. */
/** What runs the kernels: WebAssembly with vectors, WebAssembly without, or plain JavaScript. Best first. */
export type Engine = 'simd' | 'scalar' | 'js';
export const ENGINES: readonly Engine[] = ['simd', 'scalar', 'js'];

/** The message is the host's own: it says best what was forbidden, and by what. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/**
 * `WebAssembly.validate` is no answer: under a Content-Security-Policy it says yes, and compiling then throws; in WebKit
 * compiling works too, and instantiating throws.
 */
function refusal(module: readonly number[]): string | undefined {
  try {
    if (typeof WebAssembly === 'undefined') return 'there is no WebAssembly';
    new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array([...HEADER, ...module])));
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

/** Magic number and version; one type, of a function without parameters and results; one function, of that type. */
const HEADER = [0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0];
/** A memory, and in the function i32.const 0, i32.const 0, i32.const 0, memory.fill. */
const SCALAR = [5, 3, 1, 0, 1, 10, 13, 1, 11, 0, 65, 0, 65, 0, 65, 0, 252, 11, 0, 11];
/** i32.const 0, i32x4.splat, i32.const 0, i32x4.splat, the instruction, drop. */
const vectors = (...instruction: readonly number[]): number[] => {
  const body = [0, 65, 0, 253, 17, 65, 0, 253, 17, 253, ...instruction, 26, 11];
  return [10, body.length + 2, 1, body.length, ...body];
};
const SWIZZLE = /* @__PURE__ */ vectors(14);
const RELAXED_SWIZZLE = /* @__PURE__ */ vectors(128, 2);

let relaxed: boolean | undefined;
const refusals = new Map<Engine, string | undefined>();

/** Whether the vectors have the relaxed instructions. */
export const hasRelaxed = (): boolean => (relaxed ??= refusal(RELAXED_SWIZZLE) === undefined);

function check(engine: Engine): string | undefined {
  if (engine === 'simd') return hasRelaxed() ? undefined : refusal(SWIZZLE);
  if (engine === 'scalar') return refusal(SCALAR);
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
