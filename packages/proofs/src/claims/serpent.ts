// Serpent in CTR, ECB, CBC and OCB mode: every function, on every key and message, against the submission to AES, NIST
// SP 800-38A and RFC 7253. Specifications come first: what they name, the kernel's terms are made of.
import * as layout from '../../../lanewise/src/serpent/map.ts';
import type { Range, Ranges } from '../execute/machine.ts';
import type { Kernel } from '../kernels.ts';
import { bytesOf, wordsOf, xorBytes } from '../specifications/algebra.ts';
import * as ocb from '../specifications/ocb.ts';
import { decipher, decryptBlock, encipher, encryptBlock, roundKeys } from '../specifications/serpent.ts';
import * as terms from '../terms/term.ts';
import type { Term } from '../terms/term.ts';
import { counted } from './amounts.ts';
import { require, type Claim } from './claim.ts';
import { expectBytes, expectNoEvents, publicBytes, secrets } from './compare.ts';
import { onMachine } from './machine.ts';
import type { Runnable, RunnableKernel } from './runnable.ts';
import { serpentSymbols as w } from './serpent-symbols.ts';

const { AAD, BLOCK, CHECKSUM, COUNTER, DATA, IV, KEY, OFFSET, OFFSETS, ROUND, SETS, STRETCH, TAG, WORK } = layout;
const ROUND_BYTES = 33 * BLOCK;
const KEY_LENGTHS = [16, 24, 32] as const;

export interface SerpentForm {
  /** Whether blocks are in sets of four, of which the last is read and written whole. */
  readonly lanes: boolean;
}
export const formOf = ({ form }: Kernel): SerpentForm => ({ lanes: form !== 'scalar' });

/** One block, a set, a group; what is cut short, and what follows a group. */
const blockCounts = ({ lanes }: SerpentForm): number[] => (lanes ? [1, 2, 4, 5, 16, 17, 33] : [1, 2, 15, 16, 17]);
const fewCounts = ({ lanes }: SerpentForm): number[] => (lanes ? [1, 5, 17] : [1, 3]);

/** The work areas, and the blocks at DATA with what may be behind them. */
export function rangesOf(length: number): Required<Ranges> {
  const data: Range = { from: IV, to: DATA + ((length + 15) & -16) + layout.MARGIN };
  const keys: Range = { from: KEY, to: ROUND + ROUND_BYTES };
  const work: Range = { from: SETS, to: COUNTER + BLOCK };
  return { reads: [keys, work, data], writes: [keys, work, data] };
}

const blocksOf = (bytes: readonly Term[]): Term[][] =>
  Array.from({ length: bytes.length / BLOCK }, (_, i) => bytes.slice(BLOCK * i, BLOCK * (i + 1)));

/** A key of which nothing is known; a short one with its padding, as the caller writes it. */
function keyOf(length: 16 | 24 | 32 = 32) {
  const bytes = secrets('key', length);
  const keys = roundKeys(w, bytes);
  const padding = length === 32 ? [] : publicBytes(1n, 32 - length);
  return {
    memory: [...bytes, ...padding],
    encrypt: (block: readonly Term[]) => encryptBlock(w, keys, block),
    decrypt: (block: readonly Term[]) => decryptBlock(w, keys, block),
    encipher: (block: readonly Term[]) => encipher(w, keys, block),
    decipher: (block: readonly Term[]) => decipher(w, keys, block),
  };
}
type Key = ReturnType<typeof keyOf>;

function started(kernel: RunnableKernel, key: Key, length: number): Runnable {
  const run = kernel.start(rangesOf(length));
  run.write(KEY, key.memory);
  return run;
}

/** Counters whose last bytes are carried out of, one more of them each time, and one that ends. */
const counters = (blocks: number): bigint[] => [
  0x0102030405060708090a0b0c0d0e0f10n,
  ...[32n, 64n, 96n].map((bits) => (0x5an << 112n) + (1n << bits) - 1n),
  2n ** 128n - BigInt(blocks),
];

function proveCtr(kernel: RunnableKernel, big: 0 | 1, blocks: number, counter: bigint, keyLength: 16 | 24 | 32): void {
  const what = `CTR, ${big ? 'big' : 'little'}-endian, ${blocks} blocks from ${counter}, key of ${keyLength} bytes`;
  const key = keyOf(keyLength);
  const data = secrets('data', BLOCK * blocks);
  const keystream = Array.from({ length: blocks }, (_, i) => {
    const bytes = publicBytes(counter + BigInt(i), BLOCK);
    return key.encrypt(big ? bytes.reverse() : bytes);
  });
  const run = started(kernel, key, data.length);
  run.write(COUNTER, publicBytes(counter, BLOCK));
  run.write(DATA, data);
  run.call('ctr', 1, big, blocks);
  expectNoEvents(run, what);
  expectBytes(run, DATA, xorBytes(w, data, keystream.flat()), what);
}

