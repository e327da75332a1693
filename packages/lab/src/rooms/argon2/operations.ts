/** Argon2id with m = 2^14, t = 1, p = 1: 16 MiB of memory. The key is the password, the data are the salt. */
import { unhex } from '../../client/bytes.ts';
import { library, ours } from '../../client/entrants.ts';
import { asynchronous, synchronous, workBy, type Operation, type SynchronousStart } from '../../client/operation.ts';

const KEY_BYTES = 32;
const parameters = { m: 2 ** 14, t: 1, p: 1, dkLen: KEY_BYTES };
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

async function byNoble(): Promise<SynchronousStart> {
  const { argon2id } = await import('@noble/hashes/argon2.js');
  return (password) => (salt) => argon2id(password, salt, parameters);
}

export const derive: Operation = {
  id: 'argon2/derive',
  primitive: 'Argon2id',
  operation: 'derive',
  work: workBy(byNoble),
  entrants: [
    ours(async () => {
      const { argon2idSync } = await import('lanewise/argon2.js');
      return (password) => (salt) => argon2idSync(password, salt, parameters);
    }),
    library('noble', async () =>
      synchronous((await import('../../client/contestants/noble.ts')).nobleSha256, await byNoble()),
    ),
    library('libsodium.js', async () => {
      const { libsodium, libsodiumArgon2id } = await import('../../client/contestants/libsodium.ts');
      return synchronous(libsodium, (password) => (salt) => libsodiumArgon2id(password, salt, parameters));
    }),
    library('hash-wasm', async () => {
      const { hashWasmBlake3 } = await import('../../client/contestants/hash-wasm.ts');
      const { argon2id } = await import('hash-wasm');
      const { m: memorySize, t: iterations, p: parallelism, dkLen: hashLength } = parameters;
      return asynchronous(
        hashWasmBlake3,
        (password) => (salt) =>
          argon2id({ password, salt, memorySize, iterations, parallelism, hashLength, outputType: 'binary' }),
      );
    }),
  ],
  // By OpenSSL 3.5.8 and libsodium 1.0.22 alike. libsodium takes salts of 16 bytes alone, and no published vector has one and these costs.
  knownAnswer: {
    key: utf8('password'),
    nonce: new Uint8Array(),
    data: utf8('somesaltsomesalt'),
    expected: unhex('31bc2f89f197161cc9e64720bab6b033c9ddeb775f28eea037eec915aded78cb'),
  },
};

export const operations: readonly Operation[] = [derive];
