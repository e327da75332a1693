/**
 * A setting of pages with unknown keys, in which names stand for the results of AES, NH, ChaCha, HChaCha and Poly1305. A call that no
 * claim about these functions covers is a failure.
 */
import * as layout from '../../../../lanewise/src/disk/map.ts';
import { counted } from '../../claims/amounts.ts';
import { require } from '../../claims/claim.ts';
import { expectBytes, range, secrets } from '../../claims/compare.ts';
import type { Runnable } from '../../claims/runnable.ts';
import { inPlaceOf, Named } from '../../claims/stand-ins.ts';
import type { Range } from '../../execute/machine.ts';
import { bytesOf, wordsOf, xorBytes } from '../../specifications/algebra.ts';
import { symbols as w } from '../../specifications/terms.ts';
import * as terms from '../../terms/term.ts';
import type { Term } from '../../terms/term.ts';
import { keyRows, type Rounds } from '../chacha/specification.ts';
import { CLAMPED, clamped } from '../poly1305/tag.ts';
import type { DiskKernel, StandIns } from './functions.ts';
import { isClaimed, STREAM_BYTES, subkeyPlaces, xorPlaces } from './function-claims.ts';
import { BLOCK } from './hbsh-specification.ts';
import { HASH_BYTES, NH_UNIT, partsOf, ROUND_KEYS } from './parts.ts';
import type { Setting, Turned } from './page-claims.ts';

const {
  KEY,
  KEY_BYTES,
  MIDDLE,
  NH_KEY,
  NH_KEY_BYTES,
  POLY,
  POLY_KEY,
  STATE,
  SUBKEYS,
  SUBKEY_BYTES,
  TWEAKED,
  TWEAKED_BYTES,
} = layout;
const H_WORDS = 5;
const R = POLY + 32;
const S = POLY + 48;
const COUNTER = 12;

const isWithin = (ranges: readonly Range[] | undefined, { from, to }: Range): boolean =>
  ranges?.some((one) => one.from <= from && to <= one.to) ?? false;
const areApart = (x: Range, y: Range): boolean => x.to <= y.from || y.to <= x.from;

function requireReadable({ ranges: { reads, writes } }: Runnable, place: Range): void {
  require(isWithin(reads, place) || isWithin(writes, place), () => `reads at ${place.from}`);
}
function requireWritable({ ranges: { writes } }: Runnable, place: Range): void {
  require(isWithin(writes, place), () => `writes at ${place.from}`);
}

const idsOf = (list: readonly Term[]): string => list.map(({ id }) => id).join();

/** Words that stand for the results of a function: equal inputs have equal names. */
class NamedWords {
  readonly #numbers = new Map<string, number>();
  readonly #name: string;
  readonly #count: number;

  constructor(name: string, count: number) {
    this.#name = name;
    this.#count = count;
  }

  of(inputs: readonly Term[], ...numbers: readonly number[]): Term[] {
    const key = `${idsOf(inputs)} ${numbers.join()}`;
    const number = this.#numbers.get(key) ?? this.#numbers.size;
    this.#numbers.set(key, number);
    return Array.from({ length: this.#count }, (_, i) =>
      terms.variable(32, `${this.#name} ${number}, word ${i}`, true),
    );
  }
}

/**
 * Accumulators of Poly1305 modulo 2^130 - 5. Each has a number: that of the one before, r, and the block determine it. The words in
 * memory are names for it. Functions of the kernel may copy these; the results of all that compute with them depend on the accumulator
 * modulo 2^130 - 5 alone, by the claims about these.
 */
class NamedMac {
  readonly #numbers = new Map<string, number>();
  readonly #words = new Map<Term, readonly [number: number, i: number]>();

  /** The accumulator that these words are; 0 is that of nothing. */
  numberOf(words: readonly Term[]): number {
    if (words.every((word) => terms.numberOf(word) === 0)) return 0;
    const number = this.#words.get(words[0])?.[0];
    const isOne = words.every((word, i) => {
      const known = this.#words.get(word);
      return known?.[0] === number && known?.[1] === i;
    });
    require(number !== undefined && isOne, () => 'an accumulator that no call has left');
    return number;
  }

  after(number: number, r: readonly Term[], block: readonly Term[], top: number): number {
    const key = `${number} ${idsOf(r)} ${idsOf(block)} ${top}`;
    const next = this.#numbers.get(key) ?? this.#numbers.size + 1;
    this.#numbers.set(key, next);
    return next;
  }

  wordsOf(number: number): Term[] {
    return Array.from({ length: H_WORDS }, (_, i) => {
      if (number === 0) return w.word(0);
      const word = terms.variable(32, `accumulator ${number}, word ${i}`, true);
      this.#words.set(word, [number, i]);
      return word;
    });
  }

  /** Its tag, with an s of zeros. */
  tagOf(number: number): Term[] {
    return Array.from({ length: 4 }, (_, i) =>
      number ? terms.variable(32, `tag ${number}, word ${i}`, true) : w.word(0),
    );
  }

