/** Pages through the stage of linear memory: one page, one that is longer than the stage, or many. */
import { lend, lendBytes } from '../calls/lifetime.ts';
import { inParts } from '../calls/parts.ts';
import type { Instance } from '../engine/instance.ts';
import { Bytes, copyBytes, copyOf, floor, min, part } from '../engine/intrinsics.ts';
import { diskInstance } from './binding.ts';
import { headsOf, writeHead, type Heads, type Tweaks } from './heads.ts';
import {
  BLOCK,
  STAGE,
  STAGE_BYTES,
  HEADS,
  KEY,
  KEY_BYTES,
  KEYS_BYTES,
  MARGIN,
  MIDDLE,
  SHORT_KEYS_BYTES,
} from './map.ts';
import type { Functions } from './module.ts';

/** The kernel's work areas, keys among them. */
const WORK = MIDDLE;
/** A set of four blocks is written whole. */
const SET = 256;

/** Which cipher it is, and all of its keys. */
export interface Keys {
  /** 1 for Adiantum, which has NH; 0 for HPolyC. */
  readonly nh: 0 | 1;
  readonly doubleRounds: number;
  readonly bytes: Uint8Array;
}

/** 0 to encrypt, 1 to decrypt. */
export type Back = 0 | 1;

/**
 * Whether STAGE then holds only ciphertext, which needs no wiping: a page that ends within a set has keystream after
 * it.
 */
const onlyCiphertext = (back: Back, length: number): boolean => back === 0 && length % SET === 0;

const keysBytes = (nh: 0 | 1): number => (nh ? KEYS_BYTES : SHORT_KEYS_BYTES);

/** Derives all keys from the cipher's own of 32 bytes. */
export function deriveKeys(nh: 0 | 1, doubleRounds: number, key: Uint8Array): Keys {
  const bytes = new Bytes(keysBytes(nh));
  lend(diskInstance(), WORK, STAGE + KEYS_BYTES + SET, (kernel) => {
    kernel.write(KEY, KEY_BYTES, key);
    kernel.run.derive(doubleRounds);
    kernel.read(KEY, keysBytes(nh), bytes);
  });
  return { nh, doubleRounds, bytes };
}

/** A page of `length` bytes, to `out`, which may be or overlap the page. */
export function onePage(
  keys: Keys,
  back: Back,
  page: Uint8Array,
  length: number,
  heads: Heads,
  tweak: Uint8Array,
  out: Uint8Array,
): void {
  if (length > STAGE_BYTES) {
    longPage(keys, back, page, length, heads, tweak, out);
    return;
  }
  const { nh, doubleRounds, bytes } = keys;
  lend(diskInstance(), WORK, HEADS + heads.slot, (kernel) => {
    kernel.write(KEY, keysBytes(nh), bytes);
    writeHead(kernel, heads, 0, tweak);
    kernel.write(STAGE, length, page);
    kernel.run.pages(back, nh, doubleRounds, heads.length, heads.slot, length, 0, 1);
    kernel.read(STAGE, length, out);
    if (!onlyCiphertext(back, length)) kernel.wipe(STAGE, STAGE + length + MARGIN);
  });
}

/**
 * A page that is longer than the stage passes through it twice, from a copy that no other code can change in between.
 */
function longPage(
  { nh, doubleRounds, bytes: keys }: Keys,
  back: Back,
  page: Uint8Array,
  length: number,
  heads: Heads,
  tweak: Uint8Array,
  out: Uint8Array,
): void {
  const bytes = copyOf(page, length);
  const { messageLength } = heads;
  const message = part(bytes, 0, messageLength);
  const work = (kernel: Instance<Functions>): void => {
    const { run } = kernel;
    kernel.write(KEY, keysBytes(nh), keys);
    writeHead(kernel, heads, 0, tweak);
    run.begin(nh, heads.length);
    inParts(message, messageLength, message, STAGE_BYTES, (staged, _, size) => {
      kernel.write(STAGE, size, staged);
      run.absorb(nh, size);
    });
    kernel.write(MIDDLE, BLOCK, part(bytes, messageLength, BLOCK));
    run.turn(back, nh, doubleRounds);
    inParts(message, messageLength, message, STAGE_BYTES, (staged, from, size) => {
      kernel.write(STAGE, size, staged);
      run.stream(nh, doubleRounds, size);
      kernel.read(STAGE, size, bytes, from);
    });
    run.end(nh);
    kernel.read(MIDDLE, BLOCK, bytes, messageLength);
    copyBytes(out, bytes);
  };
  lendBytes(bytes, length, () => lend(diskInstance(), WORK, STAGE + STAGE_BYTES + MARGIN, work));
}

/** `count` pages of `size` bytes to `out`, which may be the buffer, as many at a time as there is room for. */
export function manyPages(
  keys: Keys,
  back: Back,
  buffer: Uint8Array,
  size: number,
  count: number,
  tweaks: Tweaks,
  out: Uint8Array = buffer,
): void {
  if (count === 0) return;
  const { nh, doubleRounds, bytes } = keys;
  const heads = headsOf(nh, size - BLOCK, tweaks.length);
  // Pages that are not whole sets lie further apart in the stage than in the buffer.
  const stride = (size + SET - 1) & -SET;
  const most = min(floor(STAGE_BYTES / stride), heads.most);
  if (most < 2) {
    for (let at = 0; at < count; at++) {
      const from = size * at;
      onePage(keys, back, part(buffer, from, size), size, heads, tweaks.of(at), part(out, from, size));
    }
    return;
  }
  const used = min(most, count);
  // Pages that lie in the stage as they do in the buffer are copied together.
  const step = stride === size ? used : 1;
  lend(diskInstance(), WORK, HEADS + heads.slot * used, (kernel) => {
    kernel.write(KEY, keysBytes(nh), bytes);
    for (let at = 0; at < count; at += most) {
      const some = min(most, count - at);
      const length = size * min(step, some);
      tweaks.write(kernel, heads, at, some);
      for (let i = 0; i < some; i += step)
        kernel.write(STAGE + stride * i, length, part(buffer, size * (at + i), length));
      kernel.run.pages(back, nh, doubleRounds, heads.length, heads.slot, size, stride, some);
      for (let i = 0; i < some; i += step) kernel.read(STAGE + stride * i, length, out, size * (at + i));
    }
    if (!onlyCiphertext(back, size)) kernel.wipe(STAGE, STAGE + stride * used + MARGIN);
  });
}
