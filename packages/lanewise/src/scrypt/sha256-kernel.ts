/**
 * SHA-256 (FIPS 180-4 §6.2), rolled, one block after another: a derivation hashes a few blocks, and the size of the code
 * counts more than its speed.
 */
import { loop, sequence, set, tee } from '../wasm/control.ts';
import * as i32 from '../wasm/i32.ts';
import type { Module } from '../wasm/module.ts';
import type { Expression, Local, Statement } from '../wasm/types.ts';
import { BLOCK_BYTES, CONSTANTS, SCHEDULE, STATE } from './map.ts';
import { initialOf, scheduled, sha256Rounds, temporaries, type Sha2Words, type Working } from '../sha2/rounds.ts';

const { constants } = sha256Rounds;

const words: Sha2Words<Expression<'i32'>> = {
  add: i32.add,
  xor: i32.xor,
  and: i32.and,
  rotr: i32.rotr,
  shr: i32.shr_u,
};

/** The bytes of a word in the opposite order. The word is read twice, so `t` holds it. */
const swapped = (t: Local<'i32'>, x: Expression<'i32'>): Expression<'i32'> =>
  i32.or(i32.and(i32.rotl(tee(t, x), 8), 0x00ff00ff), i32.and(i32.rotl(t, 24), 0xff00ff00 | 0));

const swap = (n: number): number => (n >>> 24) | ((n >>> 8) & 0xff00) | ((n << 8) & 0xff0000) | (n << 24);

/** A loop over words of an area: `at` is the offset of the word. */
const eachWord = (at: Local<'i32'>, end: number, ...body: readonly Statement[]): Statement =>
  loop(sequence(...body, set(at, i32.add(at, 4))), i32.lt_u(at, end));

export function defineSha256(module: Module): void {
  module.define('start', [], undefined, () =>
    initialOf.sha256.map((word, i) => i32.store(0, STATE + 4 * i, swap(Number(word)))),
  );

  module.define('compress', ['i32', 'i32'], undefined, (frame, address, blocks) => {
    const at = frame.local('i32');
    const t = frame.local('i32');
    const [t1, t2] = frame.locals('i32', 2);
    const variables = frame.locals('i32', 8) as unknown as Working<Local<'i32'>>;
    const [a, b, c, d, e, f, g, h] = variables;
    const before = (count: number): Expression<'i32'> => i32.load(at, SCHEDULE - 4 * count);
    const [first, second] = temporaries<Expression<'i32'>>(
      words,
      sha256Rounds,
      variables,
      i32.add(i32.load(at, CONSTANTS), i32.load(at, SCHEDULE)),
    );
    return [
      ...constants.map((constant, i) => i32.store(0, CONSTANTS + 4 * i, Number(constant) | 0)),
      loop(
        sequence(
          set(at, i32.value(0)),
          eachWord(at, BLOCK_BYTES, i32.store(at, SCHEDULE, swapped(t, i32.load(i32.add(address, at), 0)))),
          eachWord(
            at,
            4 * constants.length,
            i32.store(at, SCHEDULE, scheduled(words, sha256Rounds, [before(2), before(7), before(15), before(16)])),
          ),
          ...variables.map((variable, i) => set(variable, swapped(t, i32.load(0, STATE + 4 * i)))),
          set(at, i32.value(0)),
          eachWord(
            at,
            4 * constants.length,
            set(t1, first),
            set(t2, second),
            set(h, g),
            set(g, f),
            set(f, e),
            set(e, i32.add(d, t1)),
            set(d, c),
            set(c, b),
            set(b, a),
            set(a, i32.add(t1, t2)),
          ),
          ...variables.flatMap((variable, i) => [
            set(variable, i32.add(variable, swapped(t, i32.load(0, STATE + 4 * i)))),
            i32.store(0, STATE + 4 * i, swapped(t, variable)),
          ]),
          set(address, i32.add(address, BLOCK_BYTES)),
        ),
        tee(blocks, i32.sub(blocks, 1)),
      ),
    ];
  });
}
