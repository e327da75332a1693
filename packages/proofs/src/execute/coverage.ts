/**
 * Which places of a module or a text were run, and which ways its conditions went. A place is an offset: of an instruction
 * in the module, of a condition or a function in the text. The marks are bytes that threads may share: each is only ever
 * set to 1, so it does not matter which thread does it first.
 */
export class Coverage {
  readonly marks: SharedArrayBuffer;
  readonly #ran: Uint8Array;
  readonly #held: Uint8Array;
  readonly #failed: Uint8Array;

  /** Of a module or a text of so many bytes or characters; over the marks of another one if given. */
  constructor(length: number, marks = new SharedArrayBuffer(3 * length)) {
    this.marks = marks;
    [this.#ran, this.#held, this.#failed] = [0, 1, 2].map((i) => new Uint8Array(marks, i * length, length));
  }

  run(at: number): void {
    this.#ran[at] = 1;
  }

  /** Of a condition that was run: whether it held. */
  went(at: number, held: boolean): void {
    (held ? this.#held : this.#failed)[at] = 1;
  }

  hasRun = (at: number): boolean => this.#ran[at] === 1;
  hasHeld = (at: number): boolean => this.#held[at] === 1;
  hasFailed = (at: number): boolean => this.#failed[at] === 1;
}
