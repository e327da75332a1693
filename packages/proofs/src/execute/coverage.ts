/**
 * Which places of a module or a text were run, which ways its conditions went, and how near the two sides of its comparisons
 * were. A place is an offset: of an instruction in the module, of a condition or a function in the text. The marks are bytes
 * that threads may share: each is set to 1, or to a distance that only ever falls, so it does not matter which thread does it
 * first.
 */
export class Coverage {
  readonly marks: SharedArrayBuffer;
  readonly #ran: Uint8Array;
  readonly #held: Uint8Array;
  readonly #failed: Uint8Array;
  readonly #equal: Uint8Array;
  /** The shortest distance that was seen, and 0 if none was; longer ones than a byte has room for do not matter. */
  readonly #below: Uint8Array;
  readonly #above: Uint8Array;

  /** Of a module or a text of so many bytes or characters; over the marks of another one if given. */
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

  /** Of a condition that was run: whether it held. */
  went(at: number, held: boolean): void {
    (held ? this.#held : this.#failed)[at] = 1;
  }

  /** Of a comparison that was run: its operands, unsigned. */
  compared(at: number, x: number, y: number): void {
    if (x === y) this.#equal[at] = 1;
    else nearer(x < y ? this.#below : this.#above, at, Math.abs(x - y));
  }

  hasRun = (at: number): boolean => this.#ran[at] === 1;
  hasHeld = (at: number): boolean => this.#held[at] === 1;
  hasFailed = (at: number): boolean => this.#failed[at] === 1;
  /** Whether the operands of a comparison were equal, and whether the first was so much less or more than the second. */
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
