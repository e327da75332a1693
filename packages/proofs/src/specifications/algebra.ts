// The algebra that the specifications are written over: words of 32 bits and bytes, and a few operations on them. The
// same text then runs on numbers, where the published vectors check it, and on terms, where kernels are proved equal to
// it. A byte and a word have one type, because a term knows its own width.

export interface Algebra<W> {
  /** The word with this value. */
  word(value: number): W;
  /** The byte with this value. */
  byte(value: number): W;
  /** x + y mod 2^32. */
  add(x: W, y: W): W;
  /** Exclusive or of two words or of two bytes. */
  xor(x: W, y: W): W;
  /** x <<< count. */
  rotl(x: W, count: number): W;
  /** The word whose four bytes these are, the least significant first. */
  fromBytes(bytes: readonly W[]): W;
  /** The four bytes of a word, the least significant first. */
  toBytes(word: W): W[];
}

/** The algebra on numbers. */
export const numbers: Algebra<number> = {
  word: (value) => value >>> 0,
  byte: (value) => value & 0xff,
  add: (x, y) => (x + y) >>> 0,
  xor: (x, y) => (x ^ y) >>> 0,
  rotl: (x, count) => ((x << count) | (x >>> (32 - count))) >>> 0,
  fromBytes: (bytes) => bytes.reduceRight((word, byte) => ((word << 8) | byte) >>> 0, 0),
  toBytes: (word) => [0, 8, 16, 24].map((shift) => (word >>> shift) & 0xff),
};

/** Little-endian bytes as words. */
export const wordsOf = <W>(w: Algebra<W>, bytes: readonly W[]): W[] =>
  Array.from({ length: bytes.length / 4 }, (_, i) => w.fromBytes(bytes.slice(4 * i, 4 * i + 4)));

/** Words as little-endian bytes. */
export const bytesOf = <W>(w: Algebra<W>, words: readonly W[]): W[] => words.flatMap((word) => w.toBytes(word));

/** A number of 64 bits as two words, the low one first. */
export const wordsOf64 = <W>(w: Algebra<W>, value: bigint): [low: W, high: W] => [
  w.word(Number(value & 0xffffffffn)),
  w.word(Number((value >> 32n) & 0xffffffffn)),
];

/** Bytes XORed with the same number of bytes of a keystream. */
export const xorBytes = <W>(w: Algebra<W>, bytes: readonly W[], keystream: readonly W[]): W[] =>
  bytes.map((byte, i) => w.xor(byte, keystream[i]));

/** The bytes of a text. */
export const ascii = <W>(w: Algebra<W>, text: string): W[] =>
  Array.from(text, (letter) => w.byte(letter.charCodeAt(0)));
