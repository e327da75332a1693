/** The packages whose versions a result must name. */
export const PACKAGES = [
  'lanewise',
  '@noble/ciphers',
  '@noble/hashes',
  'libsodium-wrappers-sumo',
  '@stablelib/chacha20poly1305',
  '@stablelib/sha256',
  'tweetnacl',
  'hash-wasm',
  'blake3-jit',
  '@huggingface/blake3-jit',
  'blake3-wasm',
  '@fuzdev/blake3_wasm',
  'hacl-wasm',
  'bcrypto',
  'age-encryption',
] as const;
