/**
 * Records which places of a module or a text were executed, which ways its conditions went, and how close the two sides
 * of its comparisons were. A place is an offset: of an instruction in the module, or of a condition or a function in
 * the text. The marks are bytes that threads may share: each is set to 1, or to a distance that only ever falls, so the
 * order of the threads does not matter.
 */
export class Coverage {
  readonly marks: SharedArrayBuffer;
  readonly #ran: Uint8Array;
  readonly #held: Uint8Array;
  readonly #failed: Uint8Array;
  readonly #equal: Uint8Array;
  /** The shortest distance that was seen, or 0 if none was; distances that do not fit a byte do not matter. */
  readonly #below: Uint8Array;
  readonly #above: Uint8Array;

  /**
   * Coverage of a module of `length` bytes or a text of `length` characters; on the marks of another Coverage if given.
   */
  constructor(length: number, marks = new SharedArrayBuffer(6 * length)) {
    this.marks = marks;
    [this.#ran, this.#held, this.#failed, this.#equal, this.#below, this.#above] = Array.from(
      { length: 6 },
      (_, i) => new Uint8Array(marks, i * length, length),
    );
  }

  run(at: number): void {
    this.#ran[at] = 1;
  }

  /** Records that a condition was executed, and whether it held. */
  went(at: number, held: boolean): void {
    (held ? this.#held : this.#failed)[at] = 1;
  }

  /** Records that a comparison was executed, with its operands, unsigned. */
  compared(at: number, x: number, y: number): void {
    if (x === y) this.#equal[at] = 1;
    else nearer(x < y ? this.#below : this.#above, at, Math.abs(x - y));
  }

  hasRun = (at: number): boolean => this.#ran[at] === 1;
  hasHeld = (at: number): boolean => this.#held[at] === 1;
  hasFailed = (at: number): boolean => this.#failed[at] === 1;
  /**
   * Whether the operands of a comparison were ever equal, and whether the first was ever less or more than the second
   * by this distance.
   */
  wasEqual = (at: number): boolean => this.#equal[at] === 1;
  wasBelow = (at: number, by: number): boolean => this.#below[at] === by;
  wasAbove = (at: number, by: number): boolean => this.#above[at] === by;
}

function nearer(distances: Uint8Array, at: number, distance: number): void {
  if (distance > 255) return;
  for (;;) {
    const known = Atomics.load(distances, at);
    if (known !== 0 && known <= distance) return;
    if (Atomics.compareExchange(distances, at, known, distance) === known) return;
  }
}
