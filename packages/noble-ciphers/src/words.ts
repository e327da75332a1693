/** HChaCha and HSalsa20 in noble's shape. */

/** Constants of 4 words, key of 8, input of 4, and an output of 8, which may be the key. */
export type Extend = (constants: Uint32Array, key: Uint32Array, input: Uint32Array, output: Uint32Array) => void;

const isWords = (value: unknown, length: number): boolean => value instanceof Uint32Array && value.length === length;

export const extendOf =
  (ours: Extend, theirs: Extend): Extend =>
  (constants, key, input, output) =>
    isWords(constants, 4) && isWords(key, 8) && isWords(input, 4) && isWords(output, 8)
      ? ours(constants, key, input, output)
      : theirs(constants, key, input, output);
