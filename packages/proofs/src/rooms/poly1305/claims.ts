// Claims about the kernel of Poly1305 alone, RFC 8439 §2.5.
import * as map from '../../../../lanewise/src/poly1305/map.ts';
import { BLOCK_BYTES, KEY, S } from '../../../../lanewise/src/poly1305/map.ts';
import { textOf, type KernelText } from '../../javascript/texts.ts';
import { requireAccumulated } from '../../polynomials/congruence.ts';
import { wordsOf } from '../../specifications/algebra.ts';
import { symbols } from '../../specifications/terms.ts';
import { and, constant, variable, type Term } from '../../terms/term.ts';
import { counted } from '../../claims/amounts.ts';
import { require, type Claim } from '../../claims/claim.ts';
import { expectNoEvents, range, secrets } from '../../claims/compare.ts';
import {
  onDoubles,
  onIntegers,
  type PolynomialKernel,
  type PolynomialRun,
  type ProvedKernel,
  type Reducer,
} from './run.ts';
import { blockNumbers, clamped, numberOf, requireSmallTop, requireTag, requireTagUnder } from './tag.ts';

const { STATE, STAGE, TAG } = map;
const STATE_WORDS = 5;
const R_AT = STATE + KEY;
const S_AT = STATE + S;
const ACCUMULATOR = range(STATE, 4 * STATE_WORDS);

/**
 * All lengths up to a block and one byte; around two blocks, and around the lengths at which ciphers change their code
 * path.
 */
const LENGTHS = [
  ...Array.from({ length: BLOCK_BYTES + 2 }, (_, length) => length),
  31,
  32,
  33,
  63,
  64,
  65,
  127,
  128,
  129,
  191,
  192,
  193,
  511,
  512,
  513,
  1535,
  1536,
  1537,
];
/** The lengths of a message's last piece; the first piece is already absorbed. */
const LAST_LENGTHS = [0, 1, 2, 4, 8, 15, 16, 17, 33];
const BLOCKS = [0, 1, 2, 3];

const secretWords = (name: string, count: number): Term[] =>
  Array.from({ length: count }, (_, i) => variable(32, `${name}[${i}]`, true));

/** Any accumulator that a call may leave, and more: its last word has three bits. */
function anyAccumulator(): Term[] {
  const h = secretWords('h', STATE_WORDS);
  return [...h.slice(0, 4), and(h[4], constant(32, 7))];
}

/** Writes any state between calls, in which r is clamped. */
function writeAnyState({ run }: PolynomialRun): { h: Term[]; r: Term[]; s: Term[] } {
  const [h, r, s] = [anyAccumulator(), clamped(secretWords('r', 4)), secretWords('s', 4)];
  run.write(STATE, h);
  run.write(R_AT, r);
  run.write(S_AT, s);
  return { h, r, s };
}

const sameWords = (x: readonly Term[], y: readonly Term[]): boolean => x.every((word, i) => word === y[i]);

function requireKept({ run }: PolynomialRun, r: readonly Term[], s: readonly Term[]): void {
  counted('bytes', 32);
  require(sameWords(run.readWords(R_AT, 4), r), () => 'r is not what it was');
  require(sameWords(run.readWords(S_AT, 4), s), () => 's is not what it was');
}

function proveStart(kernel: PolynomialKernel): void {
  const run = kernel.start({ reads: [], writes: [ACCUMULATOR, range(R_AT, 32)] });
  const key = secrets('key', 32);
  run.run.write(R_AT, key);
  run.run.call('start');
  expectNoEvents(run.run, 'start');
  const words = wordsOf(symbols, key);
  requireKept(run, clamped(words.slice(0, 4)), words.slice(4));
  const zero = constant(32, 0);
  counted('bytes', 4 * STATE_WORDS);
  require(run.run.readWords(STATE, STATE_WORDS).every((word) => word === zero), () =>
    'the accumulator does not start at zero');
}

/** Absorbs `blocks` blocks into any state. */
function absorbed(kernel: PolynomialKernel, blocks: number, traced = false): PolynomialRun {
  const polynomials = kernel.start({ reads: [], writes: [ACCUMULATOR] }, { traced });
  const { run, ring } = polynomials;
  const { h, r, s } = writeAnyState(polynomials);
  const message = secrets('message', BLOCK_BYTES * blocks);
  run.write(STAGE, message);
  run.call('absorb', blocks);
  expectNoEvents(run, 'absorb');
  requireKept(polynomials, r, s);
  const after = run.readWords(STATE, STATE_WORDS);
  if (blocks) requireSmallTop(ring, after);
  counted('hashed', message.length);
  requireAccumulated(ring, numberOf(ring, after), numberOf(ring, r), blockNumbers(ring, message), numberOf(ring, h));
  return polynomials;
}

