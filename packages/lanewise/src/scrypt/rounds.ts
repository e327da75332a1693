/**
 * SHA-256, as FIPS 180-4 draws it. The other primitive of scrypt, Salsa20/8, is Salsa20 with eight rounds: salsa/rounds.ts.
 * Tools import this file, and no bundle contains it.
 */

/** The operations of SHA-256 on words of 32 bits. */
export interface Sha256Words<V> {
  readonly add: (x: V, y: V) => V;
  readonly xor: (x: V, y: V) => V;
  readonly and: (x: V, y: V) => V;
  readonly rotr: (x: V, count: number) => V;
  readonly shr: (x: V, count: number) => V;
}

const all = <V>(operation: (x: V, y: V) => V, ...values: readonly V[]): V => values.reduce(operation);

/** §4.1.2 (4.2), as (x and (y xor z)) xor z, which takes no complement. */
const choice = <V>(w: Sha256Words<V>, x: V, y: V, z: V): V => w.xor(w.and(x, w.xor(y, z)), z);
/** §4.1.2 (4.3), as ((x xor y) and z) xor (x and y). */
const majority = <V>(w: Sha256Words<V>, x: V, y: V, z: V): V => w.xor(w.and(w.xor(x, y), z), w.and(x, y));
/** §4.1.2 (4.4) to (4.7) */
const rotations =
  (a: number, b: number, c: number) =>
  <V>(w: Sha256Words<V>, x: V): V =>
    all(w.xor, w.rotr(x, a), w.rotr(x, b), w.rotr(x, c));
const largeSigma0 = rotations(2, 13, 22);
const largeSigma1 = rotations(6, 11, 25);
const smallSigma0 = <V>(w: Sha256Words<V>, x: V): V => all(w.xor, w.rotr(x, 7), w.rotr(x, 18), w.shr(x, 3));
const smallSigma1 = <V>(w: Sha256Words<V>, x: V): V => all(w.xor, w.rotr(x, 17), w.rotr(x, 19), w.shr(x, 10));

/** §6.2.2 step 1: word t of the message schedule, from the words t - 2, t - 7, t - 15 and t - 16. */
export const scheduled = <V>(w: Sha256Words<V>, [w2, w7, w15, w16]: readonly [V, V, V, V]): V =>
  all(w.add, smallSigma1(w, w2), w7, smallSigma0(w, w15), w16);

/** The eight working variables, a to h. */
export type Working<V> = readonly [V, V, V, V, V, V, V, V];
/** §6.2.2 step 3: T1, where the constant and the word of the schedule are given as their sum, and T2. */
export const temporaries = <V>(w: Sha256Words<V>, [a, b, c, , e, f, g, h]: Working<V>, input: V): readonly [V, V] => [
  all(w.add, h, largeSigma1(w, e), choice(w, e, f, g), input),
  w.add(largeSigma0(w, a), majority(w, a, b, c)),
];

const isPrime = (n: number): boolean => Array.from({ length: n - 2 }, (_, i) => i + 2).every((d) => n % d !== 0);
const primes = Array.from({ length: 310 }, (_, i) => i + 2).filter(isPrime);

/** The first 32 bits of the fractional part of a root: the low 32 bits of floor(p^(1/degree) * 2^32). */
function fraction(p: number, degree: bigint): number {
  const power = BigInt(p) << (32n * degree);
  let root = 0n;
  for (let bit = 1n << 40n; bit > 0n; bit >>= 1n) if ((root + bit) ** degree <= power) root += bit;
  return Number(root & 0xffffffffn);
}

/** §4.2.2: of the cube roots of the first 64 primes. */
export const constants: readonly number[] = primes.slice(0, 64).map((p) => fraction(p, 3n));
/** §5.3.3: of the square roots of the first eight primes. */
export const initial: readonly number[] = primes.slice(0, 8).map((p) => fraction(p, 2n));
