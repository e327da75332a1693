/**
 * The storage for the contents of nodes: one list of words for all of them, and a hash table that finds equal contents.
 * A proof has millions of nodes; if each content were an object of its own, garbage collection would take longer than
 * the proof.
 *
 *     content: shape, count of operands, ids of operands …, count of numbers, numbers …
 *
 * Numbers are stored as words of 32 bits. A content is written after the last one, looked up, and stays there if it is
 * new.
 */

interface Owner {
  readonly id: number;
  /** The bits that may be set, unsigned. */
  readonly maybe: number;
}

/** An owner, and the place of its content if the content is a sum. */
interface Placed<T> {
  readonly owner: T;
  readonly place: number | undefined;
}

/** The place of a sum in a list of words: see `findSum`. */
interface SumAt {
  /** Its first id, and how many there are. */
  readonly ids: number;
  readonly count: number;
  /** Its first coefficient; -1 if all are 1. */
  readonly coefficients: number;
  readonly constant: number;
}

const FIRST_WORDS = 1 << 14;
const FIRST_SLOTS = 1 << 11;

export class Arena<T extends Owner> {
  #words = new Int32Array(FIRST_WORDS);
  /** The start and the end of the next content. */
  #start = 0;
  #end = 0;
  /** All owners of this arena: their ids are consecutive. */
  readonly #owners: T[] = [];
  #firstId = 0;
  /** Operands that belong to another arena, by their ids. */
  readonly #others = new Map<number, T>();

  /**
   * A hash table with open addressing and linear probing, never more than half full. A slot holds the owner's index in
   * the list plus 1, or 0 if it is free.
   */
  #slots = new Int32Array(FIRST_SLOTS);
  #hashes = new Int32Array(FIRST_SLOTS);
  /** The place of each owner's content. */
  #places = new Int32Array(FIRST_SLOTS);
  #used = 0;
  /** The coefficients of the sum that is being made. */
  #coefficients = new Int32Array(64);
  /** The hash of the last content that was looked up. */
  #hash = 0;
  #free = 0;

