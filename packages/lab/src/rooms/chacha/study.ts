/**
 * Contests of studies that are about ChaCha20 alone. For disk encryption: how four blocks share the registers, the cost of the one
 * permutation of XChaCha20's subkey costs, and the ends of messages. For "Salsa20 speed": the bytes of code.
 */
import { unhex } from '../../client/bytes.ts';
import type { MakeXor } from '../../client/contestants/contestant.ts';
import { merged, randomWork } from '../../client/contest.ts';
import { randomCases, type Who } from '../../client/field.ts';
import { kernelCases, kernelCasesWithCode } from '../../client/kernel-cases.ts';
import { noble, ours } from '../../client/entrants.ts';
import { endsContest, SHORT_CALLS, studyAbout, WIDTHS, widthsContests } from '../../client/study-contests.ts';
import { workBy, type Operation } from '../../client/operation.ts';
import type { StudyContest } from '../../client/room.ts';
import { chacha20 } from './operations.ts';

/** The library's kernels, and those of some studies, in linear memory. */
export const kernelStudy =
  (id: string, title: string, studies: readonly string[]) =>
  (length: number): StudyContest =>
    studyAbout(chacha20, `${id}/${length}`, {
      title: `ChaCha20, ${length} bytes in linear memory: ${title}`,
      parameters: { length },
      async prepare({ random, surroundings }) {
        const { kernels } = await import('./forms.ts');
        const forms = [...kernels.ours, ...studies.flatMap((name) => kernels.studies![name])];
        return kernelCases(chacha20, forms, await randomWork(chacha20, length, random), surroundings);
      },
    });

const registers = kernelStudy('disks/registers', 'blocks in lanes, by rows, and by rows beside integers', [
  'sets',
  'rows',
  'mixed',
]);

const CODE = 4096;

/** Every kernel with the bytes of its module. */
const code = studyAbout(chacha20, `salsa20-speed/code/${CODE}`, {
  title: `ChaCha20, ${CODE} bytes in linear memory: speed and the bytes of code`,
  parameters: { length: CODE },
  async prepare({ random, surroundings }) {
    const { kernels } = await import('./forms.ts');
    const forms = [...kernels.ours, ...Object.values(kernels.studies!).flat()];
    return kernelCasesWithCode(chacha20, forms, await randomWork(chacha20, CODE, random), surroundings);
  },
});

const words = (bytes: Uint8Array): Uint32Array => new Uint32Array(Uint8Array.from(bytes).buffer);
/** "expand 32-byte k" */
const SIGMA = words(unhex('657870616e642033322d62797465206b'));
type HChaCha = (constants: Uint32Array, key: Uint32Array, input: Uint32Array, out: Uint32Array) => void;

/** The subkey of a key and the first 16 bytes of a nonce, on words. The data is the input. */
const subkeyBy =
  (hchacha: HChaCha): MakeXor =>
  (key) => {
    const [keyWords, input, subkey] = [words(key), new Uint32Array(4), new Uint32Array(8)];
    const inputBytes = new Uint8Array(input.buffer);
    const output = new Uint8Array(subkey.buffer);
    return (data) => {
      inputBytes.set(data);
      hchacha(SIGMA, keyWords, input, subkey);
      return output;
    };
  };

const nobleChacha = () => import('@noble/ciphers/chacha.js');

const hchacha20: Operation = {
  id: 'hchacha20/subkey',
  primitive: 'HChaCha20',
  operation: 'subkey',
  work: async (message, key, nonce) =>
    workBy(async () => subkeyBy((await nobleChacha()).hchacha))(
      message.length < 16 ? new Uint8Array(16) : message.slice(0, 16),
      key,
      nonce,
    ),
  entrants: [
    ours(async () => subkeyBy((await import('lanewise/chacha.js')).hchacha)),
    noble(async () => subkeyBy((await nobleChacha()).hchacha)),
  ],
  // draft-irtf-cfrg-xchacha-03 §2.2.1
  knownAnswer: {
    key: unhex('000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f'),
    nonce: new Uint8Array(),
    data: unhex('000000090000004a0000000031415927'),
    expected: unhex('82413b4227b27bfed30e42508a877d73a0f9e4d58a74a853c12ec41326d3ecdc'),
  },
};

const xorBy =
  (cipher: (key: Uint8Array, nonce: Uint8Array, data: Uint8Array, out: Uint8Array) => Uint8Array): MakeXor =>
  (key, nonce) =>
  (data, out) =>
    cipher(key, nonce, data, out);

const xchacha20: Operation = {
  id: 'xchacha20/encrypt',
  primitive: 'XChaCha20',
  operation: 'encrypt',
  work: workBy(async () => xorBy((await nobleChacha()).xchacha20)),
  entrants: [
    ours(async () => xorBy((await import('lanewise/chacha.js')).xchacha20)),
    noble(async () => xorBy((await nobleChacha()).xchacha20)),
  ],
  // draft-irtf-cfrg-xchacha-03 §A.3.2, with a counter of 0.
  knownAnswer: {
    key: unhex('808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f'),
    nonce: unhex('404142434445464748494a4b4c4d4e4f5051525354555658'),
    data: unhex('5468652064686f6c65202870726f6e6f756e6365642022646f6c652229206973'),
    expected: unhex('4559abba4e48c16102e8bb2c05e6947f50a786de162f9b0b7e592a9b53d0d4e9'),
  },
};

const both: Who = { ours: ['auto', 'scalar'], rivals: ['noble'] };
/** Lengths of messages beside which the subkey is seen. */
const BESIDE = [64, 512, 4096];

const subkey = studyAbout(hchacha20, 'disks/subkey', {
  title: 'One permutation for the subkey of XChaCha20, and messages of ChaCha20 and XChaCha20',
  plan: SHORT_CALLS,
  prepare({ random }) {
    const named = (operation: Operation, length: number) =>
      randomCases(operation, both, length, random, {
        name: (contestant) => `${contestant}, ${operation.primitive}, ${length} bytes`,
        parameters: { length },
      });
    return merged([
      named(hchacha20, 16),
      ...[chacha20, xchacha20].flatMap((operation) => BESIDE.map((length) => named(operation, length))),
    ]);
  },
});

const around = (length: number): readonly number[] => [length - 1, length, length + 1];
/** Around one block, four blocks, a sector, the twelve blocks of the library's sets, a page, and whole groups of them. */
const LENGTHS = [1, ...[64, 128, 192, 256, 512, 768, 1024, 4096].flatMap(around)];

const ends = endsContest(
  chacha20,
  'disks/ends/chacha20',
  'ChaCha20: lengths around a block, a set and a sector',
  { ours: ['auto'], rivals: ['noble'] },
  LENGTHS,
);

export const studyContests: readonly StudyContest[] = [
  ...[64, 128, 192, 256, 65536].map(registers),
  subkey,
  ends,
  code,
  ...widthsContests(chacha20, WIDTHS),
];
