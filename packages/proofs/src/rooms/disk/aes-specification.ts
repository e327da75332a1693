// AES with keys of 256 bits: FIPS 197. An algebra defines the bytes, so that the specification runs on numbers, where
// the published vectors check it, and on bits.

/** The operations on bytes. */
export interface ByteAlgebra<B> {
  byte(value: number): B;
  xor(x: B, y: B): B;
  /** §4.2, xtime */
  xtime(x: B): B;
  /** §5.1.1, the S-box; §5.3.2, its inverse. */
  substitute(x: B): B;
  restore(x: B): B;
}

/** §4.2: the product of two bytes modulo x^8 + x^4 + x^3 + x + 1. */
function multiply(x: number, y: number): number {
  let product = 0;
  for (; y; y >>= 1, x = (x << 1) ^ (x & 0x80 ? 0x11b : 0)) if (y & 1) product ^= x;
  return product;
}

/** §5.1.1: the multiplicative inverse, then the affine transformation. */
function substitution(x: number): number {
  let inverse = 0;
  for (let y = 1; y < 256; y++) if (multiply(x, y) === 1) inverse = y;
  let result = 0;
  for (let i = 0; i < 8; i++) {
    const bit = [0, 4, 5, 6, 7].reduce((sum, j) => sum ^ (inverse >> ((i + j) % 8)), 0x63 >> i);
    result |= (bit & 1) << i;
  }
  return result;
}
export const SBOX: readonly number[] = Array.from({ length: 256 }, (_, x) => substitution(x));
export const INVERSE: readonly number[] = SBOX.map((_, y) => SBOX.indexOf(y));

export const byteNumbers: ByteAlgebra<number> = {
  byte: (value) => value,
  xor: (x, y) => x ^ y,
  xtime: (x) => ((x << 1) ^ (x & 0x80 ? 0x1b : 0)) & 0xff,
  substitute: (x) => SBOX[x],
  restore: (x) => INVERSE[x],
};

const ROUNDS = 14;
const KEY_WORDS = 8;

/** §5.2, Algorithm 2 with Nk = 8: the 15 round keys, 16 bytes each. */
export function keyExpansion<B>(w: ByteAlgebra<B>, key: readonly B[]): B[][] {
  const words = Array.from({ length: KEY_WORDS }, (_, i) => key.slice(4 * i, 4 * i + 4));
  let rcon = w.byte(1);
  for (let i = KEY_WORDS; i < 4 * (ROUNDS + 1); i++) {
    let temp = words[i - 1];
    if (i % KEY_WORDS === 0) {
      const [first, ...others] = [...temp.slice(1), temp[0]].map((byte) => w.substitute(byte));
      temp = [w.xor(first, rcon), ...others];
      rcon = w.xtime(rcon);
    } else if (i % KEY_WORDS === 4) temp = temp.map((byte) => w.substitute(byte));
    words.push(words[i - KEY_WORDS].map((byte, j) => w.xor(byte, temp[j])));
  }
  return Array.from({ length: ROUNDS + 1 }, (_, i) => words.slice(4 * i, 4 * i + 4).flat());
}

type State<B> = readonly B[];
const addRoundKey = <B>(w: ByteAlgebra<B>, x: State<B>, key: State<B>): B[] => x.map((byte, i) => w.xor(byte, key[i]));
/** §5.1.2, §5.3.1: row r, whose bytes are at r + 4c, is rotated by r columns. */
const shiftRows = <B>(x: State<B>, by: 1 | -1): B[] => x.map((_, i) => x[(i + 4 * by * (i % 4) + 16) % 16]);

/** §5.1.3, §5.3.3: multiplies each column by the polynomial with these coefficients. */
function mixColumns<B>(w: ByteAlgebra<B>, x: State<B>, [a, b, c, d]: readonly number[]): B[] {
  const times = (byte: B, factor: number): B => {
    let product = w.byte(0);
    for (let power = byte; factor; factor >>= 1, power = w.xtime(power))
      if (factor & 1) product = w.xor(product, power);
    return product;
  };
  return x.map((_, i) => {
    const column = i - (i % 4);
    const row = (r: number): B => x[column + ((i + r) % 4)];
    return [times(row(0), a), times(row(1), b), times(row(2), c), times(row(3), d)].reduce((s, y) => w.xor(s, y));
  });
}

/** §5.1 */
export function cipher<B>(w: ByteAlgebra<B>, keys: readonly State<B>[], block: State<B>): B[] {
  let state = addRoundKey(w, block, keys[0]);
  for (let round = 1; round <= ROUNDS; round++) {
    state = shiftRows(
      state.map((byte) => w.substitute(byte)),
      1,
    );
    if (round < ROUNDS) state = mixColumns(w, state, [2, 3, 1, 1]);
    state = addRoundKey(w, state, keys[round]);
  }
  return state;
}

/** §5.3 */
export function invCipher<B>(w: ByteAlgebra<B>, keys: readonly State<B>[], block: State<B>): B[] {
  let state = addRoundKey(w, block, keys[ROUNDS]);
  for (let round = ROUNDS - 1; round >= 0; round--) {
    state = shiftRows(state, -1).map((byte) => w.restore(byte));
    state = addRoundKey(w, state, keys[round]);
    if (round > 0) state = mixColumns(w, state, [14, 11, 13, 9]);
  }
  return state;
}
