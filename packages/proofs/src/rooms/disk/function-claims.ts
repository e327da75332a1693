/**
 * Claims about the functions of the disk kernels that compute streams and hashes, and the calls of them that these claims cover. In
 * the modules any number of blocks is claimed by induction (every-length.ts), in the text the numbers that claims about pages have.
 */
import * as layout from '../../../../lanewise/src/disk/map.ts';
import { counted } from '../../claims/amounts.ts';
import { require, type Claim } from '../../claims/claim.ts';
import { expectBytes, expectNoEvents, range, secrets } from '../../claims/compare.ts';
import { baseTerm, type Base } from '../../execute/bases.ts';
import type { Range } from '../../execute/machine.ts';
import { requireAccumulated } from '../../polynomials/congruence.ts';
import { bytesOf, wordsOf, xorBytes } from '../../specifications/algebra.ts';
import { symbols as w } from '../../specifications/terms.ts';
import { and, constant, variable, type Term } from '../../terms/term.ts';
import { hchacha } from '../chacha/hchacha-specification.ts';
import { blockOf, type Rounds } from '../chacha/specification.ts';
import { anyCounter, counterOf } from '../keystream/inputs.ts';
import type { Leaves } from '../keystream/every-length.ts';
import { reductionInputs, requireReduction } from '../poly1305/reduction.ts';
import { blockNumbers, clamped, numberOf, requireSmallTop } from '../poly1305/tag.ts';
import type { DiskKernel } from './functions.ts';
import { BLOCK } from './hbsh-specification.ts';

const { HASH, HEAD, KEY, KEY_BYTES, MIDDLE, POLY, SETS, STAGE, STATE, SUBKEYS, SUBKEY_BYTES, TWEAKED, TWEAKED_BYTES } =
  layout;
export const STREAM_BYTES = layout.STREAM_BLOCK;
const ALL_ROUNDS: readonly Rounds[] = [8, 12, 20];
const LANES = 4;
const SETS_BYTES = 1024;
const H_WORDS = 5;

/** In the text: where the counter starts, and how many blocks follow; with 8 and 20 rounds the first of these. */
const TEXT_STREAMS: readonly (readonly [counter: number, blocks: number])[] = [
  ...[1, 2, 3, 4, 5, 8, 9, 12, 16, 17, 32, 33, 64, 128].map((blocks) => [0, blocks] as const),
  [4, 8],
  [16, 2],
];
/** In the text, numbers of blocks that Poly1305 absorbs. */
const TEXT_COUNTS = [0, 1, 2, 3, 4, 5, 6, 8, 11, 16, 31, 127, 255];
/** In the modules, for coverage: those that have ways of their own, around sets and groups. */
const MODULE_STREAMS = [1, 2, 3, 4, 5, 7, 8, 9, 12, 15, 16, 18, 48];
const MODULE_COUNTS = [0, 1, 2, 3];

/** Where pages write tags: the hash of a message, and of each page's tweak. */
const tagPlaces = ({ aesBlocks }: DiskKernel): number[] => [
  HASH,
  ...Array.from({ length: aesBlocks }, (_, i) => TWEAKED + TWEAKED_BYTES * i),
];

/** Each throws Failure if no claim covers the call. */
export const isClaimed = {
  xor({ isText }: DiskKernel, doubleRounds: number, address: number, blocks: number, counter: number): void {
    const rounds = (2 * doubleRounds) as Rounds;
    const some = rounds === 12 ? TEXT_STREAMS : TEXT_STREAMS.slice(0, 1);
    const is = isText ? some.some(([from, count]) => from === counter && count === blocks) : blocks > 0;
    const claimed = is && ALL_ROUNDS.includes(rounds) && address % 16 === 0 && address >= STAGE;
    require(claimed, () => `a stream of ${blocks} blocks from ${counter}, ${rounds} rounds, at ${address}`);
  },
  subkeys({ aesBlocks }: DiskKernel, doubleRounds: number, pages: number): void {
    const claimed = ALL_ROUNDS.includes((2 * doubleRounds) as Rounds) && pages >= 1 && pages <= aesBlocks;
    require(claimed, () => `subkeys of ${pages} pages, ${2 * doubleRounds} rounds`);
  },
  absorb({ isText }: DiskKernel, address: number, count: number, top: number): void {
    const some = top === 1 ? TEXT_COUNTS : [1];
    const claimed = (top === 0 || top === 1) && count >= 0 && (!isText || some.includes(count)) && address % 16 === 0;
    require(claimed, () => `${count} blocks of Poly1305 at ${address} with bit 128 ${top}`);
  },
  finish(kernel: DiskKernel, to: number): void {
    require(tagPlaces(kernel).includes(to), () => `a tag at ${to}`);
  },
};

