/** For `vi.mock`: it imports nothing, because a module that loads the package would load it before it is watched. */

/** `src/bytes.ts`, which keeps the copies that it makes. */
export const keepingCopies = (its: typeof import('../src/bytes.ts'), kept: Uint8Array[]): typeof its => ({
  ...its,
  copyOf(bytes) {
    const copy = its.copyOf(bytes);
    kept.push(copy);
    return copy;
  },
});
