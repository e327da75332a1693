/**
 * CBC encryption of many messages side by side: each message is serial by nature, so the lanes take independent
 * messages.
 */
import { typeOf, lengthOf, refuseSurplus } from '../calls/checks.ts';
import { lend } from '../calls/lifetime.ts';
import type { Instance } from '../engine/instance.ts';
import { Bytes, isArray, min, part } from '../engine/intrinsics.ts';
import { STAGE, STAGE_BYTES, KEY, KEY_BYTES, MARGIN, WORK } from './map.ts';
import type { Functions } from './module.ts';
import { ciphertextLength, pad } from './blocks.ts';
import { serpentInstance } from './binding.ts';
import { BLOCK_BYTES, copyIvs, keyOf, paddingOf, type PaddingOptions } from './input.ts';

/** Messages side by side, and the room that each has in the stage. */
const STREAMS = 16;
const STRIDE = STAGE_BYTES / STREAMS;

/** A message that is being encrypted. */
interface Stream {
  readonly plaintext: Uint8Array;
  readonly length: number;
  readonly ciphertext: Uint8Array<ArrayBuffer>;
  /** The length of that. */
  readonly whole: number;
  readonly iv: Uint8Array;
  /** Bytes that are done. */
  done: number;
}

/** The elements, each read once: reading one may run code of the caller. */
function listOf(values: readonly Uint8Array[], name: string): Uint8Array[] {
  if (!isArray(values)) throw new TypeError(`"${name}" expected array, got ${typeOf(values)}`);
  const list: Uint8Array[] = [];
  const count = values.length;
  for (let i = 0; i < count; i++) list[i] = (values as readonly Uint8Array[])[i];
  return list;
}

/** See `cbc.encryptMany`. */
export function encryptMany(
  key: Uint8Array,
  ivs: readonly Uint8Array[],
  plaintexts: readonly Uint8Array[],
  options?: PaddingOptions,
): Uint8Array<ArrayBuffer>[] {
  refuseSurplus(arguments, 4);
  const padding = paddingOf(options);
  const ivList = listOf(ivs, 'ivs');
  const list = listOf(plaintexts, 'plaintexts');
  if (ivList.length !== list.length)
    throw new RangeError(`"ivs" expected array of length ${list.length}, got length=${ivList.length}`);
  const ownKey = keyOf(key);
  const streams: Stream[] = [];
  const ownIvs = copyIvs(ivList);
  for (let i = 0; i < list.length; i++) {
    const name = `plaintexts[${i}]`;
    const length = lengthOf(list[i], name);
    const whole = ciphertextLength(length, padding, name);
    streams[i] = { plaintext: list[i], length, ciphertext: new Bytes(whole), whole, iv: ownIvs[i], done: 0 };
  }
  if (streams.length) encryptStreams(ownKey, streams);
  const ciphertexts: Uint8Array<ArrayBuffer>[] = [];
  for (let i = 0; i < streams.length; i++) ciphertexts[i] = streams[i].ciphertext;
  return ciphertexts;
}

/** Encrypts as many streams at a time as there is room for; when one ends, the next takes its place. */
function encryptStreams(key: Uint8Array, streams: readonly Stream[]): void {
  const active: Stream[] = [];
  let next = 0;
  let schedule = 1;
  lend(serpentInstance(), KEY, STAGE + STAGE_BYTES + MARGIN, (kernel) => {
    kernel.write(KEY, KEY_BYTES, key);
    for (;;) {
      let count = 0;
      for (let i = 0; i < active.length; i++) if (leftOf(active[i])) active[count++] = active[i];
      active.length = count;
      for (; count < STREAMS && next < streams.length; next++)
        if (leftOf(streams[next])) active[count++] = streams[next];
      if (count === 0) return;
      step(kernel, active, schedule);
      schedule = 0;
    }
  });
}

const leftOf = ({ whole, done }: Stream): number => whole - done;

/** Advances all active streams by as many blocks as the shortest has left, or as there is room for. */
function step(kernel: Instance<Functions>, active: readonly Stream[], schedule: number): void {
  let size = STRIDE;
  for (let i = 0; i < active.length; i++) size = min(size, leftOf(active[i]));
  for (let i = 0; i < active.length; i++) {
    const { plaintext, length, ciphertext, iv, done } = active[i];
    const at = STAGE + STRIDE * i;
    const before = done ? part(ciphertext, done - BLOCK_BYTES, BLOCK_BYTES) : iv;
    kernel.write(WORK + BLOCK_BYTES * i, BLOCK_BYTES, before);
    const here = min(size, length - done);
    kernel.write(at, here, part(plaintext, done, here));
    if (here < size) pad(kernel.memory, at + here, length);
  }
  kernel.run.cbcMany(schedule, active.length, STRIDE, size >>> 4);
  for (let i = 0; i < active.length; i++) {
    const stream = active[i];
    kernel.read(STAGE + STRIDE * i, size, stream.ciphertext, stream.done);
    stream.done += size;
  }
}