  /** RFC 8439 §2.5.1: the accumulator of a message, whose last block may be short. */
  of(r: readonly Term[], message: readonly Term[]): number {
    let number = 0;
    for (let i = 0; i < message.length; i += BLOCK) {
      const block = message.slice(i, i + BLOCK);
      if (block.length === BLOCK) number = this.after(number, r, block, 1);
      else {
        const zeros = Array.from({ length: BLOCK - 1 - block.length }, () => w.byte(0));
        number = this.after(number, r, [...block, w.byte(1), ...zeros], 0);
      }
    }
    return number;
  }
}

/** Afterwards any bytes may be at these places. */
function forget(run: Runnable, places: readonly Range[], what: string): void {
  for (const { from, to } of places) run.write(from, secrets(`left by ${what} at ${from}`, to - from));
}

export function namedSetting(kernel: DiskKernel): Setting {
  const { aesBlocks } = kernel;
  const named = new Named();
  const mac = new NamedMac();
  const stream = new NamedWords('block', 16);
  const subkeys = new NamedWords('subkey', 8);
  const turned: Turned[][] = [];
  const parts = partsOf(aesBlocks);
  const sliced = secrets('sliced keys', ROUND_KEYS * BLOCK * aesBlocks);
  const hashOf = (piece: readonly Term[]): Term[] => named.of('NH', piece, HASH_BYTES);
  let calls = 0;

  const standIns: StandIns = {
    xor(run, [doubleRounds, address, number], how) {
      const blocks = how.count ?? number;
      const state = run.readWords(STATE, 16);
      const [low, high] = [COUNTER, COUNTER + 1].map((i) => terms.numberOf(state[i]));
      require(low !== undefined && high === 0, () => 'a counter that is not known');
      isClaimed.xor(kernel, doubleRounds, address, blocks, low);
      const at = (j: number): Term[] => state.map((word, i) => (i === COUNTER ? w.word(low + j) : word));
      const data = range(address, STREAM_BYTES * blocks);
      requireReadable(run, data);
      const places = xorPlaces(address, blocks, how);
      for (const place of [data, ...places]) requireWritable(run, place);
      const keystream = Array.from({ length: blocks }, (_, j) => stream.of(at(j), doubleRounds)).flat();
      const words = run.readWords(address, keystream.length);
      forget(run, places, `xor ${calls++}`);
      run.write(
        address,
        words.map((word, i) => terms.xor(word, keystream[i])),
      );
      run.write(STATE, at(blocks));
    },
    subkeys(run, doubleRounds, pages) {
      isClaimed.subkeys(kernel, doubleRounds, pages);
      const wordsAt = (address: number, length: number): Term[] => wordsOf(w, run.read(address, length));
      const key = wordsAt(KEY, KEY_BYTES);
      const results = Array.from({ length: pages }, (_, i) =>
        subkeys.of([...key, ...wordsAt(MIDDLE + BLOCK * i, BLOCK)], doubleRounds),
      );
      forget(run, subkeyPlaces(kernel), `subkeys ${calls++}`);
      results.forEach((words, i) => run.write(SUBKEYS + SUBKEY_BYTES * i, words));
    },
    absorb(run, address, count, top) {
      isClaimed.absorb(kernel, address, count, top);
      if (count === 0) return;
      const message = range(address, BLOCK * count);
      requireReadable(run, message);
      require(areApart(message, range(POLY, 64)), () => `a message at ${address}`);
      const r = run.readWords(R, 4);
      const isClamped = r.every((word, i) => (word.maybe & ~CLAMPED[i]) === 0);
      require(isClamped, () => 'r is not clamped');
      let number = mac.numberOf(run.readWords(POLY, H_WORDS));
      for (let i = 0; i < count; i++) number = mac.after(number, r, run.read(address + BLOCK * i, BLOCK), top);
      run.write(POLY, mac.wordsOf(number));
    },
    finish(run, to) {
      isClaimed.finish(kernel, to);
      require(run.readWords(S, 4).every((word) => terms.numberOf(word) === 0), () => 's is not zero');
      run.write(to, mac.tagOf(mac.numberOf(run.readWords(POLY, H_WORDS))));
    },
  };

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
  const instead = {
    sliceKeys: inPlaceOf(parts.sliceKeys, () => [{ address: layout.SLICED, bytes: sliced }]),
    encryptBlocks: aes(false),
    decryptBlocks: aes(true),
    nh: inPlaceOf(parts.nh, (run: Runnable, address: number, units: number, to: number) => [
      { address: to, bytes: hashOf(run.read(address, NH_UNIT * units)) },
    ]),
  };

  return {
    turned,
    hashOf,
    start: (ranges) => kernel.startWith(ranges, instead, standIns),
    writeKeys(run) {
      const key = secrets('key', KEY_BYTES);
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
    encrypt(key, nonce, message, rounds: Rounds) {
      // draft-irtf-cfrg-xchacha-03 §2.3, with names for HChaCha and for the blocks.
      const subkey = subkeys.of([...key, ...nonce.slice(0, 4)], rounds / 2);
      const block = (j: number): Term[] =>
        stream.of([...keyRows(w, subkey), w.word(j), w.word(0), ...nonce.slice(4)], rounds / 2);
      const blocks = Array.from({ length: Math.ceil(message.length / STREAM_BYTES) }, (_, j) => block(j));
      return xorBytes(w, message, bytesOf(w, blocks.flat()));
    },
    requireTag({ tag, r, message }) {
      counted('bytes', tag.length);
      counted('hashed', message.length);
      const expected = mac.tagOf(mac.of(r, message));
      require(wordsOf(w, tag).every((word, i) => word === expected[i]), () => 'a hash is another one');
    },
  };
}
