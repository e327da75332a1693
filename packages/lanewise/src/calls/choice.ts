/** Which engine runs the ciphers, told and chosen by the caller. */
import { typeOf, refuseExtra } from './checks.ts';
import { ENGINES, hasRelaxed, isPostponed, refused, type Engine } from '../engine/detect.ts';
import { choose, current, selection } from '../engine/instance.ts';

/** What {@link describe} tells. */
export interface Description {
  /** `simd`: WebAssembly with vectors. `scalar`: WebAssembly without. `js`: plain JavaScript. */
  readonly engine: Engine;
  /** Whether the vectors have relaxed instructions, which some kernels use to be faster. */
  readonly relaxed: boolean;
  /**
   * Why it is not `simd`, in the words of the host; undefined if it is. `for now` if memory was short, or the stack full: then
   * it is tried again after some calls.
   */
  readonly reason: string | undefined;
}

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
export function describe(): Description;
export function describe(extra?: unknown): Description {
  refuseExtra(extra, 0);
  const engine = current();
  const better = ENGINES.slice(0, ENGINES.indexOf(engine));
  const refusals = better.flatMap((name) => {
    const reason = refused(name);
    return reason === undefined ? [] : [`no ${name}${isPostponed(name) ? ' for now' : ''}: ${reason}`];
  });
  // A better one that would work can only have been passed over because another was selected.
  const passedOver = better.length > refusals.length && selection() === engine;
  const reason = passedOver ? 'selected' : refusals.join('; ') || undefined;
  return { engine, relaxed: engine === 'simd' && hasRelaxed(), reason };
}

/**
 * Makes all later calls use one engine; `'auto'` lets the library pick again. For tests and measurements: results are
 * the same on every engine, and objects that are alive go on from where they are.
 *
 * @param engine - `'simd'`, `'scalar'`, `'js'` or `'auto'`.
 * @throws TypeError if it is none of these; Error, with the reason, if the engine can't run here.
 * @example
 * ```ts
 * import { describe, select } from 'lanewise/engine.js';
 * select('js');
 * console.log(describe()); // { engine: 'js', relaxed: false, reason: 'selected' }
 * select('auto');
 * ```
 */
export function select(engine: Engine | 'auto'): void;
export function select(engine: Engine | 'auto', extra?: unknown): void {
  refuseExtra(extra, 1);
  if (engine !== 'auto') {
    if (!ENGINES.includes(engine))
      throw new TypeError(
        `"engine" expected simd, scalar, js or auto, got ${typeof engine === 'string' ? engine : typeOf(engine)}`,
      );
    const reason = refused(engine, true);
    if (reason !== undefined) throw new Error(`"engine" ${engine} is not available: ${reason}`);
  }
  choose(engine === 'auto' ? undefined : engine);
}
