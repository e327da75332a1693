/** Contests of the study of disk encryption: the cost of sectors of 512 and 4096 bytes, and pages around a block. */
import { merged } from '../../client/contest.ts';
import { AUTO, EVERYONE, randomCases } from '../../client/field.ts';
import { library } from '../../client/entrants.ts';
import { endsContest, studyAbout } from '../../client/study-contests.ts';
import { synchronous, type Operation } from '../../client/operation.ts';
import type { StudyContest } from '../../client/room.ts';
import { aesXts } from '../others/operations.ts';
import { disk } from './operations.ts';

const LENGTH = 65536;

/** AES-256-XTS with plain JavaScript beside the others: noble's blocks, and the mode around them from this lab. */
const aesXtsEverywhere = (sector: number): Operation => {
  const operation = aesXts(sector);
  return {
    ...operation,
    entrants: [
      ...operation.entrants,
      library('noble', async () => {
        const { nobleAes, xtsByNoble } = await import('../../client/contestants/noble.ts');
        return synchronous(nobleAes, xtsByNoble(sector));
      }),
    ],
  };
};

/** The ciphers side by side, each contestant with the name of its cipher. */
const sectors = (bytes: number, ciphers: readonly Operation[]): StudyContest =>
  studyAbout(disk.sectors, `disks/sectors/${bytes}`, {
    title: `Disk encryption, sectors of ${bytes} bytes`,
    parameters: { length: LENGTH, sector: bytes },
    prepare: ({ random }) =>
      merged(
        ciphers.map((cipher) =>
          randomCases(cipher, EVERYONE, LENGTH, random, { name: (contestant) => `${contestant}, ${cipher.primitive}` }),
        ),
      ),
  });

/** Around a block of the cipher, a sector and a page. */
const LENGTHS = [495, 496, 497, 511, 512, 513, 528, 4079, 4080, 4081, 4095, 4096, 4097, 4112];

const ends = endsContest(disk.page, 'disks/ends/adiantum', 'Adiantum, one page of any length', AUTO, LENGTHS);

export const studyContests: readonly StudyContest[] = [
  sectors(512, [disk.sectors, disk.hpolycSectors, aesXtsEverywhere(512)]),
  sectors(4096, [disk.pages, disk.hpolyc, aesXtsEverywhere(4096)]),
  ends,
];
