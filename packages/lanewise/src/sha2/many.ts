/** Many messages, side by side in lanes. */
import { isBytes, lengthOf, refuseSurplus, typeOf } from '../calls/checks.ts';
import { lend } from '../calls/lifetime.ts';
import type { Instance } from '../engine/instance.ts';
import { byteLengthOf, Bytes, copyBytes, fillBytes, floor, isArray, max, min, part } from '../engine/intrinsics.ts';
import type { Hash } from './hash.ts';
import { digestOf, hashOf, type Sha2Function } from './hashes.ts';
import { lanesInstance } from './lanes-binding.ts';
import type { Functions } from './lanes-module.ts';
import { LANE_BYTES, LANES, LANES_DIGESTS, LANES_INITIAL, LANES_STAGE, SCHEDULE } from './map.ts';
import { writeLength } from './stage.ts';

const BLOCK = 64;
const LANE_BLOCKS = LANE_BYTES / BLOCK;
const DIGEST = 32;

/** The blocks of a padded message. FIPS 180-4 §5.1.1 */
const blocksOf = (length: number): number => floor((length + 8) / BLOCK) + 1;

/**
 * Digests of many messages. SHA-224 and SHA-256 hash four of them at a time, side by side, of whatever lengths: a lane whose message
 * ends takes the next one. The others hash one by one.
 *
 * @param hash - `sha256` or a sibling.
 * @param messages - Any number of messages of any lengths.
 * @returns Their digests, in their order.
 * @throws TypeError if an argument is not of that form.
 * @example
 * ```ts
 * import { hashMany, sha256 } from 'lanewise/sha2.js';
 * const [first, second] = hashMany(sha256, [new Uint8Array([1]), new Uint8Array([2, 3])]);
 * ```
 */
export function hashMany(hash: Sha2Function, messages: readonly Uint8Array[]): Uint8Array<ArrayBuffer>[] {
  refuseSurplus(arguments, 2);
  const its = hashOf(hash);
  if (!isArray(messages)) throw new TypeError(`"messages" expected array, got ${typeOf(messages)}`);
  // Each element is read once, and before anything is measured: reading it may run code of the caller.
  const list: Uint8Array[] = [];
  const count = messages.length;
  for (let i = 0; i < count; i++) list[i] = (messages as readonly Uint8Array[])[i];
  const lengths: number[] = [];
  // Only wrong ones need a name, and making one costs a twentieth of hashing a short message.
  for (let i = 0; i < count; i++)
    lengths[i] = (isBytes(list[i]) && byteLengthOf(list[i])) || lengthOf(list[i], `messages[${i}]`);
  const digests: Uint8Array<ArrayBuffer>[] = [];
  if (its.blockLen !== BLOCK || count === 1)
    for (let i = 0; i < count; i++) digests[i] = digestOf(its, list[i], lengths[i]);
  else if (count > 0) {
    for (let i = 0; i < count; i++) digests[i] = new Bytes(its.outputLen);
    const task = { hash: its, list, lengths, digests };
    lend(lanesInstance(), SCHEDULE, LANES_STAGE, (kernel) => new SideBySide(kernel, task).run());
  }
  return digests;
}

/** Messages, how long they were when they were checked, and where their digests go. */
interface Task {
  readonly hash: Hash;
  readonly list: readonly Uint8Array[];
  readonly lengths: readonly number[];
  readonly digests: readonly Uint8Array[];
}

class SideBySide {
  readonly #kernel: Instance<Functions>;
  readonly #task: Task;
  /** The message of each lane, by its index, -1 for none; its blocks that are hashed, and those that it has. */
  readonly #message = [-1, -1, -1, -1];
  readonly #done = [0, 0, 0, 0];
  readonly #blocks = [0, 0, 0, 0];
  #next = 0;
  /** Where the kernel leaves the digest of each lane. Views are made once, because making one costs a tenth of hashing a short message. */
  readonly #left: Uint8Array[] = [];

  constructor(kernel: Instance<Functions>, task: Task) {
    this.#kernel = kernel;
    this.#task = task;
    for (let lane = 0; lane < LANES; lane++)
      this.#left[lane] = part(kernel.memory, LANES_DIGESTS + lane * DIGEST, task.hash.outputLen);
  }

  run(): void {
    const { run } = this.#kernel;
    this.#kernel.write(LANES_INITIAL, this.#task.hash.initial.length, this.#task.hash.initial);
    let most = 0;
    for (let blocks = this.#fill(); blocks > 0; blocks = this.#fill()) {
      most = max(most, blocks);
      for (let lane = 0; lane < LANES; lane++) this.#stage(lane, blocks);
      run.compress(blocks);
      this.#take(blocks);
    }
    for (let lane = 0, at = LANES_STAGE; lane < LANES; lane++, at += LANE_BYTES)
      this.#kernel.wipe(at, at + most * BLOCK);
  }

  /** Gives lanes without a message the next ones. Returns how many blocks all lanes with a message have left, but no more than fit. */
  #fill(): number {
    let most = LANE_BLOCKS;
    let busy = false;
    for (let lane = 0; lane < LANES; lane++) {
      if (this.#message[lane] < 0 && this.#next < this.#task.list.length) {
        this.#message[lane] = this.#next;
        this.#blocks[lane] = blocksOf(this.#task.lengths[this.#next++]);
        this.#done[lane] = 0;
        this.#kernel.run.begin(lane);
      }
      if (this.#message[lane] < 0) continue;
      busy = true;
      most = min(most, this.#blocks[lane] - this.#done[lane]);
    }
    return busy ? most : 0;
  }

  /** Stages the next blocks of a lane's message, padded if they are its last. */
  #stage(lane: number, blocks: number): void {
    const index = this.#message[lane];
    if (index < 0) return;
    const { memory } = this.#kernel;
    const length = this.#task.lengths[index];
    const at = LANES_STAGE + lane * LANE_BYTES;
    const from = this.#done[lane] * BLOCK;
    const size = min(length - from, blocks * BLOCK);
    const bytes = this.#task.list[index];
    if (size > 0) this.#kernel.write(at, size, from > 0 || size < length ? part(bytes, from, size) : bytes);
    const staged = size > 0 ? size : 0;
    if (staged === blocks * BLOCK) return;
    const end = at + blocks * BLOCK;
    fillBytes(memory, 0, at + staged, end);
    // The bit may have been in the last block before these. FIPS 180-4 §5.1.1
    if (size >= 0) memory[at + staged] = 0x80;
    if (this.#done[lane] + blocks === this.#blocks[lane]) writeLength(memory, end, length);
  }

  /** Takes the digests of messages that have ended. */
  #take(blocks: number): void {
    this.#kernel.run.digests();
    for (let lane = 0; lane < LANES; lane++) {
      if (this.#message[lane] < 0 || (this.#done[lane] += blocks) < this.#blocks[lane]) continue;
      copyBytes(this.#task.digests[this.#message[lane]], this.#left[lane]);
      this.#message[lane] = -1;
    }
  }
}
