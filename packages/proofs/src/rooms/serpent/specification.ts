// Serpent: "Serpent: A Proposal for the Advanced Encryption Standard" (R. Anderson, E. Biham, L. Knudsen, 1998), in bitslice
// mode, with which §3 and §4 define it. Blocks and keys are bytes in the order of NESSIE: the first word is X0.
import { bytesOf, wordsOf, type Algebra } from '../../specifications/algebra.ts';

/** The operations that the cipher needs besides those of other specifications. */
export interface Nibbles<W> extends Algebra<W> {
  /** x << count; the bits that are shifted out are lost. */
  shl(x: W, count: number): W;
  /** A table of sixteen, on the 32 nibbles whose bits j are in word j. */
  substitute(table: readonly number[], x: readonly W[]): W[];
}

/** Appendix A.5 */
export const SBOXES: readonly (readonly number[])[] = [
  [3, 8, 15, 1, 10, 6, 5, 11, 14, 13, 4, 2, 7, 0, 9, 12],
  [15, 12, 2, 7, 9, 0, 5, 10, 1, 11, 14, 8, 6, 13, 3, 4],
  [8, 6, 7, 9, 3, 12, 10, 15, 13, 1, 14, 4, 0, 11, 5, 2],
  [0, 15, 11, 8, 12, 9, 6, 3, 13, 1, 2, 4, 10, 7, 5, 14],
  [1, 15, 8, 3, 12, 0, 11, 6, 2, 5, 4, 10, 9, 14, 7, 13],
  [15, 5, 2, 11, 4, 10, 9, 12, 0, 3, 14, 8, 13, 6, 7, 1],
  [7, 2, 12, 5, 8, 4, 6, 11, 14, 9, 1, 15, 13, 3, 10, 0],
  [1, 13, 15, 0, 14, 8, 2, 11, 7, 4, 12, 10, 9, 3, 5, 6],
];
export const INVERSES: readonly (readonly number[])[] = SBOXES.map((box) => box.map((_, y) => box.indexOf(y)));

/** §4: the 33 round keys of a key of 16, 24 or 32 bytes. */
export function roundKeys<W>(w: Nibbles<W>, key: readonly W[]): W[][] {
  const padding = [w.byte(1), ...Array.from({ length: 31 }, () => w.byte(0))];
  const words = wordsOf(w, [...key, ...padding].slice(0, 32));
  for (let i = 0; i < 132; i++) {
    const sum = [words[i + 3], words[i + 5], words[i + 7], w.word(0x9e3779b9), w.word(i)].reduce(
      (x, y) => w.xor(x, y),
      words[i],
    );
    words.push(w.rotl(sum, 11));
  }
  return Array.from({ length: 33 }, (_, i) => w.substitute(SBOXES[(35 - i) % 8], words.slice(8 + 4 * i, 12 + 4 * i)));
}

const add = <W>(w: Nibbles<W>, x: readonly W[], y: readonly W[]): W[] => x.map((word, i) => w.xor(word, y[i]));

/** §3, the linear transformation. */
function transform<W>(w: Nibbles<W>, x: readonly W[]): W[] {
  let [x0, x1, x2, x3] = x;
  x0 = w.rotl(x0, 13);
  x2 = w.rotl(x2, 3);
  x1 = w.xor(w.xor(x1, x0), x2);
  x3 = w.xor(w.xor(x3, x2), w.shl(x0, 3));
  x1 = w.rotl(x1, 1);
  x3 = w.rotl(x3, 7);
  x0 = w.xor(w.xor(x0, x1), x3);
  x2 = w.xor(w.xor(x2, x3), w.shl(x1, 7));
  x0 = w.rotl(x0, 5);
  x2 = w.rotl(x2, 22);
  return [x0, x1, x2, x3];
}

/** The same equations, solved for their inputs. */
function transformBack<W>(w: Nibbles<W>, x: readonly W[]): W[] {
  let [x0, x1, x2, x3] = x;
  x2 = w.rotl(x2, 10);
  x0 = w.rotl(x0, 27);
  x2 = w.xor(w.xor(x2, x3), w.shl(x1, 7));
  x0 = w.xor(w.xor(x0, x1), x3);
  x3 = w.rotl(x3, 25);
  x1 = w.rotl(x1, 31);
  x3 = w.xor(w.xor(x3, x2), w.shl(x0, 3));
  x1 = w.xor(w.xor(x1, x0), x2);
  x2 = w.rotl(x2, 29);
  x0 = w.rotl(x0, 19);
  return [x0, x1, x2, x3];
}

type Keys<W> = readonly (readonly W[])[];

/** §3: a block of four words. */
export function encipher<W>(w: Nibbles<W>, keys: Keys<W>, block: readonly W[]): W[] {
  let x = [...block];
  for (let i = 0; i < 32; i++) {
    x = w.substitute(SBOXES[i % 8], add(w, x, keys[i]));
    x = i < 31 ? transform(w, x) : add(w, x, keys[32]);
  }
  return x;
}

/** §3.2 */
export function decipher<W>(w: Nibbles<W>, keys: Keys<W>, block: readonly W[]): W[] {
  let x = [...block];
  for (let i = 31; i >= 0; i--) {
    x = i < 31 ? transformBack(w, x) : add(w, x, keys[32]);
    x = add(w, w.substitute(INVERSES[i % 8], x), keys[i]);
  }
  return x;
}

/** Encrypts a block of 16 bytes. */
export const encryptBlock = <W>(w: Nibbles<W>, keys: Keys<W>, block: readonly W[]): W[] =>
  bytesOf(w, encipher(w, keys, wordsOf(w, block)));
export const decryptBlock = <W>(w: Nibbles<W>, keys: Keys<W>, block: readonly W[]): W[] =>
  bytesOf(w, decipher(w, keys, wordsOf(w, block)));
