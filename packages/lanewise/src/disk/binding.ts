/** The kernel of Adiantum and HPolyC. */
import { diskScalar, diskVectors } from './generated-bytes.ts';
import { unpacked } from '../engine/bytes.ts';
import { instantiated, type Instance, type KernelSource } from '../engine/instance.ts';
import { makePlain } from '../engine/plain.ts';
import { disk as diskInJavaScript } from '../js/generated/disk.ts';
import * as layout from './map.ts';
import type { Functions } from './module.ts';

const DOUBLE_ROUNDS = 6;
const PAGES = 9;
const PAGE_LENGTH = 1300;
const STRIDE = 1536;
const MESSAGE_LENGTH = PAGE_LENGTH - layout.BLOCK;
const SLOT = 48;
const END = layout.STAGE + PAGES * STRIDE + layout.MARGIN;

/** The first two bytes of a head: the bits of a message for Adiantum, those of its tweak for HPolyC. */
const ADIANTUM_BITS = 8 * MESSAGE_LENGTH;
const HPOLYC_BITS = 8 * (SLOT - 4);
const ADIANTUM_HEAD = 41;
/** The factor of the page's number, and the number's place in the head. */
const STEP = 0x7fffffff;
const NUMBER_AT = 16;

/**
 * One known answer to which every function of the kernel contributes. Pages of zeros under a key of zeros, whose tweaks
 * are zeros and a number, are encrypted by Adiantum and by HPolyC; the last of them is encrypted again by Adiantum, in
 * parts and under a tweak of zeros. Then all of this is decrypted, except for the first page, whose place the parts
 * overwrite. `WORD` is the first of the 16 bytes that end the last page.
 */
function selfTest(kernel: Instance<Functions>): boolean {
  const { run, memory } = kernel;
  const page = layout.STAGE + STRIDE * (PAGES - 1);
  const last = page + MESSAGE_LENGTH;
  kernel.wipe(layout.MIDDLE, END);
  run.derive(DOUBLE_ROUNDS);
  kernel.wipe(layout.STAGE, END);
  const head = (bits: number): void => {
    kernel.wipe(layout.HEADS, layout.HEADS + SLOT);
    memory[layout.HEADS] = bits;
    memory[layout.HEADS + 1] = bits >>> 8;
  };
  const pages = (back: number, nh: number): void => {
    head(nh ? ADIANTUM_BITS : HPOLYC_BITS);
    run.heads(NUMBER_AT, SLOT, STEP, PAGES);
    run.pages(back, nh, DOUBLE_ROUNDS, nh ? ADIANTUM_HEAD : SLOT, SLOT, PAGE_LENGTH, STRIDE, PAGES);
  };
  const inParts = (back: number): void => {
    head(ADIANTUM_BITS);
    for (let i = 0; i < PAGE_LENGTH; i++) memory[layout.STAGE + i] = memory[page + i];
    for (let i = 0; i < layout.BLOCK; i++) memory[layout.MIDDLE + i] = memory[last + i];
    run.begin(1, SLOT);
    run.absorb(1, MESSAGE_LENGTH);
    run.turn(back, 1, DOUBLE_ROUNDS);
    for (let i = 0; i < MESSAGE_LENGTH; i++) memory[layout.STAGE + i] = memory[page + i];
    run.stream(1, DOUBLE_ROUNDS, MESSAGE_LENGTH);
    run.end(1);
    for (let i = 0; i < MESSAGE_LENGTH; i++) memory[page + i] = memory[layout.STAGE + i];
    for (let i = 0; i < layout.BLOCK; i++) memory[last + i] = memory[layout.MIDDLE + i];
  };
  pages(0, 1);
  pages(0, 0);
  inParts(0);
  if (!kernel.holds(WORD, last)) return false;
  inParts(1);
  pages(1, 0);
  pages(1, 1);
  let all = 0;
  for (let at = 1; at < PAGES; at++)
    for (let i = 0; i < PAGE_LENGTH; i++) all |= memory[layout.STAGE + STRIDE * at + i];
  kernel.wipe(layout.MIDDLE, END);
  return all === 0;
}
const WORD = 0x888c2110;

export const diskKernel: KernelSource<Functions> = {
  texts: { decode: unpacked, vectors: diskVectors, toPlain: makePlain, scalar: diskScalar },
  js: diskInJavaScript,
  pages: layout.PAGES,
  secrets: layout.MIDDLE,
  selfTest,
};
export const diskInstance: () => Instance<Functions> = /* @__PURE__ */ instantiated(diskKernel);
