/**
 * Linear memory as pieces: what each byte is, for addresses that may depend on the length of a case. A piece says where its
 * bytes come from, not what values they have, so a message of any length is one piece.
 */
import { Failure } from '../claims/claim.ts';
import { Affine, type Case, type Num } from './cases.ts';

/** The origin of a byte at address x. */
export interface Content {
  /**
   * `before`: the byte that was at x + delta before the call. `byte`: the constant `value`. `word`: byte x + delta of a stored
   * number, `value`. Any other kind is a name that a contract gives: byte x + delta of it.
   */
  readonly kind: string;
  readonly delta: Num;
  readonly value?: unknown;
  /** The keystream's byte at x + stream is XORed onto it. */
  readonly stream?: Num | undefined;
}

export interface Piece {
  readonly from: Num;
  readonly to: Num;
  readonly content: Content;
}

export const BEFORE: Content = { kind: 'before', delta: 0 };
export const byteOf = (value: number): Content => ({ kind: 'byte', delta: 0, value });
export const ZERO = byteOf(0);
/** Bytes that nothing is said of; two such pieces need not have the same bytes. */
export const UNKNOWN: Content = { kind: 'unknown', delta: 0 };

const shown = (x: unknown): string => (x instanceof Affine ? `${x.a}k+${x.b}` : String(x));
export const describeContent = ({ kind, delta, value, stream }: Content): string =>
  [
    kind === 'byte' || kind === 'word' ? `${kind} ${shown(value)}` : `${kind} + ${shown(delta)}`,
    ...(stream === undefined ? [] : [`keystream + ${shown(stream)}`]),
  ].join(' ^ ');

export class Contents {
  readonly #case: Case;
  #pieces: Piece[];

  constructor(c: Case, memoryBytes: number) {
    this.#case = c;
    this.#pieces = [{ from: 0, to: memoryBytes, content: BEFORE }];
  }

  get pieces(): readonly Piece[] {
    return this.#pieces;
  }

  same(x: Content, y: Content): boolean {
    if (x.kind !== y.kind || (x.stream === undefined) !== (y.stream === undefined)) return false;
    const c = this.#case;
    if (x.stream !== undefined && !c.equal(x.stream, y.stream!)) return false;
    if (x.kind === 'unknown') return false;
    if (x.kind === 'byte') return x.value === y.value;
    return c.equal(x.delta, y.delta) && this.#sameValue(x.value, y.value);
  }

  #sameValue(x: unknown, y: unknown): boolean {
    if (x === y) return true;
    const isNumber = (n: unknown): n is Num => typeof n === 'number' || n instanceof Affine;
    return isNumber(x) && isNumber(y) && this.#case.equal(x, y);
  }

  /** The pieces from an address up to another one. */
  between(from: Num, to: Num): Piece[] {
    const c = this.#case;
    if (!c.less(from, to)) return [];
    const found: Piece[] = [];
    for (const piece of this.#pieces) {
      if (c.lessOrEqual(to, piece.from)) break;
      if (c.lessOrEqual(piece.to, from)) continue;
      found.push({ ...piece, from: c.greatest2(from, piece.from), to: c.least2(to, piece.to) });
    }
    return found;
  }

  /** Puts pieces, which follow one another, in the place of what is there. */
  replace(from: Num, to: Num, by: readonly Piece[]): void {
    const c = this.#case;
    if (!c.less(from, to)) return;
    const { length, [length - 1]: last } = this.#pieces;
    if (c.less(last.to, to)) throw new Failure('an access past the end of memory');
    this.#pieces = this.#merged([...this.between(0, from), ...by, ...this.between(to, last.to)]);
  }

  #merged(pieces: readonly Piece[]): Piece[] {
    const merged: Piece[] = [];
    for (const piece of pieces) {
      const before = merged.at(-1);
      if (before && this.same(before.content, piece.content)) merged[merged.length - 1] = { ...before, to: piece.to };
      else merged.push(piece);
    }
    return merged;
  }

  put(from: Num, to: Num, content: Content): void {
    this.replace(from, to, [{ from, to, content }]);
  }

  /** The content of pieces that are moved by `by`. */
  moved(content: Content, by: Num): Content {
    const c = this.#case;
    return {
      ...content,
      delta: c.sub(content.delta, by),
      ...(content.stream !== undefined && { stream: c.sub(content.stream, by) }),
    };
  }

  copy(to: Num, from: Num, length: Num): void {
    const c = this.#case;
    const by = c.sub(to, from);
    const pieces = this.between(from, c.add(from, length)).map((piece) => ({
      from: c.add(piece.from, by),
      to: c.add(piece.to, by),
      content: this.moved(piece.content, by),
    }));
    this.replace(to, c.add(to, length), pieces);
  }

  /** XORs the keystream onto bytes; byte x gets its byte x + stream. */
  xor(from: Num, to: Num, stream: Num): void {
    const pieces = this.between(from, to).map((piece) => ({
      ...piece,
      content: piece.content.stream === undefined ? { ...piece.content, stream } : UNKNOWN,
    }));
    this.replace(from, to, pieces);
  }

  /** Throws Failure unless all bytes of a range are of this content. */
  expect(from: Num, to: Num, content: Content, what: string): void {
    for (const piece of this.between(from, to))
      if (!this.same(piece.content, content))
        throw new Failure(
          `${what}: at ${this.at(piece.from)} (length ${this.#case.example}) is ${describeContent(piece.content)}, not ${describeContent(content)}`,
        );
  }

  /** An address, for messages. */
  readonly at = (x: Num): string => (typeof x === 'number' ? String(x) : String(x.a * this.#case.least + x.b));
}
