// Serpent in OCB mode, against RFC 7253: offsets, additional data, the message and its tag.
import * as layout from '../../../../lanewise/src/serpent/map.ts';
import { bytesOf, wordsOf } from '../../specifications/algebra.ts';
import * as ocb from './ocb-specification.ts';
import * as terms from '../../terms/term.ts';
import type { Term } from '../../terms/term.ts';
import { counted } from '../../claims/amounts.ts';
import { require, type Claim } from '../../claims/claim.ts';
import { expectBytes, expectNoEvents, secrets } from '../../claims/compare.ts';
import type { RunnableKernel } from '../../claims/runnable.ts';
import { claimOf, GROUP_BYTES, keyOf, started, upTo, type SerpentForm } from './setting.ts';
import { serpentSymbols as w } from './symbols.ts';

const { AAD, BLOCK, CHECKSUM, SETS, STAGE, STAR, OFFSET, OFFSETS, STRETCH, TAG } = layout;

/** The function with its results remembered, so that equal blocks are computed once. */
function remembered(crypt: (block: readonly Term[]) => Term[]): (block: readonly Term[]) => Term[] {
  const known = new Map<string, Term[]>();
  return (block) => {
    const name = block.map(({ id }) => id).join();
    const found = known.get(name) ?? crypt(block);
    known.set(name, found);
    return found;
  };
}

/** A key for OCB: messages under the same key share the specification's results for equal blocks. */
function ocbKeyOf() {
  const key = keyOf();
  const encipher = remembered(key.encipher);
  return { ...key, encipher, decipher: remembered(key.decipher), ocbKey: ocb.ocbKey(w, encipher) };
}
type OcbKey = ReturnType<typeof ocbKeyOf>;

/** The specification's ciphertext or plaintext and tag, with an unknown nonce block. */
function ocbOf(key: OcbKey, bottom: number, aadLength: number, length: number, open: boolean) {
  const { ocbKey } = key;
  const nonce = secrets('nonce', BLOCK);
  const aad = secrets('aad', aadLength);
  const text = secrets('text', length);
  const sum = ocb.hash(w, ocbKey, key.encipher, aad);
  const start = ocb.firstOffset(w, key.encipher, wordsOf(w, nonce), bottom);
  const made = ocb.blocks(w, ocbKey, key.encipher, open ? key.decipher : undefined, start, text);
  return { nonce, aad, text, made: made.text, tag: ocb.tagOf(w, ocbKey, key.encipher, made, sum) };
}

/** The verdict that the kernel must compute: 1 if no bit of any of the four words differs. */
export function verdictOf(x: readonly Term[], y: readonly Term[]): Term {
  counted('verdicts', 1);
  const differences = [0, 4, 8, 12].map((i) =>
    terms.xor(terms.concat(...x.slice(i, i + 4)), terms.concat(...y.slice(i, i + 4))),
  );
  return terms.isZero(differences.reduce((all, difference) => terms.or(all, difference)));
}

interface OcbCall {
  readonly key?: OcbKey;
  readonly open: boolean;
  readonly bottom: number;
  readonly aadLength: number;
  readonly length: number;
}

function proveOcb(kernel: RunnableKernel, { key = ocbKeyOf(), open, bottom, aadLength, length }: OcbCall): void {
  const what = `OCB ${open ? 'open' : 'seal'}, bottom ${bottom}, ${aadLength} and ${length} bytes`;
  const { nonce, aad, text, made, tag } = ocbOf(key, bottom, aadLength, length, open);
  const given = open ? secrets('tag', BLOCK) : [];
  const run = started(kernel, key, length);
  run.write(STRETCH, nonce);
  run.write(AAD, aad);
  run.write(STAGE, [...text, ...given]);
  const verdict = run.call(open ? 'open' : 'seal', bottom, aadLength, length);
  expectNoEvents(run, what);
  expectBytes(run, STAGE, open ? made : [...made, ...tag], what);
  if (open) require(verdict === verdictOf(tag, given), () => `${what}: another verdict`);
}

/** The same in two parts, the first of one group, with its tag left at CHECKSUM. */
function proveOcbParts(kernel: RunnableKernel, open: boolean): void {
  const what = `OCB ${open ? 'decrypt' : 'encrypt'} in parts`;
  const [group, rest] = [BLOCK * 16, 21];
  const key = ocbKeyOf();
  const { nonce, aad, text, made, tag } = ocbOf(key, 33, group + rest, group + rest, open);
  const given = secrets('tag', BLOCK);
  const run = started(kernel, key, group);
  run.write(STRETCH, nonce);
  run.write(TAG, given);
  run.call('begin', 33);
  for (const [number, from, length] of [
    [0, 0, group],
    [16, group, rest],
  ]) {
    run.write(STAGE, aad.slice(from, from + length));
    run.call('hash', STAGE, number, length);
  }
  for (const [number, from, length] of [
    [0, 0, group],
    [16, group, rest],
  ]) {
    run.write(STAGE, text.slice(from, from + length));
    run.call(open ? 'decrypt' : 'encrypt', number, length);
    expectBytes(run, STAGE, made.slice(from, from + length), `${what}: part from ${from}`);
  }
  run.call('finish');
  const verdict = run.call('verify');
  expectNoEvents(run, what);
  expectBytes(run, CHECKSUM, tag, `${what}: tag`);
  require(verdict === verdictOf(tag, given), () => `${what}: another verdict`);
}

/**
 * Block numbers that offsets are computed after: those of the first groups of a message; and for each
 * number of trailing zeros that a block number of 32 bits can have, one whose next group ends with such a block number. It is
 * odd above the zeros, and has as many bits set as there is room for.
 */
const OFFSET_NUMBERS = [
  ...upTo(0, 15).map((group) => 16 * group),
  ...upTo(4, 31).map((zeros) => 2 ** 32 - 2 ** zeros - 16),
];

