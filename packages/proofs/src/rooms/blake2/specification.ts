// BLAKE2b and BLAKE2s: RFC 7693, §2 and §3, over words of 64 or 32 bits.

/** Words of one size, and their bytes. */
export interface Words<W, L> {
  /** The word with this value. */
  word(value: bigint): L;
  add(x: L, y: L): L;
  xor(x: L, y: L): L;
  /** x >>> count, a rotation to the right. */
  rotr(x: L, count: number): L;
  /** The word of these bytes, the least significant first. */
  fromBytes(bytes: readonly W[]): L;
  toBytes(word: L): W[];
}

/** §2.1 */
export interface Size {
  readonly bits: 64 | 32;
  readonly rounds: number;
  readonly rotations: readonly [number, number, number, number];
}
export const BLAKE2B: Size = { bits: 64, rounds: 12, rotations: [32, 24, 16, 63] };
export const BLAKE2S: Size = { bits: 32, rounds: 10, rotations: [16, 12, 8, 7] };

/** §2.6: the first bits of the fractional parts of the square roots of the first eight primes, by bisection. */
function initialWord(prime: number, bits: number): bigint {
  const target = BigInt(prime) << BigInt(2 * bits);
  let [low, high] = [0n, 8n << BigInt(bits)];
  while (high - low > 1n) {
    const middle = (low + high) >> 1n;
    if (middle * middle <= target) low = middle;
    else high = middle;
  }
  return low & ((1n << BigInt(bits)) - 1n);
}
const IV = ({ bits }: Size): bigint[] => [2, 3, 5, 7, 11, 13, 17, 19].map((prime) => initialWord(prime, bits));

/** §2.7, each row as sixteen hexadecimal digits. */
const SIGMA = [
  '0123456789abcdef',
  'ea489fd61c02b753',
  'b8c052fdae367194',
  '7931dcbe265a40f8',
  '905724afe1bc683d',
  '2c6a0b834d75fe19',
  'c51fed4a0763928b',
  'db7ec13950f4862a',
  '6fe9b308c2d714a5',
  'a2847615fb9e3cd0',
].map((row) => Array.from(row, (digit) => parseInt(digit, 16)));

export const wordsOf = <W, L>(w: Words<W, L>, { bits }: Size, bytes: readonly W[]): L[] =>
  Array.from({ length: (8 * bytes.length) / bits }, (_, i) =>
    w.fromBytes(bytes.slice((bits / 8) * i, (bits / 8) * (i + 1))),
  );
export const bytesOf = <W, L>(w: Words<W, L>, words: readonly L[]): W[] => words.flatMap((word) => w.toBytes(word));

/** §2.5 and §3.3: the chaining value before the first block, of the words of a parameter block. */
export const initialValue = <W, L>(w: Words<W, L>, size: Size, parameters: readonly L[]): L[] =>
  IV(size).map((word, i) => w.xor(parameters[i], w.word(word)));

/** §3.2: F of a chaining value and a block, with the offset t and the flag f. */
export function compress<W, L>(
  w: Words<W, L>,
  size: Size,
  h: readonly L[],
  block: readonly W[],
  t: bigint,
  f: boolean,
): L[] {
  const bits = BigInt(size.bits);
  return compressAt(w, size, h, block, [w.word(t & ((1n << bits) - 1n)), w.word(t >> bits)], f);
}

/** The same, with the two words of t. */
export function compressAt<W, L>(
  w: Words<W, L>,
  size: Size,
  h: readonly L[],
  block: readonly W[],
  t: readonly [low: L, high: L],
  f: boolean,
): L[] {
  const { bits, rounds, rotations } = size;
  const m = wordsOf(w, size, block);
  const mask = (1n << BigInt(bits)) - 1n;
  const iv = IV(size);
  if (f) iv[6] ^= mask;
  const v = [...h, ...iv.map((word) => w.word(word))];
  v[12] = w.xor(v[12], t[0]);
  v[13] = w.xor(v[13], t[1]);
  /** §3.1. The message's word is added first, which gives the same sum. */
  const g = (a: number, b: number, c: number, d: number, x: L, y: L): void => {
    const [r1, r2, r3, r4] = rotations;
    v[a] = w.add(w.add(v[a], x), v[b]);
    v[d] = w.rotr(w.xor(v[d], v[a]), r1);
    v[c] = w.add(v[c], v[d]);
    v[b] = w.rotr(w.xor(v[b], v[c]), r2);
    v[a] = w.add(w.add(v[a], y), v[b]);
    v[d] = w.rotr(w.xor(v[d], v[a]), r3);
    v[c] = w.add(v[c], v[d]);
    v[b] = w.rotr(w.xor(v[b], v[c]), r4);
  };
  for (let i = 0; i < rounds; i++) {
    const s = SIGMA[i % 10].map((j) => m[j]);
    g(0, 4, 8, 12, s[0], s[1]);
    g(1, 5, 9, 13, s[2], s[3]);
    g(2, 6, 10, 14, s[4], s[5]);
    g(3, 7, 11, 15, s[6], s[7]);
    g(0, 5, 10, 15, s[8], s[9]);
    g(1, 6, 11, 12, s[10], s[11]);
    g(2, 7, 8, 13, s[12], s[13]);
    g(3, 4, 9, 14, s[14], s[15]);
  }
  return h.map((word, i) => w.xor(w.xor(word, v[i]), v[i + 8]));
}
