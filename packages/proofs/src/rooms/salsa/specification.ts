// Salsa20: "Salsa20 specification" (D. J. Bernstein, 2005), §3 to §10; HSalsa20 and XSalsa20: "Extending the Salsa20 nonce"
// (D. J. Bernstein, 2011), §2. With 8 and 12 rounds as "The Salsa20 family of stream ciphers" (2007) has them.
import { ascii, bytesOf, wordsOf, wordsOf64, xorBytes, type Algebra } from '../../specifications/algebra.ts';

export type Rounds = 8 | 12 | 20;

/** §3 */
export function quarterround<W>(w: Algebra<W>, [y0, y1, y2, y3]: readonly W[]): W[] {
  const z1 = w.xor(y1, w.rotl(w.add(y0, y3), 7));
  const z2 = w.xor(y2, w.rotl(w.add(z1, y0), 9));
  const z3 = w.xor(y3, w.rotl(w.add(z2, z1), 13));
  const z0 = w.xor(y0, w.rotl(w.add(z3, z2), 18));
  return [z0, z1, z2, z3];
}

/** §4 */
export function rowround<W>(w: Algebra<W>, y: readonly W[]): W[] {
  const [z0, z1, z2, z3] = quarterround(w, [y[0], y[1], y[2], y[3]]);
  const [z5, z6, z7, z4] = quarterround(w, [y[5], y[6], y[7], y[4]]);
  const [z10, z11, z8, z9] = quarterround(w, [y[10], y[11], y[8], y[9]]);
  const [z15, z12, z13, z14] = quarterround(w, [y[15], y[12], y[13], y[14]]);
  return [z0, z1, z2, z3, z4, z5, z6, z7, z8, z9, z10, z11, z12, z13, z14, z15];
}

/** §5 */
export function columnround<W>(w: Algebra<W>, x: readonly W[]): W[] {
  const [y0, y4, y8, y12] = quarterround(w, [x[0], x[4], x[8], x[12]]);
  const [y5, y9, y13, y1] = quarterround(w, [x[5], x[9], x[13], x[1]]);
  const [y10, y14, y2, y6] = quarterround(w, [x[10], x[14], x[2], x[6]]);
  const [y15, y3, y7, y11] = quarterround(w, [x[15], x[3], x[7], x[11]]);
  return [y0, y1, y2, y3, y4, y5, y6, y7, y8, y9, y10, y11, y12, y13, y14, y15];
}

/** §6, so often as makes `count` rounds. */
export function rounds<W>(w: Algebra<W>, x: readonly W[], count: Rounds): W[] {
  let z = [...x];
  for (let round = 0; round < count; round += 2) z = rowround(w, columnround(w, z));
  return z;
}

/** §8, the Salsa20 hash function: from 64 bytes to 64 bytes. */
export function salsa20<W>(w: Algebra<W>, bytes: readonly W[], count: Rounds = 20): W[] {
  const x = wordsOf(w, bytes);
  return bytesOf(
    w,
    rounds(w, x, count).map((z, i) => w.add(x[i], z)),
  );
}

/** §9, the input of the expansion of a key of 32 or 16 bytes and 16 bytes n. */
function input<W>(w: Algebra<W>, k: readonly W[], n: readonly W[]): W[] {
  const long = k.length === 32;
  const letters = long ? ['expa', 'nd 3', '2-by', 'te k'] : ['expa', 'nd 1', '6-by', 'te k'];
  const [s0, s1, s2, s3] = letters.map((four) => ascii(w, four));
  return [...s0, ...k.slice(0, 16), ...s1, ...n, ...s2, ...(long ? k.slice(16) : k), ...s3];
}

/** §10, the encryption function: a nonce of 8 bytes. `counter` gives the 8 bytes of block number i's counter. */
export function encryptFrom<W>(
  w: Algebra<W>,
  k: readonly W[],
  v: readonly W[],
  m: readonly W[],
  counter: (i: number) => readonly W[],
  count: Rounds = 20,
): W[] {
  const encrypted: W[] = [];
  for (let i = 0; 64 * i < m.length; i++) {
    const keystream = salsa20(w, input(w, k, [...v, ...counter(i)]), count);
    encrypted.push(...xorBytes(w, m.slice(64 * i, 64 * i + 64), keystream));
  }
  return encrypted;
}

/** The same from block number `first` on. */
export const encrypt = <W>(
  w: Algebra<W>,
  k: readonly W[],
  v: readonly W[],
  m: readonly W[],
  first = 0n,
  count: Rounds = 20,
): W[] => encryptFrom(w, k, v, m, (i) => bytesOf(w, wordsOf64(w, first + BigInt(i))), count);

/** "Extending the Salsa20 nonce" §2, HSalsa20: key of 32 bytes, n of 16; words 0, 5, 10, 15, 6, 7, 8, 9 without addition. */
export function hsalsa<W>(w: Algebra<W>, k: readonly W[], n: readonly W[], count: Rounds = 20): W[] {
  const z = rounds(w, wordsOf(w, input(w, k, n)), count);
  return bytesOf(
    w,
    [0, 5, 10, 15, 6, 7, 8, 9].map((i) => z[i]),
  );
}

/** The same paper §2, XSalsa20: a nonce of 24 bytes. */
export const xsalsa = <W>(
  w: Algebra<W>,
  k: readonly W[],
  n: readonly W[],
  m: readonly W[],
  first = 0n,
  count: Rounds = 20,
): W[] => encrypt(w, hsalsa(w, k, n.slice(0, 16), count), n.slice(16), m, first, count);
