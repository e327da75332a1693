// Serpent in CTR, ECB, CBC and OCB mode: every function, on every key and message, against the submission to AES, NIST
// SP 800-38A and RFC 7253. The specification is computed first, because the
// kernel's terms consist of the variables that it introduces.
import * as layout from '../../../../lanewise/src/serpent/map.ts';
import type { Kernel } from '../../kernels.ts';
import { xorBytes } from '../../specifications/algebra.ts';
import type { Term } from '../../terms/term.ts';
import type { Claim } from '../../claims/claim.ts';
import { expectBytes, expectNoEvents, publicBytes, secrets } from '../../claims/compare.ts';
import { onMachine } from '../../claims/machine.ts';
import type { RunnableKernel } from '../../claims/runnable.ts';
import { ocbStatements } from './ocb-claims.ts';
import { blocksOf, BLOCK_COUNTS, claimOf, formOf, keyOf, started, type Key, type SerpentForm } from './setting.ts';
import { serpentSymbols as w } from './symbols.ts';

const { BLOCK, COUNTER, STAGE, IV, WORK } = layout;
const KEY_LENGTHS = [16, 24, 32] as const;

/** Numbers of blocks where only the key or the byte order differs: one, an incomplete set, and one more than a group. */
const fewCounts = ({ lanes }: SerpentForm): number[] => (lanes ? [1, 5, 17] : [1, 3]);

/** Counters whose last bytes carry, one byte more each time, and one that wraps around. */
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
  run.write(STAGE, data);
  run.call('ctr', 1, big, blocks);
  expectNoEvents(run, what);
  expectBytes(run, STAGE, xorBytes(w, data, keystream.flat()), what);
}

/** Two calls: the first takes whole groups, and the second continues with its keys and counter. */
function proveCtrParts(kernel: RunnableKernel): void {
  const key = keyOf();
  const first = 2n ** 64n - 3n;
  const data = secrets('data', BLOCK * 3);
  const keystream = Array.from({ length: 3 }, (_, i) =>
    key.encrypt(publicBytes(first + 16n + BigInt(i), BLOCK).reverse()),
  );
  const run = started(kernel, key, BLOCK * 16);
  run.write(COUNTER, publicBytes(first, BLOCK));
  run.write(STAGE, secrets('before', BLOCK * 16));
  run.call('ctr', 1, 1, 16);
  run.write(STAGE, data);
  run.call('ctr', 0, 1, 3);
  expectNoEvents(run, 'CTR in parts');
  expectBytes(run, STAGE, xorBytes(w, data, keystream.flat()), 'CTR in parts');
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
  run.write(STAGE, data);
  run.call(mode, 1, blocks);
  expectNoEvents(run, what);
  expectBytes(run, STAGE, expected, what);
}

/** Two calls of one block each: the second uses the round keys that the first has made. */
function proveModeParts(kernel: RunnableKernel, mode: Mode): void {
  const key = keyOf();
  const iv = secrets('iv', BLOCK);
  const data = secrets('data', 2 * BLOCK);
  const expected = expectedOf(mode, key, iv, blocksOf(data));
  const run = started(kernel, key, BLOCK);
  for (const from of [0, BLOCK]) {
    // The block before is the caller's to know.
    run.write(IV, from ? (mode === 'cbcEncrypt' ? expected : data).slice(0, BLOCK) : iv);
    run.write(STAGE, data.slice(from, from + BLOCK));
    run.call(mode, from ? 0 : 1, 1);
    expectNoEvents(run, `${mode} in parts`);
    expectBytes(run, STAGE, expected.slice(from, from + BLOCK), `${mode} in parts, from ${from}`);
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
    run.write(STAGE + stride * i, bytes);
  });
  run.call('cbcMany', 1, streams, stride, blocks);
  expectNoEvents(run, what);
  expected.forEach((bytes, i) => {
    expectBytes(run, STAGE + stride * i, bytes, `${what}: stream ${i}`);
    expectBytes(run, WORK + BLOCK * i, bytes.slice(-BLOCK), `${what}: the last block of stream ${i}`);
  });
}

/** Two calls: the second continues with the first one's round keys and last blocks. */
function proveManyParts(kernel: RunnableKernel): void {
  const key = keyOf();
  const iv = secrets('iv', BLOCK);
  const data = secrets('data', 2 * BLOCK);
  const expected = expectedOf('cbcEncrypt', key, iv, blocksOf(data));
  const run = started(kernel, key, BLOCK);
  run.write(WORK, iv);
  for (const from of [0, BLOCK]) {
    run.write(STAGE, data.slice(from, from + BLOCK));
    run.call('cbcMany', from ? 0 : 1, 1, BLOCK, 1);
    expectNoEvents(run, 'cbcMany in parts');
    expectBytes(run, STAGE, expected.slice(from, from + BLOCK), `cbcMany in parts, from ${from}`);
  }
}

export function serpentCtrStatements(kernel: RunnableKernel, form: SerpentForm): Claim[] {
  const claim = claimOf(kernel);
  const few = fewCounts(form);
  return [
    claim(`CTR, big-endian: ${BLOCK_COUNTS.join(', ')} blocks`, () => {
      for (const blocks of BLOCK_COUNTS) proveCtr(kernel, 1, blocks, counters(blocks)[0], 32);
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
  const few = fewCounts(form);
  return [
    ...MODES.map((mode) =>
      claim(`${mode}: ${BLOCK_COUNTS.join(', ')} blocks, keys of 16, 24 and 32 bytes`, () => {
        for (const blocks of BLOCK_COUNTS) proveMode(kernel, mode, blocks, 32);
        for (const size of [16, 24] as const) proveMode(kernel, mode, few[1], size);
      }),
    ),
    ...MODES.map((mode) =>
      claim(`${mode} in parts`, () => {
        proveModeParts(kernel, mode);
      }),
    ),
    claim('cbcMany: 1, 5 and 16 streams of 1 and 3 blocks', () => {
      for (const streams of [1, 5, 16]) for (const blocks of [1, 3]) proveMany(kernel, streams, blocks);
    }),
    claim('cbcMany in parts', () => {
      proveManyParts(kernel);
    }),
    ...ocbStatements(kernel, form),
  ];
}

const STATEMENTS = { 'serpent-ctr': serpentCtrStatements, serpent: serpentStatements } as const;

/** The statements about either kernel, for a module or a text. */
export const statementsOf = (family: keyof typeof STATEMENTS, kernel: RunnableKernel, form: SerpentForm): Claim[] =>
  STATEMENTS[family](kernel, form);

export const serpentClaims = (kernel: Kernel): Claim[] =>
  kernel.family === 'serpent' || kernel.family === 'serpent-ctr'
    ? statementsOf(kernel.family, onMachine(kernel), formOf(kernel))
    : [];
