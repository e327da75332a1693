/** The library's tests that run on native code: those of the rooms that have it, or use one that does. */
export const rooms: readonly string[] = [
  ...['blake3', 'chacha', 'salsa', 'serpent', 'disk', 'nacl', 'library', 'stream', 'siv'],
  ...['argon2', 'scrypt'],
];

/**
 * They know the masks at the start of each engine's memory: with native code, short kernels have those of simd. The tests of
 * packages/native look for bytes that stay.
 */
export const notOnNative: readonly string[] = ['library/wiping', 'salsa/wiping', 'stream/wiping'];
