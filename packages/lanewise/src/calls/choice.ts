/** Which engine runs the ciphers, told and chosen by the caller. */
import { typeOf, refuseSurplus } from './checks.ts';
import { ENGINES, hasRelaxed, POSTPONED, refused, states } from '../engine/detect.ts';
import {
  choose,
  current,
  isNative,
  isProvided,
  offer,
  selection,
  take,
  type InstanceMaker,
} from '../engine/instance.ts';
import { hasOwn } from '../engine/intrinsics.ts';

export { takeOffer } from '../engine/instance.ts';

/** The engine that runs kernels: see {@link Description.engine}. */
export type Engine = 'native' | 'simd' | 'scalar' | 'js';

/** Kernels in native code, as `@lanewise/native` offers them to {@link offerNative}; or the reason why they can't run here. */
export type NativeCode =
  | {
      /** The 32-bit words of a vector: 4, 8 or 16. */
      readonly lanes: number;
      /** The instructions that compute them, for example `AVX2`. */
      readonly instructions: string;
      /** Makes the instance of a kernel; for the library alone. */
      readonly instanceOf: InstanceMaker;
    }
  | {
      /** Why there is no native code here. */
      readonly reason: string;
    };

/** The native code that was offered last. */
let offered: NativeCode | undefined;

/** The result of {@link describe}. */
export interface Description {
  /**
   * `native`: compiled C, for long messages of the primitives that have it; all else runs on `simd` then. `simd`: WebAssembly with
   * vectors. `scalar`: WebAssembly without. `js`: plain JavaScript.
   */
  readonly engine: Engine;
  /**
   * Whether the host compiles vectors with relaxed instructions, which some kernels use to be faster. Modules that were
   * given to {@link provide} are used as they are.
   */
  readonly relaxed: boolean;
  /**
   * Why it is not `simd`, in the words of the host; undefined if it is. `for now` if memory was short, or the stack full: then
   * it is tried again after some calls. After {@link provide} on a host that compiles nothing itself: that other primitives do
   * without.
   */
  readonly reason: string | undefined;
  /** On `native` only: how many 32-bit words its vectors have, 4, 8 or 16 … */
  readonly lanes?: number;
  /** … and the instructions that compute them, for example `AVX2`. */
  readonly instructions?: string;
}

/** By its own property, which a polluted prototype doesn't have. */
const isCode = (code: NativeCode): code is Extract<NativeCode, { lanes: number }> => hasOwn(code, 'instanceOf');

/** Why native code that was offered isn't used; undefined if none was offered. */
function nativeReason(): string | undefined {
  if (!offered) return undefined;
  if (!isCode(offered)) return offered.reason;
  return isNative() || selection() ? undefined : 'it gave a wrong answer';
}

/** Whether there is native code that works. */
const isOffered = (): boolean => !!offered && isCode(offered);

/**
 * Tells which engine runs the ciphers here, and why no better one does.
 *
 * @throws Error if no engine works here at all.
 * @example
 * ```ts
 * import { describe } from 'lanewise/engine.js';
 * const { engine, reason } = describe();
 * if (engine !== 'simd') console.log(`running on ${engine}: ${reason}`);
 * ```
 */
export function describe(): Description {
  refuseSurplus(arguments, 0);
  if (isNative() && offered && isCode(offered)) {
    const { lanes, instructions } = offered;
    return { engine: 'native', relaxed: false, reason: undefined, lanes, instructions };
  }
  const engine = current();
  const better = ENGINES.slice(0, ENGINES.indexOf(engine));
  const native = nativeReason();
  const refusals = better.flatMap((name) => {
    const reason = refused(name);
    return reason === undefined ? [] : [`no ${name}${states[name] === POSTPONED ? ' for now' : ''}: ${reason}`];
  });
  // A better one that would work can only have been passed over because another was selected.
  const own = isProvided() && selection() === undefined ? refused('simd') : undefined;
  const passedOver = selection() === engine && (better.length > refusals.length || isOffered());
  if (native !== undefined) refusals.unshift(`no native: ${native}`);
  const refusal = refusals.join('; ') || undefined;
  const reason = passedOver ? 'selected' : own === undefined ? refusal : `of provided modules only: ${own}`;
  return { engine, relaxed: engine === 'simd' && hasRelaxed(), reason };
}

