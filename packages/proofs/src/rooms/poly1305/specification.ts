// Poly1305: RFC 8439 §2.5. Its numbers are integers; the step from block to block is written over any arithmetic of them,
// so that it runs on BigInt, where the published vectors check it, and on polynomials.

/** §2.5: (1 << 130) - 5 */
export const P = (1n << 130n) - 5n;

/** §2.5.1, clamp */
export const clamp = (r: bigint): bigint => r & 0x0ffffffc0ffffffc0ffffffc0fffffffn;

export const littleEndian = (bytes: readonly number[]): bigint =>
  bytes.reduceRight((number, byte) => (number << 8n) | BigInt(byte), 0n);

export const toLittleEndian = (number: bigint, length: number): number[] =>
  Array.from({ length }, (_, i) => Number((number >> BigInt(8 * i)) & 0xffn));

/** Integers mod 2^130 - 5. */
export interface Arithmetic<N> {
  readonly zero: N;
  add(x: N, y: N): N;
  multiply(x: N, y: N): N;
}

export const residues: Arithmetic<bigint> = {
  zero: 0n,
  add: (x, y) => (x + y) % P,
  multiply: (x, y) => (x * y) % P,
};

/** §2.5.1, the loop: a = (r * (a + n)) % p for each block n. */
export const accumulate = <N>(f: Arithmetic<N>, r: N, blocks: readonly N[], accumulator: N = f.zero): N =>
  blocks.reduce((a, n) => f.multiply(r, f.add(a, n)), accumulator);

/** Each block as a number, with a bit set above its last byte. */
export function blockNumbers(message: readonly number[]): bigint[] {
  const blocks: bigint[] = [];
  for (let i = 0; i < message.length; i += 16) blocks.push(littleEndian([...message.slice(i, i + 16), 0x01]));
  return blocks;
}

/** §2.5.1, poly1305_mac. The tag, 16 bytes, of a message under a one-time key of 32 bytes. */
export function poly1305(message: readonly number[], key: readonly number[]): number[] {
  const r = clamp(littleEndian(key.slice(0, 16)));
  const s = littleEndian(key.slice(16, 32));
  const a = accumulate(residues, r, blockNumbers(message));
  return toLittleEndian(a + s, 16);
}
