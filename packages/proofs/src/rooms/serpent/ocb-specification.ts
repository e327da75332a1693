// OCB3: RFC 7253, with tags of 128 bits, over any block cipher.
//
// Blocks are four words here, each of four bytes, and only texts are bytes: XOR does not care.
import { bytesOf, wordsOf, xorBytes, type Algebra } from '../../specifications/algebra.ts';

/** The operations that OCB needs besides those of other specifications. */
export interface Doubling<W> extends Algebra<W> {
  /** §2: a block as a number, its first bit the highest, shifted by one; if that bit was 1 then 135 is added. */
  double(block: readonly W[]): W[];
  /** §4.2: the 128 bits from bit `bottom` on of the 192 of these bytes; bit 0 is the first. */
  window(bytes: readonly W[], bottom: number): W[];
}

/** §2: the first byte of a block is the highest of its number. A word with its bytes in the other order. */
export const reversed = <W>(w: Algebra<W>, word: W): W => w.fromBytes(w.toBytes(word).reverse());

export type Encipher<W> = (block: readonly W[]) => W[];

/** §2 */
export const ntz = (i: number): number => (i % 2 ? 0 : 1 + ntz(i / 2));

/** The parts of RFC 7253 that depend on the key only. */
export function ocbKey<W>(w: Doubling<W>, encipher: Encipher<W>) {
  const zeros = Array.from({ length: 4 }, () => w.word(0));
  const star = encipher(zeros);
  const dollar = w.double(star);
  const table = [w.double(dollar)];
  const l = (i: number): W[] => {
    while (table.length <= i) table.push(w.double(table[table.length - 1]));
    return table[i];
  };
  return { zeros, star, dollar, l };
}

type OcbKey<W> = ReturnType<typeof ocbKey<W>>;

const padded = <W>(w: Algebra<W>, rest: readonly W[]): W[] =>
  wordsOf(w, [...rest, w.byte(0x80), ...Array.from({ length: 15 }, () => w.byte(0))].slice(0, 16));

const add = <W>(w: Algebra<W>, x: readonly W[], y: readonly W[]): W[] => x.map((word, i) => w.xor(word, y[i]));
const blockOf = <W>(w: Algebra<W>, bytes: readonly W[], i: number): W[] => wordsOf(w, bytes.slice(16 * i - 16, 16 * i));

/** §4.1, HASH(K, A); or its steps for what comes after other blocks, from their sum and offset on. */
export function hash<W>(
  w: Doubling<W>,
  key: OcbKey<W>,
  encipher: Encipher<W>,
  aad: readonly W[],
  start: { readonly sum: W[]; readonly offset: W[] } = { sum: key.zeros, offset: key.zeros },
): W[] {
  let { sum, offset } = start;
  const fullBlocks = Math.floor(aad.length / 16);
  for (let i = 1; i <= fullBlocks; i++) {
    offset = add(w, offset, key.l(ntz(i)));
    sum = add(w, sum, encipher(add(w, blockOf(w, aad, i), offset)));
  }
  const rest = aad.slice(16 * fullBlocks);
  if (rest.length) sum = add(w, sum, encipher(add(w, padded(w, rest), add(w, offset, key.star))));
  return sum;
}

/** §4.2, the first offset, of a nonce block that is made already, without its last six bits, which are `bottom`. */
export function firstOffset<W>(w: Doubling<W>, encipher: Encipher<W>, nonce: readonly W[], bottom: number): W[] {
  const top = bytesOf(w, encipher(nonce));
  return w.window([...top, ...xorBytes(w, top.slice(0, 8), top.slice(1, 9))], bottom);
}

/** §4.2 and §4.3: the other text, and the checksum and offset at its end. `decipher` for decryption. */
export function blocks<W>(
  w: Doubling<W>,
  key: OcbKey<W>,
  encipher: Encipher<W>,
  decipher: Encipher<W> | undefined,
  start: readonly W[],
  text: readonly W[],
): { text: W[]; checksum: W[]; offset: W[] } {
  let [offset, checksum] = [[...start], key.zeros];
  const other: W[] = [];
  const fullBlocks = Math.floor(text.length / 16);
  for (let i = 1; i <= fullBlocks; i++) {
    const block = blockOf(w, text, i);
    offset = add(w, offset, key.l(ntz(i)));
    const made = add(w, offset, (decipher ?? encipher)(add(w, block, offset)));
    checksum = add(w, checksum, decipher ? made : block);
    other.push(...bytesOf(w, made));
  }
  const rest = text.slice(16 * fullBlocks);
  if (rest.length) {
    offset = add(w, offset, key.star);
    const made = xorBytes(w, rest, bytesOf(w, encipher(offset)));
    checksum = add(w, checksum, padded(w, decipher ? made : rest));
    other.push(...made);
  }
  return { text: other, checksum, offset };
}

/** §4.2: the tag. */
export const tagOf = <W>(
  w: Doubling<W>,
  key: OcbKey<W>,
  encipher: Encipher<W>,
  { checksum, offset }: { readonly checksum: readonly W[]; readonly offset: readonly W[] },
  sum: readonly W[],
): W[] => bytesOf(w, add(w, encipher(add(w, add(w, checksum, offset), key.dollar)), sum));
