// SHA-256 of a block: FIPS 180-4, §4 to §6; BlockMix with Salsa20/8: RFC 7914, §3 and §4.
import type { Algebra } from '../../specifications/algebra.ts';
import { salsa20 } from '../salsa/specification.ts';

/** The operations of SHA-256 that other specifications do not need. */
export interface Sha256Algebra<W> extends Algebra<W> {
  /** Bitwise and. */
  and(x: W, y: W): W;
  /** x shifted to the right by `count` bits. */
  shr(x: W, count: number): W;
}

/** The n-th root of a prime, its first 32 bits after the point: §4.2.2, §5.3.3. In integers, by bisection. */
function rootBits(prime: number, n: number): number {
  const power = BigInt(prime) << BigInt(32 * n);
  let [low, high] = [0n, 1n << 40n];
  while (high - low > 1n) {
    const middle = (low + high) >> 1n;
    if (middle ** BigInt(n) <= power) low = middle;
    else high = middle;
  }
  return Number(low % 0x1_0000_0000n);
}
const primes: number[] = [];
for (let n = 2; primes.length < 64; n++) if (primes.every((p) => n % p !== 0)) primes.push(n);

/** §4.2.2 */
const K = primes.map((p) => rootBits(p, 3));
/** §5.3.3, H(0), as eight words. */
export const initialHash = <W>(w: Algebra<W>): W[] => primes.slice(0, 8).map((p) => w.word(rootBits(p, 2)));

/** §3.1: words are big-endian. */
export const bigEndian = <W>(w: Algebra<W>, bytes: readonly W[]): W[] =>
  Array.from({ length: bytes.length / 4 }, (_, i) => w.fromBytes(bytes.slice(4 * i, 4 * i + 4).reverse()));
export const bigEndianBytes = <W>(w: Algebra<W>, words: readonly W[]): W[] =>
  words.flatMap((word) => w.toBytes(word).reverse());

const sum = <W>(w: Algebra<W>, ...terms: readonly W[]): W => terms.reduce((x, y) => w.add(x, y));
const xor = <W>(w: Algebra<W>, ...terms: readonly W[]): W => terms.reduce((x, y) => w.xor(x, y));
const rotr = <W>(w: Algebra<W>, x: W, n: number): W => w.rotl(x, 32 - n);

/** §6.2.2: the hash value after a block of 64 bytes. */
export function compress<W>(w: Sha256Algebra<W>, hash: readonly W[], block: readonly W[]): W[] {
  const schedule = bigEndian(w, block);
  for (let t = 16; t < 64; t++) {
    const [w2, w15] = [schedule[t - 2], schedule[t - 15]];
    const sigma1 = xor(w, rotr(w, w2, 17), rotr(w, w2, 19), w.shr(w2, 10));
    const sigma0 = xor(w, rotr(w, w15, 7), rotr(w, w15, 18), w.shr(w15, 3));
    schedule.push(sum(w, sigma1, schedule[t - 7], sigma0, schedule[t - 16]));
  }
  let [a, b, c, d, e, f, g, h] = hash;
  for (let t = 0; t < 64; t++) {
    // Ch and Maj, in the form that the kernels have: a test compares it with that of §4.1.2 in all eight rows.
    const ch = w.xor(w.and(e, w.xor(f, g)), g);
    const maj = w.xor(w.and(w.xor(a, b), w.xor(b, c)), b);
    const t1 = sum(w, h, xor(w, rotr(w, e, 6), rotr(w, e, 11), rotr(w, e, 25)), ch, w.word(K[t]), schedule[t]);
    const t2 = sum(w, xor(w, rotr(w, a, 2), rotr(w, a, 13), rotr(w, a, 22)), maj);
    [h, g, f, e, d, c, b, a] = [g, f, e, w.add(d, t1), c, b, a, w.add(t1, t2)];
  }
  return [a, b, c, d, e, f, g, h].map((x, i) => w.add(hash[i], x));
}

/** RFC 7914 §4, step 2: X after a block, which is also the block's output. */
export const mixStep = <W>(w: Algebra<W>, x: readonly W[], block: readonly W[]): W[] =>
  salsa20(
    w,
    x.map((byte, k) => w.xor(byte, block[k])),
    8,
  );

/** RFC 7914 §4: scryptBlockMix of 2 r blocks of 64 bytes. */
export function blockMix<W>(w: Algebra<W>, b: readonly W[]): W[] {
  let x = b.slice(-64);
  const y: W[][] = [];
  for (let i = 0; 64 * i < b.length; i++) {
    x = mixStep(w, x, b.slice(64 * i, 64 * i + 64));
    y.push(x);
  }
  const half = (parity: number): W[] => y.flatMap((block, i) => (i % 2 === parity ? block : []));
  return [...half(0), ...half(1)];
}