/** Where a function that XORs blocks may write besides: sets are written whole. */
export const xorPlaces = (address: number, blocks: number, { sets }: Leaves['blocks'][number]): Range[] =>
  sets ? [range(SETS, SETS_BYTES), range(address + STREAM_BYTES * blocks, STREAM_BYTES * (-blocks & (LANES - 1)))] : [];
/** Where the function that makes subkeys may write. */
export const subkeyPlaces = ({ aesBlocks }: Pick<DiskKernel, 'aesBlocks'>): Range[] => [
  range(SETS, SETS_BYTES),
  range(STATE, 80),
  range(HEAD, 64),
  range(SUBKEYS, SUBKEY_BYTES * aesBlocks),
];

/** From any state; in the text, from one whose counter is known. */
function proveXor(kernel: DiskKernel, rounds: Rounds, blocks: number, start?: number): void {
  const what = `stream, ${rounds} rounds, ${blocks} blocks`;
  const touched = kernel.aesBlocks > 2 && blocks >= LANES ? (blocks + LANES - 1) & -LANES : blocks;
  const base: Base = { name: 'page', home: STAGE, length: STREAM_BYTES * touched };
  const data = range(base.home, base.length);
  const { run, call } = kernel.start(
    'words',
    { reads: [range(STATE, 64), data], writes: [range(STATE, 64), range(SETS, SETS_BYTES), data] },
    [base],
  );
  const [rows, nonce] = [secrets('rows', 48), secrets('nonce', 8)];
  const counter = start === undefined ? anyCounter() : counterOf(BigInt(start), 8);
  const text = secrets('text', STREAM_BYTES * blocks);
  run.write(STATE, [...rows, ...counter.bytes, ...nonce]);
  run.write(base.home, text);
  call('xor', rounds / 2, baseTerm(base), blocks);
  expectNoEvents(run, what);
  const state = (j: number): Term[] => [...wordsOf(w, rows), ...counter.at(j), ...wordsOf(w, nonce)];
  const keystream = Array.from({ length: blocks }, (_, j) => blockOf(w, state(j), rounds));
  expectBytes(run, base.home, xorBytes(w, text, keystream.flat()), what);
  expectBytes(run, STATE, bytesOf(w, state(blocks)), `${what}: state`);
}

function proveSubkeys(kernel: DiskKernel, rounds: Rounds, pages: number): void {
  const what = `subkeys of ${pages} pages, ${rounds} rounds`;
  const middle = range(MIDDLE, BLOCK * kernel.aesBlocks);
  const { run, call } = kernel.start('words', {
    // The lanes load the last row of the state, which changes nothing.
    reads: [range(KEY, KEY_BYTES), middle, range(STATE, 80)],
    writes: subkeyPlaces(kernel),
  });
  const [key, blocks] = [secrets('key', KEY_BYTES), secrets('blocks', BLOCK * pages)];
  run.write(KEY, key);
  run.write(MIDDLE, blocks);
  call('subkeys', rounds / 2, pages);
  expectNoEvents(run, what);
  for (let i = 0; i < pages; i++) {
    const nonce = wordsOf(w, blocks.slice(BLOCK * i, BLOCK * (i + 1)));
    expectBytes(run, SUBKEYS + SUBKEY_BYTES * i, bytesOf(w, hchacha(w, wordsOf(w, key), nonce, rounds)), what);
  }
}