/** Two calls, of which the second goes on with the first one's keys and counter; the first is of whole groups. */
function proveCtrParts(kernel: RunnableKernel): void {
  const key = keyOf();
  const first = 2n ** 64n - 3n;
  const data = secrets('data', BLOCK * 3);
  const keystream = Array.from({ length: 3 }, (_, i) =>
    key.encrypt(publicBytes(first + 16n + BigInt(i), BLOCK).reverse()),
  );
  const run = started(kernel, key, BLOCK * 16);
  run.write(COUNTER, publicBytes(first, BLOCK));
  run.write(DATA, secrets('before', BLOCK * 16));
  run.call('ctr', 1, 1, 16);
  run.write(DATA, data);
  run.call('ctr', 0, 1, 3);
  expectNoEvents(run, 'CTR in parts');
  expectBytes(run, DATA, xorBytes(w, data, keystream.flat()), 'CTR in parts');
}

const MODES = ['ecbEncrypt', 'ecbDecrypt', 'cbcEncrypt', 'cbcDecrypt'] as const;
type Mode = (typeof MODES)[number];

function expectedOf(mode: Mode, key: Key, iv: readonly Term[], blocks: readonly Term[][]): Term[] {
  if (mode === 'ecbEncrypt') return blocks.flatMap(key.encrypt);
  if (mode === 'ecbDecrypt') return blocks.flatMap(key.decrypt);
  if (mode === 'cbcDecrypt')
    return blocks.flatMap((block, i) => xorBytes(w, key.decrypt(block), i ? blocks[i - 1] : iv));
  let before = iv;
  return blocks.flatMap((block) => (before = key.encrypt(xorBytes(w, block, before))));
}

function proveMode(kernel: RunnableKernel, mode: Mode, blocks: number, keyLength: 16 | 24 | 32): void {
  const what = `${mode}, ${blocks} blocks, key of ${keyLength} bytes`;
  const key = keyOf(keyLength);
  const iv = secrets('iv', BLOCK);
  const data = secrets('data', BLOCK * blocks);
  const expected = expectedOf(mode, key, iv, blocksOf(data));
  const run = started(kernel, key, data.length);
  run.write(IV, iv);
  run.write(DATA, data);
  run.call(mode, 1, blocks);
  expectNoEvents(run, what);
  expectBytes(run, DATA, expected, what);
}

/** Two calls of a block each, of which the second has the round keys that the first has made. */
function proveModeParts(kernel: RunnableKernel, mode: Mode): void {
  const key = keyOf();
  const iv = secrets('iv', BLOCK);
  const data = secrets('data', 2 * BLOCK);
  const expected = expectedOf(mode, key, iv, blocksOf(data));
  const run = started(kernel, key, BLOCK);
  for (const from of [0, BLOCK]) {
    // The block before is the caller's to know.
    run.write(IV, from ? (mode === 'cbcEncrypt' ? expected : data).slice(0, BLOCK) : iv);
    run.write(DATA, data.slice(from, from + BLOCK));
    run.call(mode, from ? 0 : 1, 1);
    expectNoEvents(run, `${mode} in parts`);
    expectBytes(run, DATA, expected.slice(from, from + BLOCK), `${mode} in parts, from ${from}`);
  }
}

function proveMany(kernel: RunnableKernel, streams: number, blocks: number): void {
  const what = `cbcMany, ${streams} streams of ${blocks} blocks`;
  const stride = BLOCK * (blocks + 1);
  const key = keyOf();
  const ivs = Array.from({ length: streams }, (_, i) => secrets(`iv${i}`, BLOCK));
  const data = ivs.map((_, i) => secrets(`data${i}`, BLOCK * blocks));
  const expected = data.map((bytes, i) => expectedOf('cbcEncrypt', key, ivs[i], blocksOf(bytes)));
  const run = started(kernel, key, stride * streams);
  run.write(WORK, ivs.flat());
  data.forEach((bytes, i) => {
    run.write(DATA + stride * i, bytes);
  });
  run.call('cbcMany', 1, streams, stride, blocks);
  expectNoEvents(run, what);
  expected.forEach((bytes, i) => {
    expectBytes(run, DATA + stride * i, bytes, `${what}: stream ${i}`);
    expectBytes(run, WORK + BLOCK * i, bytes.slice(-BLOCK), `${what}: the last block of stream ${i}`);
  });
}

