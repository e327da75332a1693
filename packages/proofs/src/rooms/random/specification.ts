// ChaCha8Rand: C2SP chacha8rand.md, "Block generation".
import { bytesOf, type Algebra } from '../../specifications/algebra.ts';
import { keyRows, rounds } from '../chacha/specification.ts';

const BLOCKS = 16;
const SET = 4;
const isKey = (word: number): boolean => word >= 4 && word < 12;

/** A block of ChaCha8 with a nonce of zero, to which only the key is added: neither the constants nor the counter. */
function block<W>(w: Algebra<W>, key: readonly W[], number: number): W[] {
  const zero = w.word(0);
  const input = [...keyRows(w, key), w.word(number), zero, zero, zero];
  return rounds(w, input, 8).map((word, i) => (isKey(i) ? w.add(word, input[i]) : word));
}

/** One iteration: 992 bytes of output, then the 32 bytes of the next key. Four blocks are interlaced, word by word. */
export function iteration<W>(w: Algebra<W>, key: readonly W[]): { readonly output: W[]; readonly next: W[] } {
  const blocks = Array.from({ length: BLOCKS }, (_, number) => block(w, key, number));
  const words: W[] = [];
  for (let set = 0; set < BLOCKS; set += SET)
    for (let i = 0; i < 16; i++) for (let lane = 0; lane < SET; lane++) words.push(blocks[set + lane][i]);
  return { output: bytesOf(w, words.slice(0, -8)), next: words.slice(-8) };
}