/** The number of blocks after which the intervals are stable, because the carry of a limb is a fraction of it. */
const MANY = 63;

/**
 * One block more means one more iteration of the loop, in which every number lies in the same interval as in the
 * iteration before. The intervals of an iteration follow from those of the iteration before, so they are the same in
 * every later iteration.
 */
function proveSteady(kernel: PolynomialKernel): void {
  const [fewer, more] = [MANY, MANY + 1].map((blocks) => absorbed(kernel, blocks, true).trace);
  const iteration = more.length - fewer.length;
  require(iteration > 0, () => 'one block more is no work more');
  let same = 0;
  while (same < fewer.length && fewer[same] === more[same]) same++;
  const equal = (x: readonly string[], y: readonly string[]): boolean => x.join() === y.join();
  const steady =
    same >= iteration &&
    equal(more.slice(same, same + iteration), more.slice(same - iteration, same)) &&
    equal(more.slice(same + iteration), fewer.slice(same));
  counted('turns', 1);
  require(steady, () => `the numbers of block ${MANY + 1} do not lie where those of block ${MANY} do`);
}

/** The key's and the message's bytes are read, and the state, the tag and the padding of the last block are written. */
const finishRanges = (length: number) => ({
  reads: [],
  writes: [
    range(STATE, 64),
    range(TAG, 16),
    range(STAGE + length, (BLOCK_BYTES - (length % BLOCK_BYTES)) % BLOCK_BYTES),
  ],
});

async function proveMac(kernel: PolynomialKernel, length: number): Promise<void> {
  const polynomials = kernel.start(finishRanges(length));
  const { run } = polynomials;
  const [key, message] = [secrets('key', 32), secrets('message', length)];
  run.write(R_AT, key);
  run.write(STAGE, message);
  run.call('mac', length);
  expectNoEvents(run, 'mac');
  await requireTagUnder(polynomials, run.read(TAG, 16), key, message);
}

async function proveFinish(kernel: PolynomialKernel, length: number): Promise<void> {
  const polynomials = kernel.start(finishRanges(length));
  const { run } = polynomials;
  const { h, r, s } = writeAnyState(polynomials);
  const message = secrets('message', length);
  run.write(STAGE, message);
  run.call('finish', length);
  expectNoEvents(run, 'finish');
  await requireTag(polynomials, { tag: run.read(TAG, 16), r, s, message, start: h });
}

const numbered = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

function claimsOf(kernel: PolynomialKernel): Claim[] {
  const claim = (text: string, prove: () => void | Promise<void>): Claim => ({
    kernel: kernel.name,
    claim: `poly1305: ${text}`,
    prove,
  });
  return [
    claim('the state that every key starts with', () => proveStart(kernel)),
    ...BLOCKS.map((blocks) =>
      claim(`${numbered(blocks, 'block')}, every state, r and block`, () => {
        absorbed(kernel, blocks);
      }),
    ),
    claim(`from block ${MANY} on numbers stay in the ranges that they have`, () => proveSteady(kernel)),
    ...LENGTHS.map((length) =>
      claim(`${numbered(length, 'byte')}, every key and message`, () => proveMac(kernel, length)),
    ),
    ...LAST_LENGTHS.map((length) =>
      claim(`the last ${numbered(length, 'byte')}, every state and message`, () => proveFinish(kernel, length)),
    ),
  ];
}

const reducer = (text: KernelText): Reducer => ({
  text,
  accumulator: STATE,
  s: S_AT,
  tag: TAG,
  // Nothing more is absorbed, so this is the last step alone.
  run: (run) => void run.call('finish', 0),
});
/** The last step of the `js` engine's Poly1305. */
export const shippedReducer = (): Reducer => reducer(textOf('poly1305'));

export const poly1305Claims = (kernel: ProvedKernel): Claim[] => claimsOf(onIntegers(kernel));
/** The claims about the `js` engine's text. */
export const poly1305TextClaims = (text: KernelText): Claim[] => claimsOf(onDoubles(text, reducer(text)));
