/** A message in pieces: its chaining value, and the bytes that do not fill a block yet. */
import { lend } from '../calls/lifetime.ts';
import type { Instance } from '../engine/instance.ts';
import { Bytes, copyBytes, copyOf, fillBytes, part } from '../engine/intrinsics.ts';
import type { Hash } from './hash.ts';
import { SCHEDULE, STAGE, STATE } from './map.ts';
import type { Functions } from './module.ts';
import { finish, stage, wipedTo } from './stage.ts';

export class Absorber {
  readonly #hash: Hash;
  readonly #state: Uint8Array;
  readonly #pending: Uint8Array;
  #length: number;

  /** @param length - The bytes that the chaining value is of. */
  constructor(hash: Hash, state: Uint8Array, length: number) {
    this.#hash = hash;
    this.#state = copyOf(state);
    this.#pending = new Bytes(hash.blockLen);
    this.#length = length;
  }

  copy(): Absorber {
    const twin = new Absorber(this.#hash, this.#state, this.#length);
    copyBytes(twin.#pending, this.#pending);
    return twin;
  }

  update(bytes: Uint8Array, length: number): void {
    const { blockLen, instance } = this.#hash;
    const waiting = this.#length % blockLen;
    if (waiting + length < blockLen) copyBytes(this.#pending, part(bytes, 0, length), waiting);
    else
      lend(instance(), SCHEDULE, wipedTo(waiting + length), (kernel) => {
        const staged = this.#stageAll(kernel, waiting, bytes, length);
        const rest = staged % blockLen;
        if (staged > rest) kernel.run.compress(STAGE, (staged - rest) / blockLen);
        kernel.read(STATE, this.#state.length, this.#state);
        fillBytes(this.#pending, 0);
        kernel.read(STAGE + staged - rest, rest, this.#pending);
      });
    this.#length += length;
  }

  #stageAll(kernel: Instance<Functions>, waiting: number, bytes: Uint8Array, length: number): number {
    kernel.write(STATE, this.#state.length, this.#state);
    kernel.write(STAGE, waiting, part(this.#pending, 0, waiting));
    return stage(kernel, this.#hash, waiting, bytes, length);
  }

  /** Ends the message: its chaining value is at STATE. */
  finish(kernel: Instance<Functions>): void {
    const { blockLen } = this.#hash;
    finish(kernel, this.#hash, this.#stageAll(kernel, this.#length % blockLen, new Bytes(0), 0), this.#length);
  }

  wipe(): void {
    fillBytes(this.#state, 0);
    fillBytes(this.#pending, 0);
    this.#length = 0;
  }
}
