/** Many small messages, one per lane. */
import { blake3Instance } from './blake3-family.ts';
import { hash } from './blake3-hasher.ts';
import { wipeMode } from './blake3-mode.ts';
import { modeOf, type Blake3Options } from './blake3-options.ts';
import { kindOf, lengthOf } from './checks.ts';
import { Bytes } from './engine/intrinsics.ts';
import * as layout from './kernels/blake3.ts';
import { BLOCK, CHUNK } from './rounds/blake3.ts';

/** Digests that the kernel makes in one call. */
const MOST = 64;
const DIGEST = 32;

/**
 * BLAKE3 of each of many messages. Messages of one length, up to 1024 bytes, are hashed side by side, four times as fast
 * as one after the other; the others like `blake3`.
 *
 * @param messages - Any number of messages of any lengths.
 * @param options - As for `blake3`, for all of them.
 * @returns Their digests, in their order.
 * @throws TypeError or RangeError if an argument is not of that form, Error if there are both `key` and `context`.
 * @example
 * ```ts
 * import { hashMany } from 'lanewise/blake3.js';
 * const [first, second] = hashMany([new Uint8Array([1]), new Uint8Array([2])]);
 * ```
 */
export function hashMany(messages: readonly Uint8Array[], options?: Blake3Options): Uint8Array<ArrayBuffer>[] {
  if (!Array.isArray(messages)) throw new TypeError(`"messages" expected array, got ${kindOf(messages)}`);
  const list: readonly Uint8Array[] = messages;
  const lengths = list.map((message, i) => lengthOf(message, `messages[${i}]`));
  const mode = modeOf(options);
  const digests = new Array<Uint8Array<ArrayBuffer>>(messages.length);

  const sameLength = new Map<number, number[]>();
  lengths.forEach((length, i) => {
    if (length > CHUNK || mode.length > DIGEST) digests[i] = hash(list[i], length, mode);
    else sameLength.set(length, [...(sameLength.get(length) ?? []), i]);
  });

  for (const [length, numbers] of sameLength) {
    const blocks = Math.max(1, Math.ceil(length / BLOCK));
    for (let from = 0; from < numbers.length; from += MOST) {
      const group = numbers.slice(from, from + MOST);
      const staged = group.length * blocks * BLOCK;
      const kernel = blake3Instance(staged);
      try {
        kernel.write(mode.key, layout.KEY);
        // Zeros behind each message: the stage is wiped.
        group.forEach((number, lane) => kernel.write(list[number], layout.STAGE + lane * blocks * BLOCK));
        kernel.run.many(group.length, blocks, length - (blocks - 1) * BLOCK, mode.flags);
        group.forEach((number, lane) => {
          const digest = new Bytes(mode.length);
          kernel.read(layout.CVS + lane * DIGEST, mode.length, digest);
          digests[number] = digest;
        });
      } finally {
        kernel.wipe(layout.SETS, layout.secretsTo(staged + CHUNK));
      }
    }
  }
  wipeMode(mode);
  return digests;
}
