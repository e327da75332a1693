// The public calls of disk.js whose use of memory is recorded.
import type { DiskOptions, PageCipher } from '../../../../lanewise/src/disk.ts';
import { ANY, bound, bytes, key, message, type Library, type Recorded, type Scenario } from '../../claims/recorded.ts';

declare module '../../claims/recorded.ts' {
  interface Library {
    readonly disk: typeof import('../../../../lanewise/src/disk.ts');
  }
}

const CIPHERS = ['adiantum', 'hpolyc'] as const;
const tweak = bytes(32, 2000);
/** Lengths around blocks of AES and sets; a piece of NH; a sector and a page; the stage, and one byte more. */
const LENGTHS = [16, 17, 100, 256, 272, 1041, 4096, 65_536, 65_537, ...ANY.map((length) => length + 16)];
/** Pages and their numbers: with and without room between them, in several calls, and with one page per call. */
const MANY = [
  [100, 3],
  [512, 5],
  [512, 130],
  [66_000, 2],
] as const;

type Name = (typeof CIPHERS)[number];
const make = ({ disk }: Library, name: Name, options?: DiskOptions): PageCipher => disk[name](key, options);

function keys(name: Name): Scenario[] {
  return ([8, 12, 20] as const).map((rounds) => ({
    group: 'disk, keys',
    name: `${name}, ${rounds} rounds`,
    remains: 'nothing',
    call: (library) => make(library, name, { rounds }),
  }));
}

function pages(name: Name): Scenario[] {
  const encryption = (what: string, call: Scenario['call']): Scenario => ({
    group: 'disk, encryption',
    name: `${name}, ${what}`,
    remains: 'given out',
    call,
  });
  const decryption = (what: string, call: Scenario['call']): Scenario => ({
    group: 'disk, decryption',
    name: `${name}, ${what}`,
    remains: 'nothing',
    call,
  });
  return [
    ...LENGTHS.flatMap((length) => [
      encryption(`${length} bytes`, (library) => make(library, name).encrypt(message(length), tweak)),
      decryption(`${length} bytes`, (library) => make(library, name).decrypt(message(length), tweak.subarray(0, 12))),
    ]),
    ...MANY.flatMap(([pageSize, count]) => [
      encryption(`${count} pages of ${pageSize} bytes`, (library) =>
        make(library, name).encryptPages(message(pageSize * count), { pageSize, tweak: 'index64' }),
      ),
      decryption(`${count} pages of ${pageSize} bytes`, (library) =>
        make(library, name).decryptPages(message(pageSize * count), { pageSize, first: 7n, tweak: () => tweak }),
      ),
    ]),
  ];
}

export const diskRecorded: Recorded = {
  groups: { disk: ['disk, keys', 'disk, encryption', 'disk, decryption'] },
  doors: ['disk'],
  async bindings() {
    const { diskKernel, diskInstance } = await import('../../../../lanewise/src/disk/binding.ts');
    return { disk: bound(diskKernel, diskInstance) };
  },
  scenarios: () => CIPHERS.flatMap((name) => [...keys(name), ...pages(name)]),
};
