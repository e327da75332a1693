/** The raw ciphers of `lanewise/chacha.js`. */
export const streamNames = [
  'chacha8',
  'chacha12',
  'chacha20',
  'chacha8orig',
  'chacha12orig',
  'chacha20orig',
  'xchacha8',
  'xchacha12',
  'xchacha20',
] as const;