  #reserve(length: number): void {
    if (this.#start + length <= this.#words.length) return;
    const words = new Int32Array(2 * Math.max(this.#words.length, length));
    words.set(this.#words);
    this.#words = words;
  }

  /** Writes a content after the last one. */
  #write(shape: number, operands: readonly T[], numbers: readonly number[]): void {
    this.#reserve(3 + operands.length + numbers.length);
    const words = this.#words;
    let at = this.#start;
    words[at++] = shape;
    words[at++] = operands.length;
    for (const operand of operands) words[at++] = operand.id;
    words[at++] = numbers.length;
    for (const number of numbers) words[at++] = number;
    this.#end = at;
  }

  /** The owner of this content, if there is one. If not, the next `keep` gives this content its owner. */
  find(shape: number, operands: readonly T[], numbers: readonly number[]): T | undefined {
    this.#write(shape, operands, numbers);
    return this.#search();
  }

  /** The owner of the content that was written last. */
  #search(): T | undefined {
    const words = this.#words;
    const [start, end] = [this.#start, this.#end];
    let hash = 0;
    for (let at = start; at < end; at++) hash = Math.imul(hash ^ words[at], 0x9e3779b1) ^ (hash >>> 15);
    hash ^= hash >>> 16;

    const last = this.#slots.length - 1;
    let slot = hash & last;
    for (; this.#slots[slot] !== 0; slot = (slot + 1) & last) {
      if (this.#hashes[slot] !== hash) continue;
      const owner = this.#slots[slot] - 1;
      let other = this.#places[owner];
      let at = start;
      // The counts are part of the content, so equal contents have equal lengths.
      while (at < end && words[at] === words[other]) {
        at++;
        other++;
      }
      if (at === end) return this.#owners[owner];
    }
    this.#hash = hash;
    this.#free = slot;
    return undefined;
  }

  /**
   * The owner of the sum of two owners and a constant, found without lists of objects because sums are the most
   * frequent nodes. A sum's place is that of its content, whose numbers are the coefficients (none if all are 1) and a
   * constant; any other owner has no place and counts as a sum of itself. The result must have two operands or more,
   * one of them with an odd coefficient and every bit possibly set, and nothing may cancel; otherwise the result is
   * `false`.
   */
  findSum(shape: number, x: Placed<T>, y: Placed<T>, constant: number): T | undefined | false {
    const most = this.#countOf(x) + this.#countOf(y);
    this.#reserve(6 + 2 * most);
    if (this.#coefficients.length < most) this.#coefficients = new Int32Array(2 * most);
    // The ids of owners without a place are written after all contents.
    const behind = this.#start + 4 + 2 * most;
    const [a, b] = [this.#sumOf(x, behind), this.#sumOf(y, behind + 1)];
    const [words, coefficients] = [this.#words, this.#coefficients];
    const ids = this.#start + 2;
    let [i, j, count, full, plain] = [0, 0, 0, false, true];
    while (i < a.count || j < b.count) {
      const left = i < a.count ? words[a.ids + i] : Infinity;
      const right = j < b.count ? words[b.ids + j] : Infinity;
      let coefficient = 0;
      if (left <= right) coefficient += a.coefficients < 0 ? 1 : words[a.coefficients + i];
      if (right <= left) coefficient += b.coefficients < 0 ? 1 : words[b.coefficients + j];
      coefficient |= 0;
      if (coefficient === 0) return false;
      const id = Math.min(left, right);
      full ||= (coefficient & 1) === 1 && this.#ownerOf(id).maybe === 0xffffffff;
      plain &&= coefficient === 1;
      words[ids + count] = id;
      coefficients[count++] = coefficient;
      if (left <= right) i++;
      if (right <= left) j++;
    }
    if (count < 2 || !full) return false;
    words[this.#start] = shape;
    words[this.#start + 1] = count;
    let at = ids + count;
    words[at++] = plain ? 1 : count + 1;
    if (!plain) for (let k = 0; k < count; k++) words[at++] = coefficients[k];
    words[at++] = a.constant + b.constant + constant;
    this.#end = at;
    return this.#search();
  }

  #countOf({ place }: Placed<T>): number {
    return place === undefined ? 1 : this.#words[place + 1];
  }

  #sumOf({ owner, place }: Placed<T>, behind: number): SumAt {
    const words = this.#words;
    if (place === undefined) {
      words[behind] = owner.id;
      return { ids: behind, count: 1, coefficients: -1, constant: 0 };
    }
    const count = words[place + 1];
    const numbers = place + 2 + count;
    const coefficients = words[numbers] > 1 ? numbers + 1 : -1;
    return { ids: place + 2, count, coefficients, constant: words[numbers + words[numbers]] };
  }

  /** The place of the content that was looked up last and not found, which the next owner gets. */
  get place(): number {
    return this.#start;
  }

  /**
   * Makes `owner`, which was made with the current `place`, the owner of the content that was looked up and not found.
   */
  keep(owner: T, operands: readonly T[]): T {
    this.#slots[this.#free] = this.#add(owner);
    this.#hashes[this.#free] = this.#hash;
    for (const operand of operands) if (!this.#owns(operand.id)) this.#others.set(operand.id, operand);
    if (2 * ++this.#used > this.#slots.length) this.#grow();
    return owner;
  }

  /** Writes a content that lookups do not find, for the owner that is added next. */
  write(shape: number, numbers: readonly number[]): number {
    this.#write(shape, [], numbers);
    return this.#start;
  }

  /** Makes `owner` the owner of the content that was written last; returns its number, counted from 1. */
  #add(owner: T): number {
    const { length } = this.#owners;
    if (length === 0) this.#firstId = owner.id;
    if (length === this.#places.length) {
      const places = new Int32Array(2 * length);
      places.set(this.#places);
      this.#places = places;
    }
    this.#places[length] = this.#start;
    this.#start = this.#end;
    return this.#owners.push(owner);
  }

  /** Makes `owner` the owner of the content that was just written. */
  add(owner: T): T {
    this.#add(owner);
    return owner;
  }

  #grow(): void {
    const [slots, hashes] = [this.#slots, this.#hashes];
    this.#slots = new Int32Array(2 * slots.length);
    this.#hashes = new Int32Array(2 * slots.length);
    const last = this.#slots.length - 1;
    for (let i = 0; i < slots.length; i++) {
      if (slots[i] === 0) continue;
      let slot = hashes[i] & last;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & last;
      this.#slots[slot] = slots[i];
      this.#hashes[slot] = hashes[i];
    }
  }

  #owns(id: number): boolean {
    return id >= this.#firstId && id - this.#firstId < this.#owners.length;
  }

  #ownerOf(id: number): T {
    return this.#owns(id) ? this.#owners[id - this.#firstId] : this.#others.get(id)!;
  }

  /** The operands of the content at a place. */
  operands(place: number): T[] {
    const count = this.#words[place + 1];
    const operands: T[] = [];
    for (let at = place + 2; at < place + 2 + count; at++) operands.push(this.#ownerOf(this.#words[at]));
    return operands;
  }

  /** The operand with this index. */
  operand(place: number, index: number): T {
    return this.#ownerOf(this.#words[place + 2 + index]);
  }

  /** The first number of a content that has numbers, as an unsigned word. */
  firstNumber(place: number): number {
    return this.#words[place + 3 + this.#words[place + 1]] >>> 0;
  }

  /** How many numbers the content has. */
  countOfNumbers(place: number): number {
    return this.#words[place + 2 + this.#words[place + 1]];
  }

  /** The numbers of the content at a place, as unsigned words. */
  numbers(place: number): number[] {
    const first = place + 2 + this.#words[place + 1];
    const numbers: number[] = [];
    for (let at = first + 1; at <= first + this.#words[first]; at++) numbers.push(this.#words[at] >>> 0);
    return numbers;
  }
}
