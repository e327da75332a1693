// Whole pages of Adiantum and HPolyC, for every key, tweak and page of the lengths named: the input of AES, the stream
// and its nonce, the hashed message, and the hashes of Poly1305. Claims about AES and NH are in aes-claims.ts and
// nh-claims.ts; in this file, names stand for their results.
import * as layout from '../../../../lanewise/src/disk/map.ts';
import type { Ranges } from '../../execute/machine.ts';
import { bytesOf, wordsOf } from '../../specifications/algebra.ts';
import type { Rounds } from '../chacha/specification.ts';
import { adiantumHead, BLOCK, hpolycHead, nonceOf, pieces } from './hbsh-specification.ts';
import { xchacha } from '../chacha/hchacha-specification.ts';
import { symbols as w } from '../../specifications/terms.ts';
import * as terms from '../../terms/term.ts';
import type { Term } from '../../terms/term.ts';
import { counted } from '../../claims/amounts.ts';
import { require } from '../../claims/claim.ts';
import { expectBytes, expectNoEvents, range, secrets } from '../../claims/compare.ts';
import { addendOf, requireCarry, sumOf } from './sums.ts';
import { inPlaceOf, Named } from '../../claims/stand-ins.ts';
import { HASH_BYTES, NH_UNIT, partsOf, ROUND_KEYS } from './parts.ts';
import type { PolynomialKernel, PolynomialRun } from '../poly1305/run.ts';
import { clamped, requireTag } from '../poly1305/tag.ts';
import type { Instead, Runnable } from '../../claims/runnable.ts';

const { STAGE, HEADS, KEY, MARGIN, MIDDLE, NH_KEY, NH_KEY_BYTES, POLY_KEY, TWEAKED, TWEAKED_BYTES } = layout;
/** A function, because terms may be forgotten between runs. */
const zeros = (): Term[] => [0, 1, 2, 3].map(() => terms.constant(32, 0));

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

/** The way in which AES and NH are computed, and the keys that a caller writes before a call. */
export interface Setting {
  readonly instead: Instead;
  /** Input and output of AES for each group of pages so far. */
  readonly turned: readonly (readonly Turned[])[];
  /** Writes the secrets: the cipher's key, the two r of Poly1305 as words, and the key of NH. */
  writeKeys(run: Runnable): { readonly key: Term[]; readonly r: readonly Term[][]; readonly nhKey: Term[] };
  /** NH of a piece. */
  readonly hashOf: (piece: readonly Term[]) => Term[];
  /** Throws Failure unless the output is the result of AES. */
  requireTurned(turned: Turned): void;
}

/** A setting with unknown keys, in which names stand for the results of AES and NH. */
function namedSetting(aesBlocks: number): Setting {
  const named = new Named();
  const turned: Turned[][] = [];
  const parts = partsOf(aesBlocks);
  const sliced = secrets('sliced keys', ROUND_KEYS * BLOCK * aesBlocks);
  const hashOf = (piece: readonly Term[]): Term[] => named.of('NH', piece, HASH_BYTES);
  const aes = (inverse: boolean) =>
    inPlaceOf(inverse ? parts.decryptBlocks : parts.encryptBlocks, (run, address) => {
      expectBytes(run, layout.SLICED, sliced, 'the keys that AES adds');
      const group = Array.from({ length: aesBlocks }, (_, i): Turned => {
        const before = run.read(address + BLOCK * i, BLOCK);
        return {
          inverse,
          before,
          after: named.of(inverse ? 'inverse AES' : 'AES', before, BLOCK),
          tweaked: run.read(TWEAKED + TWEAKED_BYTES * i, BLOCK),
        };
      });
      turned.push(group);
      return [{ address, bytes: group.flatMap(({ after }) => after) }];
    });
  return {
    turned,
    hashOf,
    instead: {
      sliceKeys: inPlaceOf(parts.sliceKeys, () => [{ address: layout.SLICED, bytes: sliced }]),
      encryptBlocks: aes(false),
      decryptBlocks: aes(true),
      nh: inPlaceOf(parts.nh, (run, address, units, to) => [
        { address: to, bytes: hashOf(run.read(address, NH_UNIT * units)) },
      ]),
    },
    writeKeys(run) {
      const key = secrets('key', layout.KEY_BYTES);
      const r = [0, 1].map((i) =>
        clamped(Array.from({ length: 4 }, (_, j) => terms.variable(32, `r ${i}[${j}]`, true))),
      );
      const nhKey = secrets('NH key', NH_KEY_BYTES);
      run.write(KEY, key);
      run.write(POLY_KEY, r.flat());
      run.write(NH_KEY, nhKey);
      return { key, r, nhKey };
    },
    requireTurned() {
      // A name depends on the whole input of AES.
    },
  };
}

