// SHA-256 and SHA-512 of blocks: FIPS 180-4, §4 to §6, over words of 32 or 64 bits; on them HMAC (RFC 2104) and the iterations of
// PBKDF2 (RFC 8018).
import type { Words } from '../blake2/specification.ts';

/** The operations of SHA-2 that other specifications do not need. */
export interface Sha2Words<W, L> extends Words<W, L> {
  /** Bitwise and. */
  and(x: L, y: L): L;
  /** x shifted to the right by `count` bits. */
  shr(x: L, count: number): L;
}

type Counts = readonly [number, number, number];

/** The half of SHA-2 whose words have this many bits. */
export interface Size {
  readonly bits: 32 | 64;
  readonly rounds: number;
  /** §4.1.2 and §4.1.3: the large sigmas rotate three times, the small ones rotate twice and shift. */
  readonly large: readonly [Counts, Counts];
  readonly small: readonly [Counts, Counts];
}
export const SHA256: Size = {
  bits: 32,
  rounds: 64,
  large: [
    [2, 13, 22],
    [6, 11, 25],
  ],
  small: [
    [7, 18, 3],
    [17, 19, 10],
  ],
};
export const SHA512: Size = {
  bits: 64,
  rounds: 80,
  large: [
    [28, 34, 39],
    [14, 18, 41],
  ],
  small: [
    [1, 8, 7],
    [19, 61, 6],
  ],
};

/** The first bits after the point of the n-th root of a prime, in integers, by bisection. */
function rootBits(prime: number, n: number, bits: number): bigint {
  const power = BigInt(prime) << BigInt(bits * n);
  let [low, high] = [0n, 1n << BigInt(bits + 5)];
  while (high - low > 1n) {
    const middle = (low + high) >> 1n;
    if (middle ** BigInt(n) <= power) low = middle;
    else high = middle;
  }
  return BigInt.asUintN(bits, low);
}
const primes: number[] = [];
for (let n = 2; primes.length < 80; n++) if (primes.every((p) => n % p !== 0)) primes.push(n);

/** §4.2.2, §4.2.3 */
export const constantsOf = ({ rounds, bits }: Size): bigint[] =>
  primes.slice(0, rounds).map((p) => rootBits(p, 3, bits));
const K = new Map([SHA256, SHA512].map((size) => [size, constantsOf(size)]));

/** §3.1: words are big-endian. */
export const wordsOf = <W, L>(w: Words<W, L>, { bits }: Size, bytes: readonly W[]): L[] =>
  Array.from({ length: (8 * bytes.length) / bits }, (_, i) =>
    w.fromBytes(bytes.slice((bits / 8) * i, (bits / 8) * (i + 1)).reverse()),
  );
export const bytesOf = <W, L>(w: Words<W, L>, words: readonly L[]): W[] =>
  words.flatMap((word) => w.toBytes(word).reverse());

const sum = <W, L>(w: Words<W, L>, ...words: readonly L[]): L => words.reduce((x, y) => w.add(x, y));
const xor = <W, L>(w: Words<W, L>, ...words: readonly L[]): L => words.reduce((x, y) => w.xor(x, y));

/**
 * §6.2.2, §6.4.2: the chaining value after a block. Sums are made in the order that kernels make them in: words in halves are compared
 * with all their carries.
 */
export function compress<W, L>(w: Sha2Words<W, L>, size: Size, hash: readonly L[], block: readonly W[]): L[] {
  const large = (x: L, [p, q, r]: Counts): L => xor(w, w.rotr(x, p), w.rotr(x, q), w.rotr(x, r));
  const small = (x: L, [p, q, r]: Counts): L => xor(w, w.rotr(x, p), w.rotr(x, q), w.shr(x, r));
  const schedule = wordsOf(w, size, block);
  for (let t = 16; t < size.rounds; t++) {
    const [sigma0, sigma1] = [small(schedule[t - 15], size.small[0]), small(schedule[t - 2], size.small[1])];
    schedule.push(sum(w, sigma1, schedule[t - 7], sigma0, schedule[t - 16]));
  }
  const constants = K.get(size)!;
  let [a, b, c, d, e, f, g, h] = hash;
  for (let t = 0; t < size.rounds; t++) {
    // Ch and Maj, in the form that the kernels have: a test compares it with that of §4.1.2 in all eight rows.
    const ch = w.xor(w.and(e, w.xor(f, g)), g);
    const maj = w.xor(w.and(w.xor(a, b), w.xor(b, c)), b);
    const t1 = sum(w, h, w.add(w.word(constants[t]), schedule[t]), ch, large(e, size.large[1]));
    const t2 = w.add(large(a, size.large[0]), maj);
    [h, g, f, e, d, c, b, a] = [g, f, e, w.add(d, t1), c, b, a, w.add(t1, t2)];
  }
  return [a, b, c, d, e, f, g, h].map((x, i) => w.add(hash[i], x));
}

/** The chaining value after a block: {@link compress}, or a name for its result. */
export type Compression<W, L> = (hash: readonly L[], block: readonly W[]) => L[];

/** HMAC's chaining values after the pads, of a key of one block. RFC 2104 §2 */
export function keyed<W, L>(
  compression: Compression<W, L>,
  initial: readonly L[],
  key: readonly W[],
  padded: (key: readonly W[], pad: number) => readonly W[],
): { readonly inner: L[]; readonly outer: L[]; readonly outerBlock: readonly W[] } {
  const outerBlock = padded(key, 0x5c);
  const inner = compression(initial, padded(key, 0x36));
  return { inner, outer: compression(initial, outerBlock), outerBlock };
}

/**
 * HMAC's outer hash, where `end` bytes of the inner digest come before the rest of a block. RFC 2104 §2
 *
 * @returns The chaining value, and the block, which begins with `end` bytes of it.
 */
export function outerHash<W, L>(
  w: Sha2Words<W, L>,
  compression: Compression<W, L>,
  { inner, outer, block, end }: { inner: readonly L[]; outer: readonly L[]; block: readonly W[]; end: number },
): { readonly value: L[]; readonly block: W[] } {
  const rest = block.slice(end);
  const value = compression(outer, [...bytesOf(w, inner).slice(0, end), ...rest]);
  return { value, block: [...bytesOf(w, value).slice(0, end), ...rest] };
}
