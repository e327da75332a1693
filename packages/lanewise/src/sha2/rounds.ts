/**
 * The rounds of SHA-2, as FIPS 180-4 draws them, for words of 32 bits (SHA-256) and of 64 (SHA-512). scrypt's PBKDF2 runs the
 * former. Tools import this file, and no bundle contains it: constants.ts has the tables that bundles contain.
 */

/** The operations of SHA-2 on words. */
export interface Sha2Words<V> {
  readonly add: (x: V, y: V) => V;
  readonly xor: (x: V, y: V) => V;
  readonly and: (x: V, y: V) => V;
  readonly rotr: (x: V, count: number) => V;
  readonly shr: (x: V, count: number) => V;
}

/** Three counts: two rotations, and a third or a shift. */
type Counts = readonly [number, number, number];

/** The half of SHA-2 whose words have this many bits. */
export interface Sha2Rounds {
  readonly bits: 32 | 64;
  readonly rounds: number;
  readonly largeSigma0: Counts;
  readonly largeSigma1: Counts;
  readonly smallSigma0: Counts;
  readonly smallSigma1: Counts;
  /** The constants K. */
  readonly constants: readonly bigint[];
}

const all = <V>(operation: (x: V, y: V) => V, ...values: readonly V[]): V => values.reduce(operation);

/** §4.1.2 (4.2), as (x and (y xor z)) xor z, which takes no complement. */
const choice = <V>(w: Sha2Words<V>, x: V, y: V, z: V): V => w.xor(w.and(x, w.xor(y, z)), z);
/** §4.1.2 (4.3), as ((x xor y) and (y xor z)) xor y: engines that number values take y xor z from the round before. */
const majority = <V>(w: Sha2Words<V>, x: V, y: V, z: V): V => w.xor(w.and(w.xor(x, y), w.xor(y, z)), y);
/** §4.1.2 (4.4), (4.5); §4.1.3 (4.10), (4.11) */
const large = <V>(w: Sha2Words<V>, x: V, [a, b, c]: Counts): V => all(w.xor, w.rotr(x, a), w.rotr(x, b), w.rotr(x, c));
/** §4.1.2 (4.6), (4.7); §4.1.3 (4.12), (4.13) */
export const small = <V>(w: Sha2Words<V>, x: V, [a, b, c]: Counts): V =>
  all(w.xor, w.rotr(x, a), w.rotr(x, b), w.shr(x, c));

/** §6.2.2 step 1: word t of the message schedule, from the words t - 2, t - 7, t - 15 and t - 16. */
export const scheduled = <V>(w: Sha2Words<V>, its: Sha2Rounds, [w2, w7, w15, w16]: readonly [V, V, V, V]): V =>
  all(w.add, small(w, w2, its.smallSigma1), w7, small(w, w15, its.smallSigma0), w16);

/** The eight working variables, a to h. */
export type Working<V> = readonly [V, V, V, V, V, V, V, V];
/** §6.2.2 step 3: T1, where the constant and the word of the schedule are given as their sum, and T2. */
export const temporaries = <V>(
  w: Sha2Words<V>,
  its: Sha2Rounds,
  [a, b, c, , e, f, g, h]: Working<V>,
  input: V,
): readonly [V, V] => [
  all(w.add, h, input, choice(w, e, f, g), large(w, e, its.largeSigma1)),
  w.add(large(w, a, its.largeSigma0), majority(w, a, b, c)),
];

const isPrime = (n: number): boolean => Array.from({ length: n - 2 }, (_, i) => i + 2).every((d) => n % d !== 0);
const primes = Array.from({ length: 410 }, (_, i) => i + 2).filter(isPrime);

/** The first `bits` bits of the fractional part of a root: the low bits of floor(p^(1/degree) * 2^bits). */
function fraction(p: number, degree: bigint, bits: number): bigint {
  const power = BigInt(p) << (BigInt(bits) * degree);
  let root = 0n;
  for (let bit = 1n << BigInt(bits + 8); bit > 0n; bit >>= 1n) if ((root + bit) ** degree <= power) root += bit;
  return BigInt.asUintN(bits, root);
}

/** §4.2.2, §4.2.3: of the cube roots of the first 64 or 80 primes. */
const constantsOf = (rounds: number, bits: number): readonly bigint[] =>
  primes.slice(0, rounds).map((p) => fraction(p, 3n, bits));
/** Of the square roots of eight primes. */
const squareRoots = (first: number, bits: number): readonly bigint[] =>
  primes.slice(first, first + 8).map((p) => fraction(p, 2n, bits));

export const sha256Rounds: Sha2Rounds = {
  bits: 32,
  rounds: 64,
  largeSigma0: [2, 13, 22],
  largeSigma1: [6, 11, 25],
  smallSigma0: [7, 18, 3],
  smallSigma1: [17, 19, 10],
  constants: constantsOf(64, 32),
};
export const sha512Rounds: Sha2Rounds = {
  bits: 64,
  rounds: 80,
  largeSigma0: [28, 34, 39],
  largeSigma1: [14, 18, 41],
  smallSigma0: [1, 8, 7],
  smallSigma1: [19, 61, 6],
  constants: constantsOf(80, 64),
};

/** §5.3.3 and §5.3.5: of the first eight primes. §5.3.4: of the next eight; §5.3.2: the second half of these. */
export const initialOf = {
  sha256: squareRoots(0, 32),
  sha224: squareRoots(8, 64).map((word) => BigInt.asUintN(32, word)),
  sha512: squareRoots(0, 64),
  sha384: squareRoots(8, 64),
} as const;
