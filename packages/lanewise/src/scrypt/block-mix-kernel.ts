/**
 * BlockMix of RFC 7914 §4 with Salsa20/8, in i32 variables. Its blocks are one dependent chain, so vectors can hold only the
 * four columns of one block. A rotation of a vector takes three dependent instructions, where that of a word takes one, and
 * out-of-order processors find the columns' parallelism in the scalar code, too: on Zen 5 vectors took 1.7 times as long.
 */
import { loop, sequence, set, tee } from '../wasm/control.ts';
import * as i32 from '../wasm/i32.ts';
import type { Frame, Module } from '../wasm/module.ts';
import type { Expression, Local, Statement } from '../wasm/types.ts';
import { quarterRound, salsa } from '../salsa/rounds.ts';
import { scalarWords } from '../words/locals.ts';
import { BLOCK_BYTES } from './map.ts';

type Word = Local<'i32'>;

const WORDS = BLOCK_BYTES / 4;
/** Salsa20/8, RFC 7914 §3. */
const DOUBLE_ROUNDS = 4;

/** The addresses of rows: BlockMix reads the sum of one or two, and moves their addresses after them. */
interface Rows {
  readonly from: readonly Word[];
  /** The first half, which gets the outputs with even numbers; the address is changed. */
  readonly to: Word;
  readonly r: Word;
}

function blockMix(frame: Frame, { from, to, r }: Rows): Statement[] {
  const x = frame.locals('i32', WORDS);
  const [end, odd, rounds, next] = frame.locals('i32', 4);
  const words = scalarWords();
  for (const [a, b, c, d] of salsa.doubleRound.flat()) quarterRound(words, x[a], x[b], x[c], x[d]);
  const doubleRound = words.taken();
  const [first, ...others] = from;
  /** Word w of the blocks at an address that depends on the row, one of each row, XORed. */
  const input = (w: number, address: (row: Word) => Expression<'i32'> = (row) => row): Expression<'i32'> =>
    others.reduce((sum, row) => i32.xor(sum, i32.load(address(row), 4 * w)), i32.load(address(first), 4 * w));

  return [
    // Step 1: X = B[2r - 1].
    set(next, i32.sub(i32.shl(r, 7), BLOCK_BYTES)),
    ...x.map((word, w) =>
      set(
        word,
        input(w, (row) => i32.add(row, next)),
      ),
    ),
    set(end, i32.add(first, i32.shl(r, 7))),
    set(odd, i32.add(to, i32.shl(r, 6))),
    loop(
      sequence(
        // Step 2: X = Salsa(X xor B[i]). Until it is added, the input of Salsa is where the output will be.
        ...x.map((word, w) => i32.store(to, 4 * w, tee(word, i32.xor(word, input(w))))),
        set(rounds, i32.value(DOUBLE_ROUNDS)),
        loop(sequence(...doubleRound), tee(rounds, i32.sub(rounds, 1))),
        ...x.map((word, w) => i32.store(to, 4 * w, tee(word, i32.add(word, i32.load(to, 4 * w))))),
        // Step 3: the next output goes to the other half.
        set(next, i32.add(to, BLOCK_BYTES)),
        set(to, odd),
        set(odd, next),
        ...from.map((row) => set(row, i32.add(row, BLOCK_BYTES))),
      ),
      i32.lt_u(first, end),
    ),
  ];
}

export function defineRowMix(module: Module): void {
  module.define('fill', ['i32', 'i32', 'i32'], undefined, (frame, address, r, count) => {
    const to = frame.local('i32');
    return [
      loop(
        sequence(set(to, i32.add(address, i32.shl(r, 7))), ...blockMix(frame, { from: [address], to, r })),
        tee(count, i32.sub(count, 1)),
      ),
    ];
  });

  module.define('mix', ['i32', 'i32', 'i32', 'i32'], undefined, (frame, from, row, to, r) => {
    const [at, unread] = frame.locals('i32', 2);
    return [
      // The row is anywhere in memory and rarely in a cache. So one word of each block is read first: then all of them are
      // on their way at once.
      set(at, i32.shl(r, 7)),
      loop(sequence(set(at, i32.sub(at, BLOCK_BYTES)), set(unread, i32.load(i32.add(row, at), 0))), i32.ne(at, 0)),
      ...blockMix(frame, { from: [from, row], to, r }),
    ];
  });
}
