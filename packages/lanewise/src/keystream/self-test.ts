/** The question that all kernels with a stream cipher and Poly1305 are asked. */
import type { Instance } from '../engine/instance.ts';
import { AAD, EXTENDED, MARGIN, PLAIN } from './map.ts';

interface Xor {
  xor(kind: number, doubleRounds: number, address: number, blocks: number): void;
}

/**
 * A question with one known answer that all of a kernel has a part in: zeros, encrypted with 12 rounds and then sealed, both
 * with zeros for key and nonce, opened and decrypted again. The message is at `from`, and its tag, which begins with `word`,
 * so far behind its start.
 */
export const selfTest =
  <Functions extends Xor>(
    from: number,
    seal: (run: Functions, kind: number, length: number) => void,
    open: (run: Functions, kind: number, length: number) => number,
  ) =>
  (length: number, tagAt: number, word: number) =>
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
    if (!kernel.holds(word, from + tagAt) || open(run, EXTENDED, length) !== 1) return false;
    xor();
    let all = 0;
    for (let at = from; at < end; at++) all |= memory[at];
    kernel.wipe(from, end + MARGIN);
    return all === 0;
  };
