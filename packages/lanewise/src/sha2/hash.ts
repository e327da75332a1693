/** A hash function, as the room sees it. */
import type { Instance } from '../engine/instance.ts';
import type { Functions } from './module.ts';

/** A hash function of SHA-2. */
export interface Hash {
  readonly instance: () => Instance<Functions>;
  readonly blockLen: number;
  readonly outputLen: number;
  /** The initial chaining value, words as the machine has them. Its length is that of every chaining value. */
  readonly initial: Uint8Array;
}
