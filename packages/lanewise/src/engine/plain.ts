/** The form of a module for hosts without relaxed instructions. */

/**
 * Makes plain instructions of relaxed ones, in place: swizzles with the opcode of the plain one, and marked loads of masks
 * into the local after the mask's own, which has its constant already; multiplications of marked shifts, by the local of
 * the last load that is marked apart. See wasm/permutations.ts and wasm/left-shift.ts, from where they come; the
 * generator of the texts and a test make sure that nothing else looks like them.
 */
export function makePlain(bytes: Uint8Array, length: number): void {
  let multiplier = 0;
  for (let i = 0; i < length; i++)
    if (bytes[i] === 0xfd) {
      if (bytes[i + 1] === 0x80 && bytes[i + 2] === 2) {
        bytes[i + 1] = 0x8e;
        bytes[i + 2] = 0;
      } else if (bytes[i + 1] === 0) {
        if (bytes[i + 2] === 3) bytes[i + 5]++;
        else if (bytes[i + 2] === 2) multiplier = bytes[i + 5];
      } else if (bytes[i + 1] === 0xab && bytes[i - 1] === 0 && bytes[i - 3] === 0x41) {
        // `i32.const count` and `i32x4.shl` become `local.get multiplier` and `i32x4.mul`.
        bytes[i - 3] = 0x20;
        bytes[i - 2] = multiplier | 0x80;
        bytes[i + 1] = 0xb5;
      }
    }
}
