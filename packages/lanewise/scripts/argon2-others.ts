/** Argon2id of other libraries, for scripts that measure ours beside them. */
import * as nodeCrypto from 'node:crypto';
import { argon2id as nobleArgon2id } from '@noble/hashes/argon2.js';
import { argon2id as wasmArgon2id } from 'hash-wasm';
import sodium from 'libsodium-wrappers-sumo';

/** By name, functions that derive 32 bytes with `t` passes over `m` KiB in one lane. node:crypto has Argon2 from Node 24.7 on. */
export async function argon2Others(
  password: Uint8Array,
  salt: Uint8Array,
  { t, m }: { readonly t: number; readonly m: number },
): Promise<Readonly<Record<string, () => unknown>>> {
  await sodium.ready;
  const costs = { memorySize: m, iterations: t, parallelism: 1, hashLength: 32, outputType: 'binary' } as const;
  const native = (nodeCrypto as { argon2Sync?: (name: string, options: object) => Uint8Array }).argon2Sync;
  return {
    'hash-wasm': () => wasmArgon2id({ password, salt, ...costs }),
    'libsodium.js': () => sodium.crypto_pwhash(32, password, salt, t, 1024 * m, sodium.crypto_pwhash_ALG_ARGON2ID13),
    noble: () => nobleArgon2id(password, salt, { t, m, p: 1, dkLen: 32 }),
    ...(native && {
      'node:crypto': () =>
        native('argon2id', { message: password, nonce: salt, parallelism: 1, passes: t, memory: m, tagLength: 32 }),
    }),
  };
}
