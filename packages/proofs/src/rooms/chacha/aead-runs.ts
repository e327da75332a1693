// Calls of the AEAD in the kernels of the ChaCha family, and their results by RFC 8439 §2.8 and
// draft-irtf-cfrg-xchacha-03 §2. `kind` and the layout of the input are those of keystream/kernel.ts.
import * as map from '../../../../lanewise/src/keystream/map.ts';
import { OVERRUN_BYTES } from '../../../../lanewise/src/keystream/lanes.ts';
import type { Ranges } from '../../execute/machine.ts';
import { macData, seal } from './aead-specification.ts';
import { wordsOf } from '../../specifications/algebra.ts';
import { symbols } from '../../specifications/terms.ts';
import { describe, isZero, or, xor, type Term } from '../../terms/term.ts';
import { counted } from '../../claims/amounts.ts';
import { require } from '../../claims/claim.ts';
import { expectBytes, expectNoEvents, expectNoSecrets, publicBytes, range, secrets } from '../../claims/compare.ts';
import type { PolynomialKernel, PolynomialRun } from '../poly1305/run.ts';
import { requireTagUnder } from '../poly1305/tag.ts';
import type { Runnable } from '../../claims/runnable.ts';

/** ChaCha20-Poly1305 with a nonce of 12 bytes, XChaCha20-Poly1305 with one of 24. */
export type NonceLength = 12 | 24;

/** The lengths of the message and its additional data. */
export interface Shape {
  readonly nonceLength: NonceLength;
  readonly aadLength: number;
  readonly length: number;
}

const { AAD, STAGE, HEAD, SETS, STATE, TAG } = map;
const TAG_BYTES = 16;
const MAC_BLOCK = 16;
const KEY_BYTES = 32;
const DOUBLE_ROUNDS = 10;
/** The address of the input: after the constants of the state. */
const INPUT = STATE + 16;
const INPUT_BYTES = 64;
/** The bytes after message and tag, the rest of the last set, may be read and written, and are wiped. */
const BEHIND = OVERRUN_BYTES + map.BLOCK_BYTES;

const kindOf = (nonceLength: NonceLength): number => (nonceLength === 24 ? map.EXTENDED : map.PLAIN);

interface Inputs {
  readonly key: Term[];
  readonly nonce: Term[];
  readonly aad: Term[];
  /** The message that is encrypted or decrypted. */
  readonly message: Term[];
}

/**
 * Writes key and nonce as the public functions do, and zeros elsewhere; returns them with the caller's other inputs.
 */
function writeInputs(run: Runnable, { nonceLength, aadLength, length }: Shape): Inputs {
  const [key, nonce] = [secrets('key', KEY_BYTES), secrets('nonce', nonceLength)];
  // A nonce of 12 bytes comes after a counter of 4, one of 24 before a counter of 8.
  const lastRow = nonceLength === 12 ? [...publicBytes(0n, 4), ...nonce] : nonce;
  run.write(INPUT, [...key, ...lastRow, ...publicBytes(0n, INPUT_BYTES - KEY_BYTES - lastRow.length)]);
  return { key, nonce, aad: secrets('aad', aadLength), message: secrets('message', length) };
}

/** Additional data and its padding, everything before the message, the message, and the margin after it. */
const rangesOf = ({ aadLength, length }: Shape): Ranges => ({
  reads: [range(HEAD, map.BLOCK_BYTES), range(STAGE, length + TAG_BYTES + BEHIND)],
  writes: [
    range(AAD, MAC_BLOCK * Math.ceil(aadLength / MAC_BLOCK)),
    range(SETS, STAGE - SETS),
    range(STAGE, length + TAG_BYTES + BEHIND),
  ],
});

/** Throws Failure unless a verdict is 1 if two tags are equal, and 0 if not. */
export function expectVerdict(verdict: Term | undefined, tag: readonly Term[], given: readonly Term[]): void {
  counted('verdicts', 1);
  // Words are equal if they differ in no bit, and tags if none of their words has a bit that differs.
  const [x, y] = [wordsOf(symbols, tag), wordsOf(symbols, given)];
  const equal = isZero(x.map((word, i) => xor(word, y[i])).reduce(or));
  require(verdict === equal, () => `the verdict is ${verdict ? describe(verdict, 3) : 'missing'}`);
}

export async function proveSeal(kernel: PolynomialKernel, shape: Shape): Promise<void> {
  const { nonceLength, aadLength, length } = shape;
  const polynomials = kernel.start(rangesOf(shape));
  const { run } = polynomials;
  const { key, nonce, aad, message } = writeInputs(run, shape);
  run.write(AAD, aad);
  run.write(STAGE, message);
  run.call('seal', kindOf(nonceLength), aadLength, length);
  expectNoEvents(run, 'seal');
  const expected = seal(symbols, key, nonce, aad, message);
  expectBytes(run, STAGE, expected.ciphertext, 'ciphertext');
  await requireTagUnder(polynomials, run.read(STAGE + length, TAG_BYTES), expected.oneTimeKey, expected.macData);
  expectNoSecrets(run, [range(STAGE, length + TAG_BYTES)], 'seal');
}

export async function proveOpen(kernel: PolynomialKernel, shape: Shape): Promise<void> {
  const { nonceLength, aadLength, length } = shape;
  const polynomials = kernel.start(rangesOf(shape));
  const { run } = polynomials;
  const { key, nonce, aad, message } = writeInputs(run, shape);
  const given = secrets('tag', TAG_BYTES);
  run.write(AAD, aad);
  run.write(STAGE, message);
  run.write(STAGE + length, given);
  const verdict = run.call('open', kindOf(nonceLength), aadLength, length);
  expectNoEvents(run, 'open');
  // The cipher is its own inverse.
  const { ciphertext: plaintext, oneTimeKey } = seal(symbols, key, nonce, aad, message);
  expectBytes(run, STAGE, plaintext, 'plaintext');
  const tag = run.read(HEAD + TAG_BYTES, TAG_BYTES);
  await requireTagUnder(polynomials, tag, oneTimeKey, macData(symbols, aad, message));
  expectVerdict(verdict, tag, given);
}

