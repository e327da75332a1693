/** The question that kernels with secretbox are asked. */
import type { Instance } from '../engine/instance.ts';
import { type SecretboxKernel } from './module.ts';
import { BOX, TAG_BYTES } from './map.ts';
import { AAD, EXTENDED, PLAIN } from '../keystream/map.ts';

/**
 * One known answer that all of a kernel has a part in: zeros, encrypted with 12 rounds and then sealed, both with zeros for
 * key and nonce, opened and decrypted again. `word` begins the tag.
 */
export const answers =
  (length: number, word: number) =>
  (kernel: Instance<SecretboxKernel>): boolean => {
    const { run, memory } = kernel;
    const end = BOX + length;
    const xor = (): void => {
      kernel.wipe(AAD, BOX);
      run.xor(PLAIN, 6, BOX, (length + 63) >>> 6);
      kernel.wipe(AAD, BOX);
      kernel.wipe(end, end + MARGIN);
    };
    kernel.wipe(BOX, end + MARGIN);
    xor();
    run.seal(EXTENDED, length);
    if (!kernel.holds(word, BOX - TAG_BYTES) || run.open(EXTENDED, length) !== 1) return false;
    xor();
    let all = 0;
    for (let at = BOX; at < end; at++) all |= memory[at];
    kernel.wipe(BOX, end + MARGIN);
    return all === 0;
  };
/** Behind the message there may be the rest of a group of blocks. */
const MARGIN = 512;
