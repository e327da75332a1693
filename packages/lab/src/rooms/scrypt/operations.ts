/** scrypt with N = 2^14, r = 8, p = 1: 16 MiB of memory. The key is the password, the data are the salt. */
import { unhex } from '../../client/bytes.ts';
import { inNode, library, ours } from '../../client/entrants.ts';
import { asynchronous, synchronous, workBy, type Operation, type SynchronousStart } from '../../client/operation.ts';

const KEY_BYTES = 32;
const parameters = { N: 2 ** 14, r: 8, p: 1, dkLen: KEY_BYTES };
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

async function byNoble(): Promise<SynchronousStart> {
  const { scrypt } = await import('@noble/hashes/scrypt.js');
  return (password) => (salt) => scrypt(password, salt, parameters);
}

export const derive: Operation = {
  id: 'scrypt/derive',
  primitive: 'scrypt',
  operation: 'derive',
  work: workBy(byNoble),
  entrants: [
    ours(async () => {
      const { scryptSync } = await import('lanewise/scrypt.js');
      return (password) => (salt) => scryptSync(password, salt, parameters);
    }),
    library('noble', async () =>
      synchronous((await import('../../client/contestants/noble.ts')).nobleSha256, await byNoble()),
    ),
    library('hash-wasm', async () => {
      const { hashWasmBlake3 } = await import('../../client/contestants/hash-wasm.ts');
      const { scrypt } = await import('hash-wasm');
      const { N: costFactor, r: blockSize, p: parallelism, dkLen: hashLength } = parameters;
      return asynchronous(
        hashWasmBlake3,
        (password) => (salt) =>
          scrypt({ password, salt, costFactor, blockSize, parallelism, hashLength, outputType: 'binary' }),
      );
    }),
    inNode('node:crypto', ({ nodeCrypto, nodeScrypt }) =>
      synchronous(nodeCrypto, (password) => (salt) => nodeScrypt(password, salt, parameters)),
    ),
  ],
  // RFC 7914 §12, the first half of the third vector.
  knownAnswer: {
    key: utf8('pleaseletmein'),
    nonce: new Uint8Array(),
    data: utf8('SodiumChloride'),
    expected: unhex('7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2'),
  },
};

export const operations: readonly Operation[] = [derive];
