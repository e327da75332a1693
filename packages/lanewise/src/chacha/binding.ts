/** The kernel of the ChaCha family, and how its input block is laid out. */
import { instantiated, type Instance, type Kernel } from '../engine/instance.ts';
import { chacha as chachaInJavaScript } from '../js/generated/chacha.ts';
import { chachaModule, type ChaCha } from './module.ts';
import * as layout from '../keystream/map.ts';
import { integers } from '../poly1305/kernel.ts';
import type { Family } from '../keystream/cipher.ts';
import { INPUT, kindOf, LAST_ROW, LONG_COUNTER, writeKeyAndNonce } from '../keystream/input.ts';

/**
 * One known answer that all of a kernel has a part in: zeros, encrypted by ChaCha12 and then sealed, both with zeros for key
 * and nonce, opened and decrypted again. `word` begins the tag.
 */
const answers =
  (length: number, word: number) =>
  (kernel: Instance<ChaCha>): boolean => {
    const { run, memory } = kernel;
    const end = layout.DATA + length;
    const xor = (): void => {
      kernel.wipe(layout.AAD, layout.DATA);
      run.xor(layout.PLAIN, 6, layout.DATA, (length + 63) >>> 6);
      kernel.wipe(layout.AAD, layout.DATA);
    };
    kernel.wipe(layout.DATA, end + MARGIN);
    xor();
    run.seal(layout.EXTENDED, 0, length);
    if (!kernel.holds(word, end) || run.open(layout.EXTENDED, 0, length) !== 1) return false;
    xor();
    let all = 0;
    for (let at = layout.DATA; at < end; at++) all |= memory[at];
    kernel.wipe(layout.DATA, end + MARGIN);
    return all === 0;
  };
/** Behind the message there may be its tag and the rest of a group of blocks. */
const MARGIN = 512;

export const longKernel: Kernel<ChaCha> = {
  lanes: true,
  wasm: (lanes) => chachaModule({ short: false, lanes, arithmetic: integers }).bytes(),
  js: chachaInJavaScript,
  pages: layout.PAGES,
  secrets: layout.AAD,
  right: /* @__PURE__ */ answers(1300, 0x7b0dcf36),
};
const long = /* @__PURE__ */ instantiated(longKernel);

/** One block has no use for lanes, and a kernel without them is there in half the time. */
export const shortKernel: Kernel<ChaCha> = {
  lanes: true,
  wasm: (lanes) => chachaModule({ short: true, lanes, arithmetic: integers }).bytes(),
  js: { larger: long },
  pages: layout.SHORT_PAGES,
  secrets: layout.AAD,
  right: /* @__PURE__ */ answers(64, 0x03ca3422),
};
const short = /* @__PURE__ */ instantiated(shortKernel);

/** The instance for messages of this length. */
export const chachaInstance = (length: number): Instance<ChaCha> => (length <= layout.SHORT_BYTES ? short() : long());

/** A nonce of 8 or 12 bytes ends the block. */
export const writeInput: Family['writeInput'] = (to, at, key, keyLength, nonce, nonceLength) =>
  writeKeyAndNonce(
    to,
    at,
    key,
    keyLength,
    nonce,
    nonceLength,
    nonceLength === 24 ? LAST_ROW : LAST_ROW + 16 - nonceLength,
  );

export const family: Family = {
  instance: chachaInstance,
  input: INPUT,
  data: layout.DATA,
  dataBytes: layout.DATA_BYTES,
  secretsFrom: layout.secretsFrom,
  kindOf,
  writeInput,
  counterOffset: (nonceLength) => (nonceLength === 24 ? LONG_COUNTER : LAST_ROW),
};
