/** The state of ChaCha8Rand, from which words of 64 bits are drawn, and bytes. */
import { lend } from '../calls/lifetime.ts';
import {
  Bytes,
  copyBytes,
  copyExactly,
  fillBytes,
  floor,
  min,
  part,
  toBigInt,
  toNumber,
} from '../engine/intrinsics.ts';
import { below32, below64, type Words } from './below.ts';
import { randomInstance } from './binding.ts';
import { BLOCKS_BYTES, KEY, KEY_BYTES, MOST_ITERATIONS, OUTPUT_BYTES, STAGE, STATE } from './map.ts';

/** Numbers are made of words of 64 bits, in the order of the output. */
const WORD_BYTES = 8;
export const WORDS = OUTPUT_BYTES / WORD_BYTES;
const TWO_32 = 2 ** 32;

export class Source implements Words {
  /** The key of the iteration that numbers are drawn from, which `save` returns. */
  readonly key = new Bytes(KEY_BYTES);
  /** The output of the iteration, and after it the key of the next. */
  readonly blocks = new Bytes(BLOCKS_BYTES);
  /** How many words of the iteration are drawn. */
  drawn: number;
  /** Whether the output of the iteration is computed: this waits until the first number is drawn. */
  isMade = false;
  /** The word that `bytes` has drawn for its last bytes, and how many bytes of it the next `bytes` gives first. */
  readonly rest = new Bytes(WORD_BYTES);
  restBytes = 0;
  /** The halves of the word that was drawn last. */
  low = 0;
  high = 0;

  constructor(key: Uint8Array, drawn: number) {
    copyBytes(this.key, part(key, 0, KEY_BYTES));
    this.drawn = drawn;
  }

  draw(): this {
    if (this.drawn === WORDS) this.next();
    this.make();
    const { blocks } = this;
    const at = WORD_BYTES * this.drawn++;
    this.low = (blocks[at] | (blocks[at + 1] << 8) | (blocks[at + 2] << 16) | (blocks[at + 3] << 24)) >>> 0;
    this.high = (blocks[at + 4] | (blocks[at + 5] << 8) | (blocks[at + 6] << 16) | (blocks[at + 7] << 24)) >>> 0;
    return this;
  }

  /** Moves on to the next iteration, whose key is after the output of this one. */
  next(): void {
    this.make();
    copyBytes(this.key, part(this.blocks, OUTPUT_BYTES, KEY_BYTES));
    this.isMade = false;
    this.drawn = 0;
  }

  /** Computes the output of the iteration, unless that is done. */
  make(): void {
    if (this.isMade) return;
    lend(randomInstance(), STATE, STAGE + BLOCKS_BYTES, (kernel) => {
      kernel.write(KEY, KEY_BYTES, this.key);
      kernel.run.generate(1);
      kernel.read(STAGE, BLOCKS_BYTES, this.blocks);
    });
    this.isMade = true;
  }

  /** Fills `out`, `length` bytes, as Go's `Read` does. */
  fill(out: Uint8Array, length: number): void {
    let at = min(this.restBytes, length);
    if (at > 0) {
      copyExactly(out, 0, part(this.rest, WORD_BYTES - this.restBytes, at), at);
      this.restBytes -= at;
    }
    while (length - at >= WORD_BYTES) {
      if (this.drawn === WORDS) {
        this.next();
        at = this.#whole(out, at, length);
        continue;
      }
      const words = min(WORDS - this.drawn, floor((length - at) / WORD_BYTES));
      this.make();
      copyBytes(out, part(this.blocks, WORD_BYTES * this.drawn, WORD_BYTES * words), at);
      this.drawn += words;
      at += WORD_BYTES * words;
    }
    if (at < length) {
      this.draw();
      copyBytes(this.rest, part(this.blocks, WORD_BYTES * (this.drawn - 1), WORD_BYTES));
      copyBytes(out, part(this.rest, 0, length - at), at);
      this.restBytes = WORD_BYTES - (length - at);
    }
  }

  /** Writes as many whole iterations as there is room for from `from` on; returns where they end. */
  #whole(out: Uint8Array, from: number, length: number): number {
    let at = from;
    for (let left = floor((length - from) / OUTPUT_BYTES); left > 0;) {
      const iterations = min(left, MOST_ITERATIONS);
      const size = iterations * OUTPUT_BYTES;
      lend(randomInstance(), STATE, STAGE + size + KEY_BYTES, (kernel) => {
        kernel.write(KEY, KEY_BYTES, this.key);
        kernel.run.generate(iterations);
        kernel.read(STAGE, size, out, at);
        kernel.read(STAGE + size, KEY_BYTES, this.key);
      });
      at += size;
      left -= iterations;
    }
    return at;
  }

  /** For n from 1 to 2^53. */
  below(n: number): number {
    return n < TWO_32 ? below32(this, n) : toNumber(below64(this, toBigInt(n)));
  }

  wipe(): void {
    fillBytes(this.key, 0);
    fillBytes(this.blocks, 0);
    fillBytes(this.rest, 0);
    this.low = this.high = 0;
  }
}