interface Page {
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
  polynomials: PolynomialRun,
  { hashOf }: Setting,
  { cipher }: Shape,
  r: readonly (readonly Term[])[],
  head: readonly Term[],
  tweaked: readonly Term[],
  hash: readonly Term[],
  message: readonly Term[],
): Promise<void> {
  const [tweakKey, messageKey] = r;
  if (cipher === 'hpolyc') {
    await requireTag(polynomials, { tag: bytesOf(w, hash), r: tweakKey, s: zeros(), message: [...head, ...message] });
    return;
  }
  // The sum of the tweak's accumulator and of Poly1305 over the outputs of NH.
  await requireTag(polynomials, { tag: tweaked, r: tweakKey, s: zeros(), message: head });
  const other = addendOf(hash, wordsOf(w, tweaked), false);
  const hashes = pieces(w, message).flatMap(hashOf);
  await requireTag(polynomials, { tag: bytesOf(w, other), r: messageKey, s: zeros(), message: hashes });
}

export async function provePages(
  kernel: PolynomialKernel,
  aesBlocks: number,
  shape: Shape,
  setting = namedSetting(aesBlocks),
): Promise<void> {
  const { cipher, back, rounds, tweakLength, length, count, parts } = shape;
  const what = `${cipher}, ${back ? 'decrypt' : 'encrypt'}, ${rounds} rounds, tweak of ${tweakLength}, ${count} pages of ${length}`;
  await requireCarry();
  const end = parts ? STAGE + Math.max(...parts) : STAGE + count * ((length + 255) & -256);
  const polynomials = kernel.start(rangesOf(end), { instead: setting.instead });
  const { run } = polynomials;
  const { key, r, nhKey } = setting.writeKeys(run);
  const pages = Array.from({ length: count }, (_, i) => pageOf(shape, i));
  const results = parts ? [inParts(run, shape, parts, pages[0])] : inOneCall(run, shape, pages);
  expectNoEvents(run, what);
  expectBytes(run, KEY, key, `${what}: the key stays`);
  expectBytes(run, NH_KEY, nhKey, `${what}: the key of NH stays`);

  const counter = (j: number): Term[] => [w.word(j), w.word(0)];
  const blocks = setting.turned.flat();
  for (const [i, { head, bytes }] of pages.entries()) {
    const group = Math.floor(i / aesBlocks);
    const aesBlock = blocks[group * aesBlocks + (i % aesBlocks)];
    const { inverse, before, after, tweaked } = aesBlock;
    const message = bytes.slice(0, length - BLOCK);
    const last = wordsOf(w, bytes.slice(length - BLOCK));
    const found = results[i];
    require(inverse === back, () => `${what}: AES the wrong way round in page ${i}`);
    setting.requireTurned(aesBlock);
    // The stream's nonce is the block of AES that is ciphertext.
    const nonce = wordsOf(w, nonceOf(w, back ? before : after));
    const expected = xchacha(w, wordsOf(w, key), counter, nonce, message, rounds);
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
    await requireHash(polynomials, setting, shape, r, head, tweaked, hashed[0], message);
    await requireHash(polynomials, setting, shape, r, head, tweaked, hashed[1], expected);
  }
}