const NUMBERS_OF_A_RUN = 64;

/** RFC 7253 §2, §4.1: the offsets of sixteen blocks, from any offset on. L is used at every place that it has. */
function proveOffsets(kernel: RunnableKernel): void {
  const key = keyOf();
  const { l } = ocb.ocbKey(w, key.encipher);
  const checksum = secrets('checksum', BLOCK);
  let run = started(kernel, key, BLOCK);
  for (const [i, number] of OFFSET_NUMBERS.entries()) {
    if (i % NUMBERS_OF_A_RUN === 0) {
      // A new run is started so that none exceeds its limit of steps.
      run = started(kernel, key, BLOCK);
      run.write(STRETCH, secrets('nonce', BLOCK));
      run.call('begin', 0);
    }
    const what = `offsets behind block ${number}`;
    const before = secrets(`offset ${number}`, BLOCK);
    run.write(OFFSET, before);
    run.write(CHECKSUM, checksum);
    run.write(STAGE, secrets('data', BLOCK));
    run.call('hash', STAGE, number | 0, BLOCK);
    expectNoEvents(run, what);
    expectBytes(run, CHECKSUM, checksum, `${what}: checksum`);
    let offset = wordsOf(w, before);
    for (let i = 1; i <= 16; i++) {
      offset = offset.map((word, j) => terms.xor(word, l(ocb.ntz(number + i))[j]));
      expectBytes(run, OFFSETS + BLOCK * (i - 1), bytesOf(w, offset), `${what}: ${i}`);
    }
  }
}

/** Numbers of blocks before a part: each power of two, and the numbers that have, above their zeros, nothing but ones. */
const PART_NUMBERS = upTo(4, 31).flatMap((zeros) => [2 ** zeros, 2 ** 32 - 2 ** zeros]);

/** RFC 7253 §4.2, §4.3: one block after so many, from any offset and checksum, whatever an earlier part left where the kernel works. */
function proveAfter(kernel: RunnableKernel, open: boolean): void {
  const key = ocbKeyOf();
  // The specification comes first: it names the outputs of the S-boxes.
  const nonce = secrets('nonce', BLOCK);
  ocb.firstOffset(w, key.encipher, wordsOf(w, nonce), 0);
  const run = started(kernel, key, BLOCK);
  run.write(STRETCH, nonce);
  run.call('begin', 0);
  for (const number of PART_NUMBERS) {
    const what = `OCB ${open ? 'decrypt' : 'encrypt'} behind block ${number}`;
    const [before, sum, text] = ['offset', 'checksum', 'text'].map((name) => secrets(name, BLOCK));
    const xored = (x: readonly Term[], y: readonly Term[]): Term[] => x.map((word, i) => terms.xor(word, y[i]));
    const offset = xored(wordsOf(w, before), key.ocbKey.l(0));
    const block = xored(wordsOf(w, text), offset);
    const made = xored((open ? key.decipher : key.encipher)(block), offset);
    run.write(SETS, secrets(`work ${number}`, STAR - SETS));
    run.write(OFFSET, before);
    run.write(CHECKSUM, sum);
    run.write(STAGE, text);
    run.call(open ? 'decrypt' : 'encrypt', number | 0, BLOCK);
    expectNoEvents(run, what);
    expectBytes(run, STAGE, bytesOf(w, made), what);
    const plaintext = open ? made : wordsOf(w, text);
    expectBytes(run, CHECKSUM, bytesOf(w, xored(wordsOf(w, sum), plaintext)), `${what}: checksum`);
    expectBytes(run, OFFSET, bytesOf(w, offset), `${what}: offset`);
  }
}

/** Lengths in a row have most of their terms in common; those of all lengths would fill memory. */
const SHARED_LENGTHS = 12;
/** Four groups of blocks and a byte. */
const LONG = 4 * GROUP_BYTES + 1;

export function ocbStatements(kernel: RunnableKernel, form: SerpentForm): Claim[] {
  const claim = claimOf(kernel);
  const lengths = form.lanes ? [0, 1, 16, 31, 80, 240, 257, 272, 300] : [0, 5, 16, 31, 240, 272, 300];
  // Around a block and around a group; `ocb-induction.ts` has every length of the modules.
  const messages = [...new Set([...lengths, ...(form.text ? [] : [1, 15, 17, 32, 255, 256, 257, 513]), LONG])];
  return [
    claim('OCB: offsets wherever block numbers are', () => {
      proveOffsets(kernel);
    }),
    ...[false, true].map((open) =>
      claim(`OCB ${open ? 'decrypt' : 'encrypt'}: a block behind numbers with every number of trailing zeros`, () => {
        proveAfter(kernel, open);
      }),
    ),
    ...[false, true].flatMap((open) => [
      claim(`OCB ${open ? 'open' : 'seal'}: ${messages.join(', ')} bytes`, () => {
        let key = ocbKeyOf();
        messages.forEach((length, i) => {
          if (i % SHARED_LENGTHS === 0) {
            terms.forgetTerms();
            key = ocbKeyOf();
          }
          proveOcb(kernel, { key, open, bottom: 7, aadLength: 0, length });
        });
      }),
      claim(`OCB ${open ? 'open' : 'seal'}: additional data, first offsets`, () => {
        for (const aadLength of lengths.slice(1)) proveOcb(kernel, { open, bottom: 40, aadLength, length: 20 });
        for (const bottom of [0, 31, 32, 63]) proveOcb(kernel, { open, bottom, aadLength: 0, length: 16 });
      }),
      claim(`OCB ${open ? 'decrypt' : 'encrypt'} in parts`, () => {
        proveOcbParts(kernel, open);
      }),
    ]),
  ];
}