/**
 * Makes all later calls use one engine; `'auto'` lets the library pick again. For tests and measurements: results are
 * the same on every engine, and objects that are alive go on from where they are.
 *
 * @param engine - `'native'` if `@lanewise/native` was imported, `'simd'`, `'scalar'`, `'js'` or `'auto'`.
 * @throws TypeError if it is none of these; Error, with the reason, if the engine can't run here.
 * @example
 * ```ts
 * import { describe, select } from 'lanewise/engine.js';
 * select('js');
 * console.log(describe()); // { engine: 'js', relaxed: false, reason: 'selected' }
 * select('auto');
 * ```
 */
export function select(engine: Engine | 'auto'): void {
  refuseSurplus(arguments, 1);
  if (engine === 'native') {
    const before = selection();
    choose(undefined);
    if (isNative()) return;
    choose(before);
    const reason = nativeReason() ?? "import '@lanewise/native' first";
    throw new Error(`"engine" native is not available: ${reason}`);
  }
  if (engine !== 'auto') {
    if (!ENGINES.includes(engine))
      throw new TypeError(
        `"engine" expected native, simd, scalar, js or auto, got ${typeof engine === 'string' ? engine : typeOf(engine)}`,
      );
    const reason = engine === 'simd' && isProvided() ? undefined : refused(engine, true);
    if (reason !== undefined) throw new Error(`"engine" ${engine} is not available: ${reason}`);
  }
  choose(engine === 'auto' ? undefined : engine);
}

/**
 * Runs a kernel from a module that the host has compiled: for hosts that compile no WebAssembly at run time but take modules, such
 * as Cloudflare Workers. The package has them, `lanewise/wasm/chacha.wasm` and so on; those whose names end in `-relaxed` are
 * for hosts with relaxed SIMD, and faster there. Each kernel takes the module only if it gives right answers there. Call it before the first message; other primitives go on as they are.
 *
 * @param module - A `WebAssembly.Module`, of a primitive that has been imported. It is instantiated, and computes known answers.
 * @throws TypeError if it isn't a compiled module; Error if there is no WebAssembly, or if no kernel of the imported
 * primitives has this module's functions and gives right answers with it.
 * @example
 * ```ts
 * import { provide } from 'lanewise/engine.js';
 * import { xchacha20poly1305 } from 'lanewise/chacha.js';
 * declare const chacha: object; // import chacha from 'lanewise/wasm/chacha.wasm';
 *
 * export const start = () => provide(chacha);
 * ```
 */
export function provide(module: object): void {
  refuseSurplus(arguments, 1);
  if (typeOf(module) !== 'type=WebAssembly.Module')
    throw new TypeError(`"module" expected WebAssembly.Module, got ${typeOf(module)}`);
  if (!take(module))
    throw new Error('"module" expected a kernel of a primitive that is imported, which gives right answers');
}

/**
 * Lets kernels run as native code, which `import '@lanewise/native'` calls for you. Each kernel computes its known answer before it is
 * used, and again when it has run a while; one wrong answer ends native code for all.
 *
 * @param code - The kernels, or the reason why there are none here, which {@link describe} then tells.
 * @throws TypeError if it is neither.
 * @example
 * ```ts
 * import { offerNative } from 'lanewise/engine.js';
 * try {
 *   offerNative({ lanes: 8, instructions: 'AVX2' } as never); // kernels are missing
 * } catch (error) {
 *   console.log((error as Error).name); // prints TypeError
 * }
 * ```
 */
export function offerNative(code: NativeCode): void {
  refuseSurplus(arguments, 1);
  const own = (name: keyof Extract<NativeCode, { lanes: number }> | 'reason'): string =>
    typeof code === 'object' && code && hasOwn(code, name) ? typeof (code as Record<string, unknown>)[name] : 'none';
  const types = `${own('lanes')} ${own('instructions')} ${own('instanceOf')} ${own('reason')}`;
  if (types !== 'number string function none' && types !== 'none none none string')
    throw new TypeError(`"code" expected native code of @lanewise/native, or a reason, got ${typeOf(code)}`);
  offered = code;
  offer(isCode(code) ? code.instanceOf : undefined);
}
