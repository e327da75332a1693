/** Which engines this host has, and why not the others. */
import { decoded, type ModuleTexts } from './bytes.ts';
import { bufferOf, byteLengthOf, Bytes, instantiate, Words, type Started } from './intrinsics.ts';
import { relaxedProbe, scalarProbe, vectorsProbe } from './generated-bytes.ts';

/** The backends that run kernels: WebAssembly with vectors, WebAssembly without, plain JavaScript. Best first. */
export type Engine = 'simd' | 'scalar' | 'js';
export const ENGINES: readonly Engine[] = ['simd', 'scalar', 'js'];

/**
 * The message is the host's own, which names the forbidden operation and the policy. WebKit adds a line with our code.
 */
export function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  let line = '';
  for (let i = 0; i < message.length && message[i] !== '\n'; i++) line += message[i];
  return line;
}

/**
 * Whether an error is temporary, and no property of the host: memory was short, or the stack was full. V8 and
 * JavaScriptCore then throw RangeErrors; SpiderMonkey throws an error of a kind of its own, or a string.
 */
export function isPassing(error: unknown): boolean {
  if (error === undefined) return false;
  const message = messageOf(error);
  // V8 says SyntaxError where the stack overflows while it compiles a regular expression.
  const overflow = error instanceof RangeError || error instanceof SyntaxError;
  return overflow || message === 'out of memory' || message === 'too much recursion';
}

/**
 * The error when a module is started; undefined if there is none. `WebAssembly.validate` does not tell: under a
 * Content-Security-Policy it returns true, and compiling then throws; in WebKit compiling works, too, and instantiating
 * throws.
 */
function errorOf(probe: string): unknown {
  try {
    if (!instantiate) return 'there is no WebAssembly';
    instantiate(decoded(probe));
    return undefined;
  } catch (error) {
    return error ?? 'nothing was thrown';
  }
}

let relaxed: boolean | undefined;

/** Whether the vectors have the relaxed instructions. */
export function hasRelaxed(): boolean {
  const error = relaxed === undefined ? errorOf(relaxedProbe) : undefined;
  if (!isPassing(error)) relaxed ??= error === undefined;
  return relaxed ?? false;
}

/**
 * Starts a kernel with vectors, in the form for this host. The first kernel to start tells whether there are relaxed instructions: a
 * probe would take longer than a kernel for short messages, and the first message would wait for it.
 */
export function startVectors(bytes: Uint8Array<ArrayBuffer>, toPlain: NonNullable<ModuleTexts['toPlain']>): Started {
  if (relaxed !== false)
    try {
      const started = instantiate!(bytes);
      relaxed = true;
      return started;
    } catch (error) {
      if (relaxed || isPassing(error)) throw error;
    }
  toPlain(bytes, byteLengthOf(bytes));
  relaxed = false;
  return instantiate!(bytes);
}

function check(engine: Engine): unknown {
  if (engine === 'simd') return relaxed ? undefined : errorOf(vectorsProbe);
  if (engine === 'scalar') return errorOf(scalarProbe);
  // The kernels' memory is little-endian, and JavaScript's views of words have the host's order.
  const word = new Words(1);
  word[0] = 1;
  return new Bytes(bufferOf(word))[0] === 1 ? undefined : 'the host is big-endian';
}

/**
 * The states of an engine on this host. A probe, or the start and the self-test of a kernel, leads to one of the others from any
 * but the last:
 *
 *     untried ───▶ WORKS ◀──▶ POSTPONED     memory was short, or the stack full: it may be tried again
 *        └───────────┴────────────┴──────▶ REFUSED     any other error, or a wrong answer: for good
 */
const WORKS = 1;
export const POSTPONED = 2;
export const REFUSED = 3;
/** The states of engines that were tried. */
export const states = /* @__PURE__ */ Object.create(null) as Partial<Record<Engine, number>>;
/** Why they are postponed or refused. */
const reasons = /* @__PURE__ */ Object.create(null) as Partial<Record<Engine, string | undefined>>;

/** Records how an engine was tried: the error, or undefined if it worked. */
export function tried(engine: Engine, error: unknown): void {
  states[engine] = error === undefined ? WORKS : isPassing(error) ? POSTPONED : REFUSED;
  reasons[engine] = error === undefined ? undefined : messageOf(error);
}

/** The reason why an engine is not available; undefined if it is. An engine that is only postponed may be tried again. */
export function refused(engine: Engine, again = false): string | undefined {
  if (!states[engine] || (again && states[engine] === POSTPONED)) tried(engine, check(engine));
  return reasons[engine];
}
