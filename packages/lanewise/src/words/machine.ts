/**
 * The abstract machine over which rounds are written. `R` is a backend's register: a wasm local, the name of a
 * variable, a term. `S` is a source of a word, which every register is, too. Words have 32 bits.
 */
export interface Words<R extends S, S = R> {
  /** destination += source (mod 2^32) */
  add(destination: R, source: S): void;
  /** destination ^= source */
  xor(destination: R, source: S): void;
  /** destination <<<= count */
  rotl(destination: R, count: number): void;
}

/** The one step of rounds that feed a sum of two words into a third. */
export interface FeedingWords<R> {
  /** destination ^= (x + y) <<< count */
  xorRotatedSum(destination: R, x: R, y: R, count: number): void;
}

/** The words of the state that one step takes. */
export type Quad = readonly [a: number, b: number, c: number, d: number];

/**
 * The abstract machine over which bit-sliced rounds are written: functions of values instead of steps on registers. `V`
 * is a backend's value: a word of 32 bits, or several such words side by side.
 */
export interface Logic<V> {
  readonly xor: (x: V, y: V) => V;
  readonly and: (x: V, y: V) => V;
  readonly or: (x: V, y: V) => V;
  /** x and not y */
  readonly andnot: (x: V, y: V) => V;
  readonly rotl: (x: V, count: number) => V;
  readonly shl: (x: V, count: number) => V;
}
