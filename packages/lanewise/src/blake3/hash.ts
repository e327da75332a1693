/** BLAKE3 of a message that is all there. */
import { blake3Instance } from './binding.ts';
import { lend } from '../calls/lifetime.ts';
import type { Instance } from '../engine/instance.ts';
import { Message } from './message.ts';
import { ownMode, wipeMode, type Mode } from './mode.ts';
import type { Functions } from './module.ts';
import { Bytes } from '../engine/intrinsics.ts';
import * as layout from './map.ts';
import { BLOCK_BYTES } from './rounds.ts';

/** The digest of a message of `length` bytes; in one call if it fits the stage. */
export function hash(message: Uint8Array, length: number, mode: Mode): Uint8Array<ArrayBuffer> {
  const digest = new Bytes(mode.length);
  if (length > layout.STAGE_BYTES || mode.length > BLOCK_BYTES) {
    const own = ownMode(mode);
    const whole = new Message(own);
    try {
      whole.rootOver(message, length).take(digest, mode.length);
    } finally {
      whole.wipe();
      if (own !== mode) wipeMode(own);
    }
    return digest;
  }
  const from = layout.secretsFrom(length);
  lend(blake3Instance(length), from, layout.secretsTo(length), hashStaged, message, length, mode, digest);
  return digest;
}

function hashStaged(
  kernel: Instance<Functions>,
  message: Uint8Array,
  length: number,
  mode: Mode,
  digest: Uint8Array,
): void {
  if (mode.flags) kernel.write(layout.KEY, layout.CV_BYTES, mode.key);
  kernel.write(layout.STAGE, length, message);
  kernel.run.hash(length, mode.flags);
  kernel.read(layout.CV, mode.length, digest);
}
