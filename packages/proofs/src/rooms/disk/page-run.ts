/**
 * Runs of the functions that put a page together, at the lengths of a case. Names stand for the results of the functions that they
 * call, as in named-setting.ts, and a call is a failure if no claim has it: the hash of a tweak and of a message (hash-lengths.ts),
 * streams, subkeys and Poly1305's last step (function-claims.ts, every-length.ts), AES (aes-claims.ts).
 */
import * as layout from '../../../../lanewise/src/disk/map.ts';
import { require } from '../../claims/claim.ts';
import type { Case, Num } from '../../every-length/cases.ts';
import { BEFORE, UNKNOWN, ZERO, type Content, type Contents } from '../../every-length/content.ts';
import { Outline, type Contract } from '../../every-length/outline.ts';
import { Data, Parameter, Place, sameValue, termOf, type Base, type Value } from '../../every-length/values.ts';
import type { Kernel } from '../../kernels.ts';
import { symbols as w } from '../../specifications/terms.ts';
import { numberOf, type Term } from '../../terms/term.ts';
import { exported, type DecodedModule } from '../../wasm/types.ts';
import { wordsOf } from '../../specifications/algebra.ts';
import { keyRows } from '../chacha/specification.ts';
import { subkeyPlaces } from './function-claims.ts';
import { computingIn, hashingIn, leavesOf } from './functions.ts';
import { expectKept, expectKey, H_BYTES, POLY_BYTES, S, span, upTo16, type Span } from './hash-lengths.ts';
import { BLOCK, nonceOf } from './hbsh-specification.ts';
import { sumOf } from './sums.ts';

const { HASH, HEAD, HEADS, MIDDLE, NH, NH_BYTES, POLY, SETS, STAGE, STATE, SUBKEYS, SUBKEY_BYTES, TWEAKED } = layout;
const STREAM = layout.STREAM_BLOCK;
const SETS_BYTES = 1024;
const STATE_BYTES = 64;
const WORDS = 4;

/** Where the bytes of a page are. */
export interface Places {
  readonly head: Value;
  readonly saved: Value;
  readonly block: Value;
  readonly subkey: Value;
  readonly text: Value;
}
/** Those of any page, … */
const bases = ['head', 'saved', 'block', 'subkey', 'text'].map((name, i): Base => ({ name, home: (i + 1) * 2 ** 20 }));
const [head, saved, block, subkey, text] = bases.map((base) => new Place(base));
export const ANYWHERE: Places = { head, saved, block, subkey, text };
/** … and those of one in parts. */
export const IN_PARTS: Places = { head: HEADS, saved: TWEAKED, block: MIDDLE, subkey: SUBKEYS, text: STAGE };

export const [ROUNDS, HEAD_LENGTH, PAGES] = ['rounds', 'headLength', 'pages'].map((name) => new Parameter(name));

/** A kernel, and one of its two ciphers. */
export interface Setting {
  readonly kernel: Kernel;
  readonly module: DecodedModule;
  /** 1 for Adiantum, 0 for HPolyC. */
  readonly nh: number;
  /** How many blocks AES takes at once. */
  readonly aesBlocks: number;
}

export interface RunOptions {
  /** The number of bytes that are hashed, and whether this is after the stream was XORed onto them. */
  readonly length?: Num;
  readonly isXored?: boolean;
  /** Whether hash and stream go on after other parts of the message. */
  readonly goesOn?: boolean;
}

/** A call of AES, or of the function for subkeys, and the words of all blocks at MIDDLE. */
interface Call {
  readonly name: string;
  readonly words: readonly Value[];
}

export class PageRun {
  readonly outline: Outline;
  readonly places: Places;
  readonly calls: Call[] = [];
  readonly #length: Num;
  /** What the bytes that are hashed are to be. */
  readonly #text: (from: Num) => Content;
  /** The blocks of the stream that were used; undefined before the first one. */
  #counter: Num | undefined;
  readonly #setting: Setting;
  readonly #case: Case;
  readonly #goesOn: boolean;