/** Two calls, of which the second goes on with the first one's round keys and last blocks. */
function proveManyParts(kernel: RunnableKernel): void {
  const key = keyOf();
  const iv = secrets('iv', BLOCK);
  const data = secrets('data', 2 * BLOCK);
  const expected = expectedOf('cbcEncrypt', key, iv, blocksOf(data));
  const run = started(kernel, key, BLOCK);
  run.write(WORK, iv);
  for (const from of [0, BLOCK]) {
    run.write(DATA, data.slice(from, from + BLOCK));
    run.call('cbcMany', from ? 0 : 1, 1, BLOCK, 1);
    expectNoEvents(run, 'cbcMany in parts');
    expectBytes(run, DATA, expected.slice(from, from + BLOCK), `cbcMany in parts, from ${from}`);
  }
}

/** What OCB makes of a message and of a ciphertext, with a nonce block of which nothing is known. */
function ocbOf(bottom: number, aadLength: number, length: number, open: boolean) {
  const key = keyOf();
  const nonce = secrets('nonce', BLOCK);
  const aad = secrets('aad', aadLength);
  const text = secrets('text', length);
  const own = ocb.ocbKey(w, key.encipher);
  const sum = ocb.hash(w, own, key.encipher, aad);
  const start = ocb.firstOffset(w, key.encipher, wordsOf(w, nonce), bottom);
  const made = ocb.blocks(w, own, key.encipher, open ? key.decipher : undefined, start, text);
  return { key, nonce, aad, text, made: made.text, tag: ocb.tagOf(w, own, key.encipher, made, sum) };
}

/** 1 if the bytes are the same, as the kernel is to find out: no bit of any of the four words differs. */
function verdictOf(x: readonly Term[], y: readonly Term[]): Term {
  counted('verdicts', 1);
  const differences = [0, 4, 8, 12].map((i) =>
    terms.xor(terms.concat(...x.slice(i, i + 4)), terms.concat(...y.slice(i, i + 4))),
  );
  return terms.isZero(differences.reduce((all, difference) => terms.or(all, difference)));
}

function proveOcb(kernel: RunnableKernel, open: boolean, bottom: number, aadLength: number, length: number): void {
  const what = `OCB ${open ? 'open' : 'seal'}, bottom ${bottom}, ${aadLength} and ${length} bytes`;
  const { key, nonce, aad, text, made, tag } = ocbOf(bottom, aadLength, length, open);
  const given = open ? secrets('tag', BLOCK) : [];
  const run = started(kernel, key, length);
  run.write(STRETCH, nonce);
  run.write(AAD, aad);
  run.write(DATA, [...text, ...given]);
  const verdict = run.call(open ? 'open' : 'seal', bottom, aadLength, length);
  expectNoEvents(run, what);
  expectBytes(run, DATA, open ? made : [...made, ...tag], what);
  if (open) require(verdict === verdictOf(tag, given), () => `${what}: another verdict`);
}

/** The same in two parts, the first of one group, with its tag left at CHECKSUM. */
function proveOcbParts(kernel: RunnableKernel, open: boolean): void {
  const what = `OCB ${open ? 'decrypt' : 'encrypt'} in parts`;
  const [group, rest] = [BLOCK * 16, 21];
  const { key, nonce, aad, text, made, tag } = ocbOf(33, group + rest, group + rest, open);
  const given = secrets('tag', BLOCK);
  const run = started(kernel, key, group);
  run.write(STRETCH, nonce);
  run.write(TAG, given);
  run.call('begin', 33);
  for (const [number, from, length] of [
    [0, 0, group],
    [16, group, rest],
  ]) {
    run.write(DATA, aad.slice(from, from + length));
    run.call('hash', DATA, number, length);
  }
  for (const [number, from, length] of [
    [0, 0, group],
    [16, group, rest],
  ]) {
    run.write(DATA, text.slice(from, from + length));
    run.call(open ? 'decrypt' : 'encrypt', number, length);
    expectBytes(run, DATA, made.slice(from, from + length), `${what}: part from ${from}`);
  }
  run.call('finish');
  const verdict = run.call('verify');
  expectNoEvents(run, what);
  expectBytes(run, CHECKSUM, tag, `${what}: tag`);
  require(verdict === verdictOf(tag, given), () => `${what}: another verdict`);
}

/**
 * RFC 7253 §2, §4.1: the offsets of sixteen blocks from any offset on, behind a block number that the next sixteen reach a
 * number with so many trailing zeros from: L is asked for at each of its places that block numbers of 32 bits have.
 */
