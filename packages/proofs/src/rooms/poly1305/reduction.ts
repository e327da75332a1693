// Poly1305's last step, for every accumulator and every s: the tag is ((h mod p) + s) mod 2^128. The one statement
// that a solver decides: z3, over bit-vectors, with the specification written out as it stands.
import { setTimeout } from 'node:timers/promises';
import { init, killThreads } from 'z3-solver';
import { P } from './specification.ts';
import { toSmt, variable, type Term } from '../../terms/term.ts';
import { Failure } from '../../claims/claim.ts';

const inputs = (name: string, count: number): Term[] =>
  Array.from({ length: count }, (_, i) => variable(32, `reduction ${name}${i}`, true));
/**
 * The words of an accumulator and of s that the last step is stated over. A function, because terms may be forgotten
 * between runs.
 */
export const reductionInputs = (): { h: Term[]; s: Term[] } => ({ h: inputs('h', 5), s: inputs('s', 4) });

/** The most that the last word of an accumulator between calls is shown to be, and assumed to be. */
export const MOST_TOP = 4;

const BITS = 160;
const number = (value: bigint | number): string => `(_ bv${value} ${BITS})`;
/** Words as one number; SMT-LIB puts the most significant first. */
const together = (words: readonly string[]): string => `(concat ${[...words].reverse().join(' ')})`;

/** SMT-LIB that is unsatisfiable if the four words are the tag for all inputs, or for all with an s of zeros. */
function statement(tag: readonly Term[], withoutS: boolean): { text: string; names: readonly string[] } {
  const { h, s } = reductionInputs();
  const { text, names } = toSmt([...h, ...s, ...tag]);
  const accumulator = together(names.slice(0, 5));
  const addend = withoutS ? number(0) : together([...names.slice(5, 9), '(_ bv0 32)']);
  const expected = `((_ extract 127 0) (bvadd (bvurem ${accumulator} ${number(P)}) ${addend}))`;
  return {
    text: [
      '(set-logic QF_BV)',
      text,
      `(assert (bvule ${names[4]} (_ bv${MOST_TOP} 32)))`,
      `(assert (distinct ${together(names.slice(9))} ${expected}))`,
      '(check-sat)',
    ].join('\n'),
    names: names.slice(0, 9),
  };
}

/** The part of Emscripten's module that is used here: its threads, its memory, and the call that runs in a thread. */
interface Emscripten {
  readonly PThread: { readonly runningWorkers: readonly unknown[] };
  readonly HEAPU8: Uint8Array;
  _malloc(bytes: number): number;
  _free(address: number): void;
  _async_Z3_eval_smtlib2_string(context: unknown, text: number): void;
  async_call(start: () => void): Promise<string>;
}

/**
 * Evaluates SMT-LIB text. z3's own wrapper passes the text on the stack of the thread that calls, and gives that stack back
 * before the thread that evaluates has read it, so that the end of a text is overwritten now and then. Here the text stays
 * allocated until the answer is there.
 */
async function evaluate(em: Emscripten, context: unknown, text: string): Promise<string> {
  const bytes = new TextEncoder().encode(`${text}\0`);
  const address = em._malloc(bytes.length);
  try {
    em.HEAPU8.set(bytes, address);
    return await em.async_call(() => em._async_Z3_eval_smtlib2_string(context, address));
  } finally {
    em._free(address);
  }
}

/**
 * Ends z3's threads, which would keep the process alive. Threads that have not reported their end yet print an error if
 * they are terminated.
 */
async function end(em: Emscripten): Promise<void> {
  const turns = 200;
  for (let turn = 0; turn < turns && em.PThread.runningWorkers.length; turn++) await setTimeout(5);
  await killThreads(em);
}

type Solver = Awaited<ReturnType<typeof init>>;
let kept: Promise<Solver> | undefined;

/** While the work lasts there is one solver: each that is started takes memory that is not soon given back. */
export async function keepingSolver<T>(work: () => Promise<T>): Promise<T> {
  const solver = (kept = init());
  try {
    return await work();
  } finally {
    kept = undefined;
    await end((await solver).em as Emscripten);
  }
}

/** The answers of z3 to texts in a row; each continues the one before. */
export async function ask<T>(talk: (say: (text: string) => Promise<string>) => Promise<T>): Promise<T> {
  const lasting = kept;
  const api = await (lasting ?? init());
  const { Z3 } = api;
  try {
    const config = Z3.mk_config();
    const context = Z3.mk_context(config);
    Z3.del_config(config);
    try {
      return await talk((text) => evaluate(api.em as Emscripten, context, text));
    } finally {
      Z3.del_context(context);
    }
  } finally {
    if (!lasting) await end(api.em as Emscripten);
  }
}

const decide = ({ text, names }: ReturnType<typeof statement>): Promise<void> =>
  ask(async (say) => {
    const answer = (await say(text)).trim();
    if (answer === 'unsat') return;
    const example = answer === 'sat' ? await say(`(get-value (${names.join(' ')}))`) : '';
    throw new Failure(`the tag is not ((h mod p) + s) mod 2^128: z3 says ${answer} ${example.replace(/\s+/g, ' ')}`);
  });

/** Answers that are known: kernels share the last step, so most questions repeat. */
const answers = new Map<string, Promise<void>>();

/**
 * Throws Failure unless the four words, over `reductionInputs`, are the tag for all of them with h4 up to MOST_TOP; without
 * s, for those whose s is zero.
 */
export async function requireReduction(tag: readonly Term[], withoutS = false): Promise<void> {
  const asked = statement(tag, withoutS);
  let answer = answers.get(asked.text);
  if (!answer) answers.set(asked.text, (answer = decide(asked)));
  await answer;
}
