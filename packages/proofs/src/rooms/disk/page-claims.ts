// Whole pages of Adiantum and HPolyC, for every key, tweak and page of the lengths named: the input of AES, the stream
// and its nonce, the hashed message, and the hashes of Poly1305. A setting says what stands for the functions that pages call:
// names (named-setting.ts), or what they compute (whole-page.ts).
import * as layout from '../../../../lanewise/src/disk/map.ts';
import type { Ranges } from '../../execute/machine.ts';
import { bytesOf, wordsOf } from '../../specifications/algebra.ts';
import type { Rounds } from '../chacha/specification.ts';
import { adiantumHead, BLOCK, hpolycHead, nonceOf, pieces } from './hbsh-specification.ts';
import { symbols as w } from '../../specifications/terms.ts';
import type { Term } from '../../terms/term.ts';
import { counted } from '../../claims/amounts.ts';
import { require } from '../../claims/claim.ts';
import { expectBytes, expectNoEvents, range, secrets } from '../../claims/compare.ts';
import { addendOf, requireCarry, sumOf } from './sums.ts';
import type { Runnable } from '../../claims/runnable.ts';

const { STAGE, HEADS, KEY, MARGIN, MIDDLE, NH_KEY } = layout;
export interface Shape {
  readonly cipher: 'adiantum' | 'hpolyc';
  readonly back: boolean;
  readonly rounds: Rounds;
  readonly tweakLength: number;
  readonly length: number;
  readonly count: number;
  /** The lengths of the message's parts, if the page takes more than one call. */
  readonly parts?: readonly number[];
}

/** The work areas, and the pages with the margin after the last. Places of pages that no lane uses may be read. */
export function rangesOf(end: number): Ranges {
  const work = [
    range(MIDDLE, layout.SUBKEYS + layout.MOST_PAGES * layout.SUBKEY_BYTES - MIDDLE),
    range(layout.SETS, 1024),
    range(layout.STATE, KEY - layout.STATE),
    range(layout.SLICED, STAGE - layout.SLICED),
    range(STAGE, end - STAGE + MARGIN),
  ];
  return { reads: [...work, range(KEY, layout.SLICED - KEY)], writes: work };
}

/** Input and output of AES for a page, and the accumulator after the tweak. */
export interface Turned {
  readonly inverse: boolean;
  readonly before: readonly Term[];
  readonly after: readonly Term[];
  readonly tweaked: readonly Term[];
}

/** A hash without s, and the message that it is to be of. */
export interface Hash {
  /** 16 bytes. */
  readonly tag: readonly Term[];
  /** The words of r after clamping. */
  readonly r: readonly Term[];
  readonly message: readonly Term[];
}

/** The way in which the functions that pages call are computed, and the keys that a caller writes before a call. */
export interface Setting {
  start(ranges: Ranges): Runnable;
  /** Input and output of AES for each group of pages so far. */
  readonly turned: readonly (readonly Turned[])[];
  /** Writes the secrets: the cipher's key, the two r of Poly1305 as words, and the key of NH. */
  writeKeys(run: Runnable): { readonly key: Term[]; readonly r: readonly Term[][]; readonly nhKey: Term[] };
  /** NH of a piece. */
  readonly hashOf: (piece: readonly Term[]) => Term[];
  /** XChaCha; key and nonce are words. */
  encrypt(key: readonly Term[], nonce: readonly Term[], message: readonly Term[], rounds: Rounds): Term[];
  /** Throws Failure unless the output is the result of AES. */
  requireTurned(turned: Turned): void;
  /** Throws Failure unless Poly1305 gives this hash. */
  readonly requireTag: (hash: Hash) => void | Promise<void>;
}

export interface Page {
  readonly head: readonly Term[];
  readonly bytes: readonly Term[];
}

function pageOf({ cipher, tweakLength, length }: Shape, number: number): Page {
  const tweak = secrets(`tweak ${number}`, tweakLength);
  const head = cipher === 'adiantum' ? adiantumHead(w, length - BLOCK, tweak) : hpolycHead(w, tweak);
  return { head, bytes: secrets(`page ${number}`, length) };
}

const upTo16 = (length: number): number => (length + 15) & -16;

/** Encrypts or decrypts all pages in one call, in place. */
function inOneCall(run: Runnable, shape: Shape, pages: readonly Page[]): Term[][] {
  const { cipher, back, rounds, length, count } = shape;
  const stride = (length + 255) & -256;
  const slot = upTo16(pages[0].head.length);
  pages.forEach(({ head, bytes }, i) => {
    run.write(HEADS + slot * i, head);
    run.write(STAGE + stride * i, bytes);
  });
  const nh = cipher === 'adiantum' ? 1 : 0;
  run.call('pages', back ? 1 : 0, nh, rounds / 2, pages[0].head.length, slot, length, stride, count);
  return pages.map((_, i) => run.read(STAGE + stride * i, length));
}