function proveOffsets(kernel: RunnableKernel): void {
  const key = keyOf();
  const { l } = ocb.ocbKey(w, key.encipher);
  const run = started(kernel, key, BLOCK);
  run.write(STRETCH, secrets('nonce', BLOCK));
  run.call('begin', 0);
  for (let zeros = 4; zeros < 32; zeros++) {
    // Odd above the zeros, and as many bits set as there is room for.
    const number = 2 ** 32 - 2 ** zeros - 16;
    const what = `offsets behind block ${number}`;
    const before = secrets(`offset ${zeros}`, BLOCK);
    run.write(OFFSET, before);
    run.write(DATA, secrets('data', BLOCK));
    run.call('hash', DATA, number | 0, BLOCK);
    expectNoEvents(run, what);
    let offset = wordsOf(w, before);
    for (let i = 1; i <= 16; i++) {
      offset = offset.map((word, j) => terms.xor(word, l(ocb.ntz(number + i))[j]));
      expectBytes(run, OFFSETS + BLOCK * (i - 1), bytesOf(w, offset), `${what}: ${i}`);
    }
  }
}

/** What one claim cuts is no business of the next. */
const claimOf =
  ({ name }: RunnableKernel) =>
  (text: string, prove: () => void): Claim => ({
    kernel: name,
    topic: 'serpent',
    claim: text,
    prove() {
      terms.forgetTerms();
      try {
        prove();
      } finally {
        terms.forgetTerms();
      }
    },
  });

export function serpentCtrStatements(kernel: RunnableKernel, form: SerpentForm): Claim[] {
  const claim = claimOf(kernel);
  const counts = blockCounts(form);
  const few = fewCounts(form);
  return [
    claim(`CTR, big-endian: ${counts.join(', ')} blocks`, () => {
      for (const blocks of counts) proveCtr(kernel, 1, blocks, counters(blocks)[0], 32);
    }),
    claim(`CTR, little-endian, keys of 16 and 24 bytes: ${few.join(', ')} blocks`, () => {
      for (const blocks of few) for (const size of KEY_LENGTHS) proveCtr(kernel, 0, blocks, counters(blocks)[0], size);
    }),
    claim('CTR: counters of 128 bits where they carry and where they end', () => {
      const blocks = few[1];
      for (const big of [0, 1] as const)
        for (const counter of counters(blocks)) proveCtr(kernel, big, blocks, counter, 32);
    }),
    claim('CTR in parts', () => {
      proveCtrParts(kernel);
    }),
  ];
}

export function serpentStatements(kernel: RunnableKernel, form: SerpentForm): Claim[] {
  const claim = claimOf(kernel);
  const counts = blockCounts(form);
  const few = fewCounts(form);
  const lengths = form.lanes ? [0, 1, 16, 31, 80, 240, 257, 272, 300] : [0, 5, 16, 31, 240, 272, 300];
  return [
    ...MODES.map((mode) =>
      claim(`${mode}: ${counts.join(', ')} blocks, keys of 16, 24 and 32 bytes`, () => {
        for (const blocks of counts) proveMode(kernel, mode, blocks, 32);
        for (const size of [16, 24] as const) proveMode(kernel, mode, few[1], size);
      }),
    ),
    ...MODES.map((mode) =>
      claim(`${mode} in parts`, () => {
        proveModeParts(kernel, mode);
      }),
    ),
    claim('OCB: offsets wherever block numbers are', () => {
      proveOffsets(kernel);
    }),
    claim('cbcMany: 1, 5 and 16 streams of 1 and 3 blocks', () => {
      for (const streams of [1, 5, 16]) for (const blocks of [1, 3]) proveMany(kernel, streams, blocks);
    }),
    claim('cbcMany in parts', () => {
      proveManyParts(kernel);
    }),
    ...[false, true].flatMap((open) => [
      claim(`OCB ${open ? 'open' : 'seal'}: ${lengths.join(', ')} bytes`, () => {
        for (const length of lengths) proveOcb(kernel, open, 7, 0, length);
      }),
      claim(`OCB ${open ? 'open' : 'seal'}: additional data, first offsets`, () => {
        for (const aadLength of lengths.slice(1)) proveOcb(kernel, open, 40, aadLength, 20);
        for (const bottom of [0, 31, 32, 63]) proveOcb(kernel, open, bottom, 0, 16);
      }),
      claim(`OCB ${open ? 'decrypt' : 'encrypt'} in parts`, () => {
        proveOcbParts(kernel, open);
      }),
    ]),
  ];
}

const STATEMENTS = { 'serpent-ctr': serpentCtrStatements, serpent: serpentStatements } as const;

/** Of either kernel, whatever runs it. */
export const statementsOf = (family: keyof typeof STATEMENTS, kernel: RunnableKernel, form: SerpentForm): Claim[] =>
  STATEMENTS[family](kernel, form);

export const serpentClaims = (kernel: Kernel): Claim[] =>
  kernel.family === 'serpent' || kernel.family === 'serpent-ctr'
    ? statementsOf(kernel.family, onMachine(kernel), formOf(kernel))
    : [];
