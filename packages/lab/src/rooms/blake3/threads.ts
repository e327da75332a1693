/** BLAKE3 of a long message on several threads, beside hashes of its parts by libraries in workers. */
import { nodeContestants } from '../../client/entrants.ts';
import { longData } from '../../client/long-data.ts';
import type { Random } from '../../client/random.ts';
import type { LongWork, Peer, ThreadsEntry } from '../../client/room.ts';
import { blake3 as blake3Hash } from './operations.ts';

const DIGEST_BYTES = 32;

async function begin(bytes: number, random: Random): Promise<LongWork> {
  const [{ blake3 }, { hashWasmBlake3 }] = await Promise.all([
    import('lanewise/blake3.js'),
    import('../../client/contestants/hash-wasm.ts'),
  ]);
  const data = longData(bytes, random);
  let inShared: Uint8Array | undefined;
  if (typeof SharedArrayBuffer !== 'undefined') {
    inShared = new Uint8Array(new SharedArrayBuffer(bytes));
    inShared.set(data);
  }
  return {
    bytes,
    run: async (take, pool) => take(pool ? await pool.blake3(data) : blake3(data)),
    ...(inShared && { shared: async (take, pool) => take(await pool.blake3(inShared)) }),
    beginning: hashWasmBlake3.hash(data),
    part: (index, count, all) => ({
      data: data.slice((index * all) / count, ((index + 1) * all) / count).buffer,
      out: new ArrayBuffer(DIGEST_BYTES),
      key: new Uint8Array(0),
      first: 0,
    }),
  };
}

const peers: readonly Peer[] = [
  {
    name: 'hash-wasm',
    contestant: async () => (await import('../../client/contestants/hash-wasm.ts')).hashWasmBlake3,
    async worker() {
      const { hashWasmBlake3 } = await import('../../client/contestants/hash-wasm.ts');
      return ({ data, out }) => {
        out.set(hashWasmBlake3.hash(data));
        return DIGEST_BYTES;
      };
    },
    expected: async ({ data }) => (await import('lanewise/blake3.js')).blake3(new Uint8Array(data)),
  },
  {
    name: 'node:crypto, SHA-256',
    nodeOnly: true,
    contestant: async () => (await nodeContestants()).nodeCrypto,
    async worker() {
      const { nodeSha256 } = await nodeContestants();
      return ({ data, out }) => {
        out.set(nodeSha256(data));
        return DIGEST_BYTES;
      };
    },
    expected: async ({ data }) => (await import('@noble/hashes/sha2.js')).sha256(new Uint8Array(data)),
  },
];

const { id, primitive, operation } = blake3Hash;
export const threads: readonly ThreadsEntry[] = [{ id, operation: { primitive, operation }, begin, peers }];
