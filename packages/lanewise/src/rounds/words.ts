/**
 * The abstract machine over which rounds are written. `R` is whatever a backend calls a register: a wasm local, the name
 * of a variable, a term. Words have 32 bits.
 */
export interface Words<R> {
  /** destination += source (mod 2^32) */
  add(destination: R, source: R): void;
  /** destination ^= source */
  xor(destination: R, source: R): void;
  /** destination <<<= count */
  rotl(destination: R, count: number): void;
}

/** The words of the state that one step takes. */
export type Quad = readonly [a: number, b: number, c: number, d: number];