  constructor(
    setting: Setting,
    c: Case,
    places: Places,
    { length = 0, isXored = false, goesOn = false }: RunOptions = {},
  ) {
    this.places = places;
    this.#setting = setting;
    this.#case = c;
    this.#length = length;
    this.#goesOn = goesOn;
    this.#text = (from) => ({ kind: 'before', delta: 0, ...(isXored && { stream: c.sub(0, from) }) });
    const { module, kernel } = setting;
    const { tweak, absorb } = hashingIn(module);
    const { subkeys, finish } = computingIn(module);
    const contracts = new Map<number, Contract>([
      [tweak, (_, parameters) => this.#tweak(parameters)],
      [absorb, (_, parameters) => this.#absorb(parameters)],
      [finish, (_, parameters) => this.#finish(parameters)],
      [subkeys, (_, parameters) => this.#subkeys(parameters)],
      ...['sliceKeys', 'encryptBlocks', 'decryptBlocks'].map(
        (name) =>
          [exported(module, name).index, (_: Outline, given: readonly Value[]) => this.#aes(name, given)] as const,
      ),
      ...leavesOf(module).map(
        (how) => [how.index, (_: Outline, parameters: readonly Value[]) => this.#xor(parameters, how)] as const,
      ),
    ]);
    this.outline = new Outline(module, c, kernel.memoryBytes, contracts, {}, undefined, bases);
  }

  get memory(): Contents {
    return this.outline.memory;
  }

  at = (place: Value, offset: Num = 0): Num => this.#case.add(this.outline.at(place, 0), offset);

  /** An address of another one's region. */
  next = (place: Value, by: number): Place => new Place((place as Place).base, by);

  require(condition: boolean, what: string): void {
    if (!condition) throw this.outline.failure(what);
  }

  #same(found: readonly Value[], expected: readonly Value[], what: string): void {
    const same = expected.every((value, i) => sameValue(this.#case, value, found[i]));
    this.require(same, `${what} with other parameters`);
  }

  /** Gives bytes a name. */
  name(kind: string, place: Value, length: number): void {
    const at = this.at(place);
    this.memory.put(at, this.#case.add(at, length), this.#named(kind, at));
  }

  #named = (kind: string, at: Num): Content => ({ kind, delta: this.#case.sub(0, at) });

  expectNamed(kind: string, place: Value, length: number, what: string): void {
    const at = this.at(place);
    this.memory.expect(at, this.#case.add(at, length), this.#named(kind, at), what);
  }

  #forget(...spans: readonly Span[]): void {
    for (const { from, to } of spans) this.memory.put(from, to, UNKNOWN);
  }

  /** What the hash of a tweak leaves: Adiantum a number, HPolyC an accumulator. */
  nameTweak(): void {
    this.name('tweak', this.places.saved, this.#setting.nh ? BLOCK : H_BYTES);
  }

  #tweak(parameters: readonly Value[]): undefined {
    const { head, saved } = this.places;
    this.#same(parameters, [this.#setting.nh, head, HEAD_LENGTH, saved], 'the hash of a tweak');
    const from = this.at(head);
    this.memory.expect(from, this.at(head, layout.HEADS_BYTES), BEFORE, 'the head');
    this.#forget(span(this.#case, POLY, POLY_BYTES));
    // Up to 15 bytes after this head change, and nothing of the next one.
    this.name('hashed head', head, layout.HEADS_BYTES);
    this.nameTweak();
  }

  /** Throws Failure unless nothing has changed of the tweak since it was hashed. */
  expectTweak(): void {
    const { saved } = this.places;
    this.expectNamed('tweak', saved, this.#setting.nh ? BLOCK : H_BYTES, 'what is kept of the tweak');
  }
  expectHead(): void {
    this.expectNamed('hashed head', this.places.head, layout.HEADS_BYTES, 'the heads');
  }

  expectHashed(): void {
    this.expectNamed('hashed', POLY, H_BYTES, 'the accumulator of the message');
  }

  /** A message begins: HPolyC's after the tweak. */
  expectBegun(): void {
    const { nh } = this.#setting;
    if (nh) this.memory.expect(POLY, POLY + H_BYTES, ZERO, 'the accumulator of nothing');
    else this.expectNamed('tweak', POLY, H_BYTES, 'the accumulator of the tweak');
    expectKey(this.memory, nh, true);
  }

  #absorb([nh, address, length]: readonly Value[]): undefined {
    const c = this.#case;
    const { text } = this.places;
    this.#same([nh, address, length], [this.#setting.nh, text, this.#length], 'the hash of a message');
    if (this.#goesOn) this.expectNamed('hash', POLY, POLY_BYTES, 'the hash of the parts before');
    else this.expectBegun();
    const from = this.at(text);
    const end = c.add(from, this.#length);
    this.memory.expect(from, end, this.#text(from), 'the message that is hashed');
    this.#forget({ from: end, to: c.add(from, upTo16(c, this.#length)) });
    if (this.#setting.nh) this.#forget(span(c, NH, NH_BYTES));
    this.name('hashed', POLY, H_BYTES);
  }

  #finish(parameters: readonly Value[]): undefined {
    this.#same(parameters, [HASH], 'the end of a hash');
    this.expectHashed();
    this.memory.expect(S, S + BLOCK, ZERO, 's');
    this.name('tag', HASH, BLOCK);
  }

  #subkeys([rounds, pages]: readonly Value[]): undefined {
    const c = this.#case;
    const isGroup = sameValue(c, pages, this.places === IN_PARTS ? 1 : PAGES);
    this.require(sameValue(c, rounds, ROUNDS) && isGroup, 'subkeys of other pages, or with other rounds');
    this.calls.push({ name: 'subkeys', words: this.#blocks() });
    for (const { from, to } of subkeyPlaces(this.#setting)) this.#forget({ from, to });
    this.name('subkey', SUBKEYS, SUBKEY_BYTES * this.#setting.aesBlocks);
  }

  #aes(name: string, parameters: readonly Value[]): undefined {
    const { aesBlocks } = this.#setting;
    this.#same(parameters, name === 'sliceKeys' ? [] : [MIDDLE], name);
    this.calls.push({ name, words: this.#blocks() });
    this.#forget(span(this.#case, layout.SLICES, BLOCK * aesBlocks));
    if (name !== 'sliceKeys') this.name('AES', MIDDLE, BLOCK * aesBlocks);
  }

  #blocks = (): Value[] => this.#words(MIDDLE, WORDS * this.#setting.aesBlocks);

  /** Throws Failure unless this is the state of a page's stream at its beginning: draft-irtf-cfrg-xchacha-03 §2.3. */
  expectStream(): void {
    const none = Array.from({ length: 8 }, () => w.word(0));
    const constants = keyRows(w, none).slice(0, 4);
    const nonce = wordsOf(
      w,
      nonceOf(
        w,
        Array.from({ length: BLOCK }, () => w.byte(0)),
      ),
    ).slice(4);
    const words = new Map(
      [...constants, ...none, w.word(0), w.word(0), ...nonce].map((term, i) => [STATE + 4 * i, term]),
    );
    for (let i = 4; i < 12; i++) words.delete(STATE + 4 * i);
    for (const [at, term] of words) {
      const value = numberOf(term)! >>> 0;
      const content = value ? { kind: 'word', delta: -at >>> 0, value } : ZERO;
      this.memory.expect(at, at + 4, content, 'the state of a stream');
    }
    this.expectNamed('subkey', STATE + 16, SUBKEY_BYTES, 'the key of a stream');
  }

  /** XORs so many blocks; a function for exactly `count` does not read their number. */
  #xor([rounds, address, given]: readonly Value[], how: ReturnType<typeof leavesOf>[number]): undefined {
    const c = this.#case;
    this.#same([rounds], [ROUNDS], 'a stream');
    const blocks = how.count ?? this.outline.number(given, 'number of blocks');
    this.require(!c.equal(blocks, 0), 'no block is XORed, which does not end');
    if (this.#counter !== undefined) this.expectNamed('state', STATE, STATE_BYTES, 'the state of a stream');
    else if (this.#goesOn) this.expectNamed('stream', STATE, STATE_BYTES, 'the state of the parts before');
    else this.expectStream();
    const counter = this.#counter ?? 0;
    const done = c.mul(STREAM, counter);
    const size = c.mul(STREAM, blocks);
    const from = this.outline.at(address, size);
    this.require(c.equal(from, this.at(this.places.text, done)), 'a stream goes elsewhere');
    const to = c.add(from, size);
    this.memory.xor(from, to, c.sub(done, from));
    if (how.sets)
      this.#forget(span(c, SETS, SETS_BYTES), { from: to, to: c.add(from, c.and(c.add(size, 255), -256 >>> 0)) });
    this.name('state', STATE, STATE_BYTES);
    this.#counter = c.add(counter, blocks);
  }

  /** Throws Failure unless the text has the stream on it, from its first block on. */
  expectStreamed(length: Num): void {
    const c = this.#case;
    const from = this.at(this.places.text);
    this.memory.expect(from, c.add(from, length), { kind: 'before', delta: 0, stream: c.sub(0, from) }, 'the text');
    const blocks = c.shiftedDown(c.add(length, STREAM - 1), 6);
    this.require(c.equal(this.#counter ?? 0, blocks), 'another number of blocks of the stream');
  }

  #words = (at: Num, count = WORDS): Value[] =>
    Array.from({ length: count }, (_, i) => this.outline.loaded(this.#case.add(at, 4 * i)));

  /** The words of these bytes before the call, … */
  wordsBefore = (at: Num, count = WORDS): Term[] => this.#termsOf({ kind: 'before', delta: at }, count);
  /** … and of a name. */
  wordsOf = (kind: string, count = WORDS): Term[] => this.#termsOf({ kind, delta: 0 }, count);
  #termsOf = (content: Content, count: number): Term[] =>
    Array.from({ length: count }, (_, i) =>
      termOf(new Data(content.kind, { ...content, delta: this.#case.add(content.delta, 4 * i) }))!,
    );

  /** §2: a hash without the tweak's number for HPolyC, and with it for Adiantum. */
  hash(): Term[] {
    const tag = this.wordsOf('tag');
    return this.#setting.nh ? sumOf(tag, this.wordsOf('tweak')) : tag;
  }

  #expectWords(found: readonly Value[], expected: readonly Term[], what: string): void {
    const same = found.length === expected.length && found.every((value, i) => termOf(value) === expected[i]);
    this.require(same, what);
  }

  expectWordsAt(at: Num, expected: readonly Term[], what: string): void {
    this.#expectWords(this.#words(at), expected, what);
  }

  /** Throws Failure unless AES and subkeys take blocks in the order of the direction: first of all these, which are at MIDDLE. */
  expectMiddle(back: number, first: readonly Term[]): void {
    const { aesBlocks } = this.#setting;
    const count = WORDS * aesBlocks;
    const given = [...first, ...this.wordsBefore(MIDDLE + 4 * first.length, count - first.length)];
    const aes = { name: back ? 'decryptBlocks' : 'encryptBlocks', words: given };
    const subkeys = { name: 'subkeys', words: back ? given : this.wordsOf('AES', count) };
    const expected = back ? [subkeys, aes] : [aes, subkeys];
    require(this.calls.length === 2, () => `${this.calls.length} calls of AES and of subkeys`);
    expected.forEach(({ name, words }, i) => {
      require(this.calls[i].name === name, () => `${this.calls[i].name} where ${name} has to be`);
      this.#expectWords(this.calls[i].words, words, `${name} of another block`);
    });
    this.expectNamed('AES', MIDDLE, BLOCK * aesBlocks, 'what AES has made');
    this.expectNamed('subkey', SUBKEYS, SUBKEY_BYTES * aesBlocks, 'the subkeys');
  }

  /**
   * Throws Failure unless all memory is as it was, but the work areas of a hash, those of a stream, and places before and after
   * these.
   */
  expectRest(before: readonly Span[], isStreamed: boolean, behind: readonly Span[], what: string): void {
    const c = this.#case;
    const [first, second] = isStreamed
      ? [[span(c, SETS, SETS_BYTES), span(c, STATE, HASH - STATE)], [span(c, HEAD, STREAM)]]
      : [[], []];
    const hash = [span(c, HASH, BLOCK), span(c, POLY, POLY_BYTES), ...second, span(c, NH, NH_BYTES)];
    expectKept(this.memory, [...before, ...first, ...hash, ...behind], what);
  }
}
