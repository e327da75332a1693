/**
 * Linear memory of terms. A byte is a term of 8 bits, or one of the four bytes of a word that was stored as a word, so
 * that words loaded as they were stored are never taken apart. A byte that was not written yet is a variable of its
 * own.
 */
import { concat, constant, extract, variable, type Term } from '../terms/term.ts';

export class Memory {
  readonly size: number;
  /** Whether the earlier content is labelled secret. */
  readonly #secret: boolean;
  readonly #terms: (Term | undefined)[];
  /** The index of the byte in its word; without meaning for other bytes. */
  readonly #index: Uint8Array;

  constructor(size: number, secret: boolean) {
    this.size = size;
    this.#secret = secret;
    this.#terms = new Array<Term | undefined>(size);
    this.#index = new Uint8Array(size);
  }

  /** Whether the byte at this address was written. */
  holds(address: number): boolean {
    return this.#terms[address] !== undefined;
  }

  byte(address: number): Term {
    const term = this.#terms[address];
    if (!term) return variable(8, `memory[${address}]`, this.#secret);
    return term.width === 8 ? term : extract(term, 8, this.#index[address]);
  }

  word(address: number): Term {
    const term = this.#terms[address];
    if (term?.width === 32 && this.#index[address] === 0) {
      let isStoredWord = true;
      for (let i = 1; i < 4; i++) isStoredWord &&= this.#terms[address + i] === term && this.#index[address + i] === i;
      if (isStoredWord) return term;
    }
    return concat(this.byte(address), this.byte(address + 1), this.byte(address + 2), this.byte(address + 3));
  }

  setByte(address: number, byte: Term): void {
    this.#terms[address] = byte;
  }

  setWord(address: number, word: Term): void {
    for (let i = 0; i < 4; i++) {
      this.#terms[address + i] = word;
      this.#index[address + i] = i;
    }
  }

  fill(address: number, byte: Term, length: number): void {
    this.#terms.fill(byte, address, address + length);
  }

  /** Copies as if through an intermediate buffer: the ranges may overlap. */
  copy(to: number, from: number, length: number): void {
    const terms = Array.from({ length }, (_, i) => this.#terms[from + i] ?? this.byte(from + i));
    this.#index.copyWithin(to, from, from + length);
    terms.forEach((term, i) => (this.#terms[to + i] = term));
  }

  setBytes(address: number, bytes: Uint8Array): void {
    bytes.forEach((value, i) => this.setByte(address + i, constant(8, value)));
  }

  /** The addresses of bytes that depend on a secret, ascending. */
  secretAddresses(): number[] {
    const found: number[] = [];
    this.#terms.forEach((term, address) => {
      if (term?.secret && this.byte(address).secret) found.push(address);
    });
    return found;
  }
}