const secretWords = (name: string, count: number): Term[] =>
  Array.from({ length: count }, (_, i) => variable(32, `${name}[${i}]`, true));

/** From any accumulator that a call may leave, and more: its last word has three bits. */
function proveAbsorb(kernel: DiskKernel, count: number, top: 0 | 1): void {
  const what = `${count} blocks of Poly1305 with bit 128 ${top}`;
  const base: Base = { name: 'message', home: STAGE, length: BLOCK * Math.max(count, 1) };
  const { run, ring, call } = kernel.start('polynomials', { reads: [], writes: [range(POLY, 4 * H_WORDS)] }, [base]);
  const h = secretWords('h', H_WORDS).map((term, i) => (i < 4 ? term : and(term, constant(32, 7))));
  const [r, s] = [clamped(secretWords('r', 4)), secretWords('s', 4)];
  const message = secrets('message', BLOCK * count);
  run.write(POLY, h);
  run.write(POLY + 32, [...r, ...s]);
  run.write(base.home, message);
  call('absorb', baseTerm(base), count, top);
  expectNoEvents(run, what);
  const after = run.readWords(POLY, H_WORDS);
  if (count) requireSmallTop(ring, after);
  counted('hashed', message.length);
  const numbers = blockNumbers(ring, message).map((block) =>
    top ? block : block.minus(ring.constant(1n << 128n).polynomial),
  );
  requireAccumulated(ring, numberOf(ring, after), numberOf(ring, r), numbers, numberOf(ring, h));
}

/** From any accumulator, with any s, to each place that pages have for a tag. */
async function proveFinish(kernel: DiskKernel): Promise<void> {
  for (const to of tagPlaces(kernel)) {
    const { run, call } = kernel.start('words', { reads: [], writes: [range(to, BLOCK)] });
    const { h, s } = reductionInputs();
    run.write(POLY, h);
    run.write(POLY + 32, secretWords('r', 4));
    run.write(POLY + 48, s);
    call('finish', to);
    expectNoEvents(run, `a tag at ${to}`);
    counted('bytes', BLOCK);
    await requireReduction(run.readWords(to, 4));
  }
}

export function functionClaims(kernel: DiskKernel): Claim[] {
  const claim = (text: string, prove: () => void | Promise<void>): Claim => ({
    kernel: kernel.name,
    topic: 'streams and hashes',
    claim: text,
    prove,
  });
  const { isText } = kernel;
  const counts = isText ? TEXT_COUNTS : MODULE_COUNTS;
  const pages = Array.from({ length: kernel.aesBlocks }, (_, i) => i + 1);
  return [
    claim(
      isText
        ? `stream of pages: ${TEXT_STREAMS.map(([from, blocks]) => `${blocks} from ${from}`).join(', ')}`
        : `stream of pages, from any state: ${MODULE_STREAMS.join(', ')} blocks`,
      () => {
        if (isText) for (const [from, blocks] of TEXT_STREAMS) proveXor(kernel, 12, blocks, from);
        else for (const blocks of MODULE_STREAMS) proveXor(kernel, 12, blocks);
        for (const rounds of [8, 20] as const) proveXor(kernel, rounds, 1, isText ? 0 : undefined);
      },
    ),
    claim(`subkeys of 1 to ${kernel.aesBlocks} pages: HChaCha with 8, 12 and 20 rounds`, () => {
      for (const rounds of ALL_ROUNDS) for (const count of pages) proveSubkeys(kernel, rounds, count);
    }),
    claim(`Poly1305 of ${counts.join(', ')} blocks, every accumulator, r and block, wherever they are`, () => {
      for (const count of counts) proveAbsorb(kernel, count, 1);
      proveAbsorb(kernel, 1, 0);
    }),
    claim('the last step of Poly1305, every accumulator and s', () => proveFinish(kernel)),
  ];
}
