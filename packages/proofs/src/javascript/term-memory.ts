// Memory of terms. A byte is a term of 8 bits, or one of the four bytes of a word that was stored as a word, so that
// words read as they were stored are never taken apart. A byte that was not written yet is a variable of its own: the
// earlier, arbitrary content.
import { concat, extract, variable, zeroExtend, type Term } from '../terms/term.ts';
import { Memory } from './memory.ts';
import { int32, integer, wordOf, type Doubles, type Value } from './values.ts';

export interface TermByte {
  readonly term: Term;
  /** The index of the byte in its word. */
  readonly index: number;
}

const INDEXES = [0, 1, 2, 3];

/** The bytes of a term of 8 or 32 bits, the least significant first. */
export const bytesOf = (term: Term): TermByte[] =>
  term.width === 8 ? [{ term, index: 0 }] : INDEXES.map((index) => ({ term, index }));

export const termOf = ({ term, index }: TermByte): Term => (term.width === 8 ? term : extract(term, 8, index));

export function wordOfBytes(bytes: readonly TermByte[]): Term {
  const [{ term }] = bytes;
  const isStoredWord = term.width === 32 && bytes.every((byte, i) => byte.term === term && byte.index === i);
  return isStoredWord ? term : concat(...bytes.map(termOf));
}

export class TermMemory extends Memory<TermByte> {
  readonly #doubles: Doubles;

  constructor(length: number, doubles: Doubles) {
    super(length);
    this.#doubles = doubles;
  }

  protected before(address: number): TermByte {
    return { term: variable(8, `memory[${address}]`, false), index: 0 };
  }

  protected numberOf(bytes: readonly TermByte[]): Value {
    return bytes.length === 1 ? integer(zeroExtend(termOf(bytes[0]), 32), 0, 255) : int32(wordOfBytes(bytes));
  }

  protected bytesOf(value: Value, elementBytes: 1 | 4): TermByte[] {
    const bytes = bytesOf(wordOf(value, this.#doubles));
    return elementBytes === 4 ? bytes : [bytes[0]];
  }
}