/** Calls `visit` with each part of a message and its start. */
function inParts(
  message: readonly Term[],
  sizes: readonly number[],
  visit: (part: Term[], from: number) => void,
): void {
  let from = 0;
  for (const size of sizes) {
    visit(message.slice(from, from + size), from);
    from += size;
  }
}

/** A message in parts, as `begin` starts it: additional data in whole blocks, the message in whole groups, but the last. */
export interface Parts {
  readonly aad: readonly number[];
  readonly message: readonly number[];
}
export const PARTS: Parts = { aad: [48, 21], message: [1024, 77] };
/** The kernel for short messages has room for one block. */
export const SHORT_PARTS: Parts = { aad: [16, 5], message: [43] };
export const totalOf = (sizes: readonly number[]): number => sizes.reduce((sum, size) => sum + size);

interface Begun extends Inputs {
  readonly polynomials: PolynomialRun;
  readonly run: Runnable;
}

function begun(kernel: PolynomialKernel, nonceLength: NonceLength, parts: Parts): Begun {
  const [aadLength, length] = [totalOf(parts.aad), totalOf(parts.message)];
  const shape = { nonceLength, aadLength, length };
  const most = Math.max(...parts.aad, ...parts.message);
  const writes = [
    range(SETS, TAG - SETS),
    range(TAG + TAG_BYTES, STAGE - TAG - TAG_BYTES),
    range(STAGE, most + BEHIND),
  ];
  const polynomials = kernel.start({ reads: [range(HEAD, map.BLOCK_BYTES), range(STAGE, most + BEHIND)], writes });
  const { run } = polynomials;
  const inputs = writeInputs(run, shape);
  run.call('begin', kindOf(nonceLength));
  absorb(run, inputs.aad, parts.aad);
  return { ...inputs, polynomials, run };
}

const absorb = (run: Runnable, bytes: readonly Term[], sizes: readonly number[]): void =>
  inParts(bytes, sizes, (part) => {
    run.write(STAGE, part);
    run.call('absorb', STAGE, part.length);
  });

function finish(run: Runnable, aadLength: number, length: number): Term[] {
  run.call('finish', aadLength, 0, length, 0, STAGE);
  return run.read(STAGE, TAG_BYTES);
}

export async function proveSealInParts(
  kernel: PolynomialKernel,
  nonceLength: NonceLength,
  parts: Parts,
): Promise<void> {
  const { polynomials, run, key, nonce, aad, message } = begun(kernel, nonceLength, parts);
  const expected = seal(symbols, key, nonce, aad, message);
  inParts(message, parts.message, (part, from) => {
    run.write(STAGE, part);
    run.call('encrypt', 0, 0, part.length);
    expectBytes(run, STAGE, expected.ciphertext.slice(from, from + part.length), `ciphertext from byte ${from}`);
  });
  const tag = finish(run, aad.length, message.length);
  expectNoEvents(run, 'a message in parts');
  await requireTagUnder(polynomials, tag, expected.oneTimeKey, expected.macData);
}

/** With `first` the whole message is checked before any of it is decrypted. */
export async function proveOpenInParts(
  kernel: PolynomialKernel,
  nonceLength: NonceLength,
  parts: Parts,
  { first }: { readonly first: boolean },
): Promise<void> {
  const { polynomials, run, key, nonce, aad, message } = begun(kernel, nonceLength, parts);
  const given = secrets('tag', TAG_BYTES);
  run.write(TAG, given);
  const expected = seal(symbols, key, nonce, aad, message);
  const check = async (): Promise<void> => {
    const tag = finish(run, aad.length, message.length);
    const verdict = run.call('verify', STAGE);
    await requireTagUnder(polynomials, tag, expected.oneTimeKey, macData(symbols, aad, message));
    expectVerdict(verdict, tag, given);
  };
  if (first) {
    absorb(run, message, parts.message);
    await check();
  }
  inParts(message, parts.message, (part, from) => {
    run.write(STAGE, part);
    if (first) run.call('xor', map.CONTINUE, DOUBLE_ROUNDS, STAGE, Math.ceil(part.length / map.BLOCK_BYTES));
    else run.call('decrypt', part.length);
    expectBytes(run, STAGE, expected.ciphertext.slice(from, from + part.length), `plaintext from byte ${from}`);
  });
  if (!first) await check();
  expectNoEvents(run, 'a message in parts');
}

/** Proves the last block with lengths beyond 2^32, whose words all differ, in the order of RFC 8439 §2.8. */
export async function proveLongLengths(kernel: PolynomialKernel): Promise<void> {
  const polynomials = kernel.start();
  const { run } = polynomials;
  const { key, nonce } = writeInputs(run, { nonceLength: 12, aadLength: 0, length: 0 });
  const lengths = [0x81234567, 0x1, 0xfedcba98, 0x3f];
  run.call('begin', map.PLAIN);
  run.call('finish', lengths[0] | 0, lengths[1], lengths[2] | 0, lengths[3], STAGE);
  expectNoEvents(run, 'finish');
  const block = lengths.flatMap((word) => publicBytes(BigInt(word), 4));
  const { oneTimeKey } = seal(symbols, key, nonce, [], []);
  await requireTagUnder(polynomials, run.read(STAGE, TAG_BYTES), oneTimeKey, block);
}
