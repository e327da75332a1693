/** Numbers from 0 to 1, the same for the same seed: xorshift. */
export function generator(state: number): () => number {
  state ||= 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
