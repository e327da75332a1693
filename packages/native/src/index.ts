/**
 * Native code for `lanewise`: import it once, before or after the library, and long messages run on vectors of 128, 256 or 512 bits.
 *
 * ```ts
 * import '@lanewise/native';
 * import { describe } from 'lanewise/engine.js';
 * const { engine, lanes, instructions, reason } = describe();
 * console.log(engine === 'native' ? `${lanes} lanes by ${instructions}` : reason);
 * ```
 *
 * Where there is no addon for the system, `describe()` says why, and the library goes on in WebAssembly.
 * @module
 */
import { Worker } from 'node:worker_threads';
import { offerNative, type NativeCode } from 'lanewise/engine.js';
import type { PoolOptions } from 'lanewise/pool.js';
import { load } from './addon.ts';
import { codeOf, lanesHere } from './kernels.ts';

/** On vectors of 128 bits WebAssembly is as fast as C, and faster in places. */
const LEAST_LANES = 8;

const loaded = load();

/** Refuses arguments after those that a function has, in the words of the library. */
function refuseSurplus(all: ArrayLike<unknown>, most: number): void {
  if (all.length > most)
    throw new TypeError(`"arguments" expected at most ${most}, got another of type=${typeof all[most]}`);
}

/**
 * The widths that this processor and its system allow, in 32-bit words, narrowest first: of 1, 4, 8 and 16. Empty where there is no
 * addon.
 */
export const availableLanes: readonly number[] = Object.freeze('reason' in loaded ? [] : lanesHere(loaded.addon));

/** `lanewise/worker.js` is one file with an engine of its own. There it finds native code that was loaded before it. */
const OFFERED = Symbol.for('@lanewise/native');
function offer(code: NativeCode): void {
  offerNative(code);
  Reflect.set(globalThis, OFFERED, code);
}

/** The code of each width that was used: its kernels keep their instances. */
const codes = new Map<number, NativeCode>();

/**
 * Makes all later calls use vectors of one width, for tests and measurements. Results are the same with each.
 *
 * @param lanes - One of {@link availableLanes}; unless this is called, the widest is used, if it has at least 8.
 * @throws TypeError if it isn't a number, RangeError if it isn't one of them, Error if there is no addon here.
 * @example
 * ```ts
 * import { availableLanes, useLanes } from '@lanewise/native';
 * if (availableLanes.includes(8)) useLanes(8);
 * ```
 */
export function useLanes(lanes: number): void {
  refuseSurplus(arguments, 1);
  if (typeof lanes !== 'number') throw new TypeError(`"lanes" expected number, got type=${typeof lanes}`);
  if ('reason' in loaded) throw new Error(`no native code here: ${loaded.reason}`);
  if (!availableLanes.includes(lanes))
    throw new RangeError(`"lanes" expected one of ${availableLanes.join(', ')}, got ${lanes}`);
  let code = codes.get(lanes);
  if (!code) codes.set(lanes, (code = codeOf(loaded.addon, lanes)));
  offer(code);
}

/** The type of a function that starts workers, as `createPool` takes it. */
export type Spawn = NonNullable<PoolOptions['spawn']>;

/**
 * Starts a worker on native code: for `createPool` of `lanewise/pool.js`, whose workers run WebAssembly unless told. Under
 * `node --import @lanewise/native` every worker of Node loads native code, and this isn't needed.
 *
 * @throws TypeError if it is given arguments.
 * @example
 * ```ts
 * import { createPool } from 'lanewise/pool.js';
 * import { spawn } from '@lanewise/native';
 * const pool = createPool({ spawn });
 * await pool.close();
 * ```
 */
export function spawn(): ReturnType<Spawn> {
  refuseSurplus(arguments, 0);
  return new Worker(new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js', import.meta.url), {
    name: 'lanewise',
  });
}

const widest = availableLanes[availableLanes.length - 1];
if ('reason' in loaded) offer(loaded);
else if (widest >= LEAST_LANES) useLanes(widest);
else offer({ reason: 'the processor has vectors of at most 128 bits, and so has WebAssembly' });
