/** The self-test of all kernels with a stream cipher and Poly1305. */
import type { Instance } from '../engine/instance.ts';
import { AAD, EXTENDED, MARGIN, PLAIN } from './map.ts';

interface Xor {
  xor(kind: number, doubleRounds: number, address: number, blocks: number): void;
}

/**
 * A known answer to which every function of a kernel contributes: zeros are encrypted with 12 rounds, sealed, opened
 * and decrypted again, with zeros for key and nonce. The message is at `from`; its tag is at `tagAt` and begins with
 * `word`.
 */
export const selfTestOf =
  <Functions extends Xor>(
    from: number,
    tagAt: (length: number) => number,
    seal: (run: Functions, kind: number, length: number) => void,
    open: (run: Functions, kind: number, length: number) => number,
  ) =>
  (length: number, word: number) =>
  (kernel: Instance<Functions>): boolean => {
    const { run, memory } = kernel;
    const end = from + length;
    const xor = (): void => {
      kernel.wipe(AAD, from);
      run.xor(PLAIN, 6, from, (length + 63) >>> 6);
      kernel.wipe(AAD, from);
      kernel.wipe(end, end + MARGIN);
    };
    kernel.wipe(from, end + MARGIN);
    xor();
    seal(run, EXTENDED, length);
    if (!kernel.holds(word, tagAt(length)) || open(run, EXTENDED, length) !== 1) return false;
    xor();
    let all = 0;
    for (let at = from; at < end; at++) all |= memory[at];
    kernel.wipe(from, end + MARGIN);
    return all === 0;
  };
