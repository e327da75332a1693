/** Pages of a long buffer on several threads, in place, beside AES-256-XTS of its parts by node:crypto in workers. */
import { nodeContestants } from '../../client/entrants.ts';
import { fillerOf } from '../../client/long-data.ts';
import { randomBytes, type Random } from '../../client/random.ts';
import type { LongWork, Peer, ThreadsEntry } from '../../client/room.ts';
import { disk } from './operations.ts';

const PAGE = 4096;
const OPTIONS = { pageSize: PAGE, tweak: 'index64' } as const;
/** Of pages that another implementation encrypts, too. */
const CHECKED_BYTES = 16 * PAGE;
const XTS_KEY_BYTES = 64;

async function begin(bytes: number, random: Random): Promise<LongWork> {
  const { adiantum } = await import('lanewise/disk.js');
  const key = randomBytes(32, random);
  const cipher = adiantum(key);
  const fill = fillerOf(random);
  const buffers: Uint8Array[] = [new Uint8Array(bytes)];
  if (typeof SharedArrayBuffer !== 'undefined') buffers.push(new Uint8Array(new SharedArrayBuffer(bytes)));
  const [own, shared] = buffers;
  fill(own);
  const { expected } = await disk.pages.work(own.slice(0, CHECKED_BYTES), key, new Uint8Array(8));
  const peerKey = randomBytes(XTS_KEY_BYTES, random);
  return {
    bytes,
    run: async (take, pool) =>
      take(pool ? await pool.encryptPages(cipher, own, OPTIONS) : cipher.encryptPages(own, OPTIONS)),
    ...((shared as Uint8Array | undefined) && {
      shared: async (take, pool) => take(await pool.encryptPages(cipher, shared, OPTIONS)),
    }),
    restore: () => buffers.forEach(fill),
    beginning: expected,
    part(_, count, all) {
      const data = new Uint8Array(all / count);
      fill(data);
      return { data: data.buffer, out: new ArrayBuffer(data.length), key: peerKey, first: 0 };
    },
  };
}

const first = (number: number): Uint8Array => Uint8Array.of(number, 0, 0, 0, 0, 0, 0, 0);

const peers: readonly Peer[] = [
  {
    name: 'node:crypto, AES-256-XTS',
    nodeOnly: true,
    contestant: async () => (await nodeContestants()).nodeCrypto,
    async worker() {
      const { nodeXts } = await nodeContestants();
      const start = nodeXts(PAGE);
      return ({ data, out, key, first: number }) => {
        start(key, first(number))(data, out);
        return out.length;
      };
    },
    async expected({ data, key, first: number }) {
      const { xtsByNoble } = await import('../../client/contestants/noble.ts');
      const out = new Uint8Array(CHECKED_BYTES);
      xtsByNoble(PAGE)(key, first(number))(new Uint8Array(data, 0, CHECKED_BYTES), out);
      return out;
    },
  },
];

const { id, primitive } = disk.pages;
export const threads: readonly ThreadsEntry[] = [
  { id, operation: { primitive, operation: 'pages in place' }, begin, peers },
];
