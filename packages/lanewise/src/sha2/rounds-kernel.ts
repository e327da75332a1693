/** The loops over the rounds of SHA-2, on any machine. FIPS 180-4 §6.2.2, §6.4.2 */
import { loop, sequence, set, when } from '../wasm/control.ts';
import * as i32 from '../wasm/i32.ts';
import type { Local, Operand, Statement } from '../wasm/types.ts';
import { BLOCK_WORDS, type RoundMachine } from './machine-kernel.ts';
import { SCHEDULE } from './map.ts';
import { scheduled, temporaries, type Sha2Rounds, type Working } from './rounds.ts';

export const STATE_WORDS = 8;

/** The rounds in a turn of a loop: 8, after which each variable has its own name again, or 1 for short code. */
export type Unrolled = 1 | 8;

/** A loop in which `at` rises from 0 by a step. */
export const each = (at: Local<'i32'>, step: number, end: Operand<'i32'>, body: Statement): Statement =>
  sequence(set(at, i32.value(0)), loop(sequence(body, set(at, i32.add(at, step))), i32.lt_u(at, end)));

/** Variables that rotate by their names where rounds are unrolled, so no value is moved: a of a round is b of the next. */
const renamed = <V>(variables: readonly V[], round: number): Working<V> =>
  variables.map((_, i) => variables[(i + STATE_WORDS - round) % STATE_WORDS]) as unknown as Working<V>;

/** Makes a word of the schedule, that for 16 rounds after the one whose word is `round` after the offset `at`. */
function schedule<V>(w: RoundMachine<V>, rounds: Sha2Rounds, at: Local<'i32'>, round: number): void {
  const word = (number: number): V => w.load(at, SCHEDULE + w.stride * (round + number));
  const next = scheduled(w, rounds, [word(14), word(9), word(1), word(0)]);
  w.store(at, SCHEDULE + w.stride * (round + BLOCK_WORDS), next);
}

/** The working variables of a block. */
export const variablesOf = <V>(w: RoundMachine<V>): Working<V> =>
  Array.from({ length: STATE_WORDS }, () => w.register()) as unknown as Working<V>;

/**
 * All rounds of a block, whose words are in the schedule. After every few rounds come as many words for rounds that are 16 later, so that
 * processors find work of both kinds at any time.
 */
export function allRounds<V>(
  w: RoundMachine<V>,
  rounds: Sha2Rounds,
  unrolled: Unrolled,
  variables: Working<V>,
  at: Local<'i32'>,
): Statement {
  const { stride, vectors } = w;
  const count = vectors?.words ?? Math.min(unrolled, 2);
  const [t1, t2] = [w.register(), w.register()];
  const turn: Statement[] = [];
  for (let round = 0; round < unrolled; round++) {
    const now = renamed(variables, round);
    const [a, , , d, , , , h] = now;
    const input = vectors?.sum?.(at, round) ?? w.add(w.constant(at, round), w.load(at, SCHEDULE + stride * round));
    const [first, second] = temporaries(w, rounds, now, input);
    w.set(t1, first);
    if (unrolled === 1) {
      w.set(t2, second);
      for (let i = STATE_WORDS - 1; i > 0; i--) w.set(now[i], i === 4 ? w.add(d, t1) : now[i - 1]);
      w.set(a, w.add(t1, t2));
    } else {
      w.set(h, w.add(t1, second));
      w.set(d, w.add(d, t1));
    }
    if ((round + 1) % count > 0) continue;
    turn.push(w.taken());
    const from = round + 1 - count;
    if (vectors) vectors.make(at, from);
    else for (let t = from; t <= round; t++) schedule(w, rounds, at, t);
    turn.push(when(i32.lt_u(at, stride * (rounds.rounds - BLOCK_WORDS)), w.taken()));
  }
  return each(at, stride * unrolled, stride * rounds.rounds, sequence(...turn));
}