/** Encrypts or decrypts one page in parts. */
function inParts(run: Runnable, shape: Shape, parts: readonly number[], { head, bytes }: Page): Term[] {
  const { cipher, back, rounds, length } = shape;
  const nh = cipher === 'adiantum' ? 1 : 0;
  const each = (visit: (size: number) => void): void => {
    let from = 0;
    for (const size of parts) {
      run.write(STAGE, bytes.slice(from, from + size));
      visit(size);
      from += size;
    }
  };
  const result: Term[] = [];
  run.write(HEADS, head);
  run.call('begin', nh, head.length);
  each((size) => run.call('absorb', nh, size));
  run.write(MIDDLE, bytes.slice(length - BLOCK));
  run.call('turn', back ? 1 : 0, nh, rounds / 2);
  each((size) => {
    run.call('stream', nh, rounds / 2, size);
    result.push(...run.read(STAGE, size));
  });
  run.call('end', nh);
  return [...result, ...run.read(MIDDLE, BLOCK)];
}

/** Throws Failure unless these 16 bytes are the hash of the head and the message. */
async function requireHash(
  { hashOf, requireTag }: Setting,
  { cipher }: Shape,
  r: readonly (readonly Term[])[],
  head: readonly Term[],
  tweaked: readonly Term[],
  hash: readonly Term[],
  message: readonly Term[],
): Promise<void> {
  const [tweakKey, messageKey] = r;
  if (cipher === 'hpolyc') {
    await requireTag({ tag: bytesOf(w, hash), r: tweakKey, message: [...head, ...message] });
    return;
  }
  // The sum of the tweak's accumulator and of Poly1305 over the outputs of NH.
  await requireTag({ tag: tweaked, r: tweakKey, message: head });
  const other = addendOf(hash, wordsOf(w, tweaked), false);
  const hashes = pieces(w, message).flatMap(hashOf);
  await requireTag({ tag: bytesOf(w, other), r: messageKey, message: hashes });
}

export async function provePages(aesBlocks: number, shape: Shape, setting: Setting): Promise<void> {
  const { cipher, back, rounds, tweakLength, length, count, parts } = shape;
  const what = `${cipher}, ${back ? 'decrypt' : 'encrypt'}, ${rounds} rounds, tweak of ${tweakLength}, ${count} pages of ${length}`;
  await requireCarry();
  const end = parts ? STAGE + Math.max(...parts) : STAGE + count * ((length + 255) & -256);
  const run = setting.start(rangesOf(end));
  const { key, r, nhKey } = setting.writeKeys(run);
  const pages = Array.from({ length: count }, (_, i) => pageOf(shape, i));
  const results = parts ? [inParts(run, shape, parts, pages[0])] : inOneCall(run, shape, pages);
  expectNoEvents(run, what);
  expectBytes(run, KEY, key, `${what}: the key stays`);
  expectBytes(run, NH_KEY, nhKey, `${what}: the key of NH stays`);
  await requirePages(what, aesBlocks, shape, setting, { key, r }, pages, results);
}

/** Throws Failure unless these are the results. */
async function requirePages(
  what: string,
  aesBlocks: number,
  shape: Shape,
  setting: Setting,
  { key, r }: { readonly key: readonly Term[]; readonly r: readonly (readonly Term[])[] },
  pages: readonly Page[],
  results: readonly (readonly Term[])[],
): Promise<void> {
  const { back, rounds, length } = shape;
  const blocks = setting.turned.flat();
  for (const [i, { head, bytes }] of pages.entries()) {
    const group = Math.floor(i / aesBlocks);
    const aesBlock = blocks.at(group * aesBlocks + (i % aesBlocks));
    require(aesBlock !== undefined, () => `${what}: page ${i} is not encrypted`);
    const { inverse, before, after, tweaked } = aesBlock;
    const message = bytes.slice(0, length - BLOCK);
    const last = wordsOf(w, bytes.slice(length - BLOCK));
    const found = results[i];
    require(inverse === back, () => `${what}: AES the wrong way round in page ${i}`);
    setting.requireTurned(aesBlock);
    // The stream's nonce is the block of AES that is ciphertext.
    const nonce = wordsOf(w, nonceOf(w, back ? before : after));
    const expected = setting.encrypt(wordsOf(w, key), nonce, message, rounds);
    counted('bytes', expected.length);
    const wrong = expected.findIndex((byte, j) => byte !== found[j]);
    require(wrong < 0, () => `${what}: page ${i} differs at byte ${wrong}`);
    // The hash of the input is added to the last 16 bytes; the hash of the output is subtracted from the result of AES.
    const [given, made] = [wordsOf(w, before), wordsOf(w, found.slice(length - BLOCK))];
    const hashed = [addendOf(given, last), addendOf(made, wordsOf(w, after), true)];
    counted('bytes', 2 * BLOCK);
    const same = (x: readonly Term[], y: readonly Term[]): boolean => x.every((word, j) => word === y[j]);
    require(same(sumOf(last, hashed[0]), given), () => `${what}: what AES takes differs from a sum in page ${i}`);
    require(same(sumOf(wordsOf(w, after), hashed[1], true), made), () =>
      `${what}: the end of page ${i} differs from a difference`);
    await requireHash(setting, shape, r, head, tweaked, hashed[0], message);
    await requireHash(setting, shape, r, head, tweaked, hashed[1], expected);
  }
}
