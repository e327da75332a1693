/** The form of a module for hosts without relaxed instructions. */

/**
 * Makes plain instructions of relaxed ones, in place: swizzles with the opcode of the plain one, and marked loads of masks
 * into the local behind the mask's own, which has its constant already. See words/permutations.ts, from where they come; the
 * generator of the texts and a test make sure that nothing else looks like them.
 */
export function makePlain(bytes: Uint8Array, length: number): void {
  for (let i = 0; i < length; i++)
    if (bytes[i] === 0xfd) {
      if (bytes[i + 1] === 0x80 && bytes[i + 2] === 2) {
        bytes[i + 1] = 0x8e;
        bytes[i + 2] = 0;
      } else if (bytes[i + 1] === 0 && bytes[i + 2] === 3) bytes[i + 5]++;
    }
}
