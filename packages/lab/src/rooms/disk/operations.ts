/**
 * Disk encryption: Adiantum and HPolyC with XChaCha12, one page, and many pages in one call; beside them AES-256-XTS.
 */
import { joined, unhex } from '../../client/bytes.ts';
import { byJavaScript, natives, ours } from '../../client/entrants.ts';
import type { Operation, SynchronousStart, Work } from '../../client/operation.ts';
import { aesCtr, aesXts } from '../others/operations.ts';

const library = () => import('lanewise/disk.js');
type Disk = Awaited<ReturnType<typeof library>>;

/** Page sizes. Shorter messages are one page, because whole pages are measured. */
const SECTOR = 512;
const PAGE = 4096;
const LEAST = 16;
const pageSizeOf = (data: Uint8Array, most: number): number => Math.min(most, data.length);

const many =
  (name: 'adiantum' | 'hpolyc', most: number) =>
  (disk: Disk): SynchronousStart =>
  (key) => {
    const cipher = disk[name](key);
    return (data, out) => {
      out.set(data);
      return cipher.encryptPages(out, { pageSize: pageSizeOf(data, most), tweak: 'index64' });
    };
  };
const starts = {
  page:
    ({ adiantum }: Disk): SynchronousStart =>
    (key, tweak) => {
      const cipher = adiantum(key);
      return (data, out) => cipher.encrypt(data, tweak, out);
    },
  sectors: many('adiantum', SECTOR),
  pages: many('adiantum', PAGE),
  'HPolyC sectors': many('hpolyc', SECTOR),
  'HPolyC pages': many('hpolyc', PAGE),
};
type Name = keyof typeof starts;

/**
 * Computed by the Go module lukechampine.com/adiantum v1.1.1: 64 bytes of 3 under a key of ones, with the given tweak.
 */
const numbered =
  '6293c48c74984bcdcd4c35a2876f3165753b900db12ff2b8c330f694aad23a166d57dd3b2a32692fc95467dc1741eb71231f9398d44c3f2603a69a09f8fbe393';
const numberedHpolyc = {
  tweak: 0,
  answer:
    '82378b90431d71cf3992865c5e6d6cd9c64dcc00bfb2300216970e9769f33f84a85ca0fdbe905be7d51eb184b01fc59dd5ee5480d0eeda4de351ab40fbf58d7e',
};
const answers: Readonly<Record<Name, { readonly tweak: number; readonly answer: string }>> = {
  page: {
    tweak: 2,
    answer:
      '964f3502454ffd05ef3146f7568b631fa42044db6f997365944be6951a44420bf23653a1b69ec392c87db89a5a2764cb42c1dbbe2cd9ac05a8c3e0bc2b18a794',
  },
  sectors: { tweak: 0, answer: numbered },
  pages: { tweak: 0, answer: numbered },
  'HPolyC sectors': numberedHpolyc,
  'HPolyC pages': numberedHpolyc,
};

/** The whole pages of a message; the shortest page if the message is shorter than that. */
function pagesOf(message: Uint8Array, most: number): Uint8Array {
  if (message.length < LEAST) return new Uint8Array(LEAST);
  return message.length < most ? message : message.subarray(0, message.length - (message.length % most));
}

function operation(name: Name, primitive: string, most: number, beside: readonly Operation[] = []): Operation {
  const { tweak, answer } = answers[name];
  const [cipher, called] = [primitive.toLowerCase(), name.split(' ').at(-1)!];
  return {
    id: `${cipher}/${called}`,
    primitive,
    operation: called,
    async work(message, key, nonce): Promise<Work> {
      const data = pagesOf(message, most);
      // No other library that runs in every engine has these ciphers.
      const expected = await byJavaScript(library, (disk) =>
        joined(starts[name](disk)(key, nonce)(data, new Uint8Array(data.length))),
      );
      return { key, nonce, data, expected };
    },
    entrants: [
      ours(async () => starts[name](await library())),
      // The Go module only encrypts pages whose tweak is their number.
      ...(name === 'page' ? [] : [natives(`${cipher}-${called}`, ['adiantum'])]),
    ],
    knownAnswer: {
      key: new Uint8Array(32).fill(1),
      nonce: new Uint8Array(8).fill(tweak),
      data: new Uint8Array(64).fill(3),
      expected: unhex(answer),
    },
    beside,
  };
}

export const disk = {
  page: operation('page', 'Adiantum', 1),
  sectors: operation('sectors', 'Adiantum', SECTOR, [aesXts(SECTOR)]),
  pages: operation('pages', 'Adiantum', PAGE, [aesXts(PAGE), aesCtr]),
  hpolycSectors: operation('HPolyC sectors', 'HPolyC', SECTOR),
  hpolyc: operation('HPolyC pages', 'HPolyC', PAGE),
};

export const operations: readonly Operation[] = Object.values(disk);
