// HBSH, Adiantum and HPolyC: "Adiantum: length-preserving encryption for entry-level processors" (P. Crowley, E.
// Biggers, 2018), §2 and §6. Its parts are specified in other files; this one specifies how they are composed.
import type { Algebra } from '../../specifications/algebra.ts';

export const BLOCK = 16;
const PIECE = 1024;

const littleEndian = <W>(w: Algebra<W>, value: number, length: number): W[] =>
  Array.from({ length }, (_, i) => w.byte(Number((BigInt(value) >> BigInt(8 * i)) & 0xffn)));

/** Bytes padded with zeros to a multiple of 16. */
export const padded = <W>(w: Algebra<W>, bytes: readonly W[]): W[] => [
  ...bytes,
  ...Array.from({ length: (BLOCK - (bytes.length % BLOCK)) % BLOCK }, () => w.byte(0)),
];

/** Adiantum, §6.4: the length of the message in bits, 16 bytes, and the tweak. */
export const adiantumHead = <W>(w: Algebra<W>, messageLength: number, tweak: readonly W[]): W[] => [
  ...littleEndian(w, 8 * messageLength, BLOCK),
  ...tweak,
];

/** HPolyC, §6.2: the length of the tweak in bits, 4 bytes, and the tweak, padded. */
export const hpolycHead = <W>(w: Algebra<W>, tweak: readonly W[]): W[] =>
  padded(w, [...littleEndian(w, 8 * tweak.length, 4), ...tweak]);

/** Adiantum: the message that NH hashes, in pieces. */
export function pieces<W>(w: Algebra<W>, message: readonly W[]): W[][] {
  const paddedMessage = padded(w, message);
  return Array.from({ length: Math.ceil(paddedMessage.length / PIECE) }, (_, i) =>
    paddedMessage.slice(PIECE * i, PIECE * (i + 1)),
  );
}

/** The nonce of the stream, 24 bytes: a block, the byte 1, and zeros. */
export const nonceOf = <W>(w: Algebra<W>, bytes: readonly W[]): W[] => [
  ...bytes,
  w.byte(1),
  ...Array.from({ length: 23 - bytes.length }, () => w.byte(0)),
];
