/** The tools of objects at work: bytes in buffers of all kinds, and comparisons of results. */
import { expect } from 'vitest';
import { expectBytes } from '../bytes.ts';
import type { Native, Question } from './natives.ts';
import { Random } from './random.ts';
import { kinds, makeRoom, type Room } from './rooms.ts';

/** Around blocks, chunks, sets, groups and stages. */
const EDGES = [16, 32, 64, 128, 192, 256, 512, 576, 1024, 1088, 2048, 4096, 16_384, 65_536, 122_880];

export class Kit {
  readonly random: Random;
  /** The number of compared results. */
  compared = 0;
  readonly #natives: readonly Native[];
  readonly #asked = new Map<Native, { question: Question; actual: Uint8Array; what: string }[]>();
  /** Rooms of the step at work that must stay as they are. */
  readonly #given: { room: Room; before: Uint8Array }[] = [];

  constructor(seed: number, natives: readonly Native[]) {
    this.random = new Random(seed);
    this.#natives = natives;
  }

  length(longest: number): number {
    return this.random.length(longest, EDGES);
  }

  /** A room of random bytes, and the offset of `size` bytes in it. */
  #room(size: number): { room: Room; at: number } {
    const { random } = this;
    const at = random.below(48);
    const room = makeRoom(random.pick(kinds), at + size + (random.once(2) ? 0 : random.below(300)));
    room.all.set(random.bytes(room.all.length));
    return { room, at };
  }

  /** Bytes as an argument, which the call may not change, nor anything around them. */
  given(bytes: Uint8Array): Uint8Array {
    const { room, at } = this.#room(bytes.length);
    room.all.set(bytes, at);
    this.#given.push({ room, before: room.all.slice() });
    return room.view(at, bytes.length);
  }

  /** To be called after each step: nothing that was given has changed. */
  settle(): void {
    for (const { room, before } of this.#given) expectBytes(room.all, before, `an argument in ${room.kind}`);
    this.#given.length = 0;
  }

  same(actual: Uint8Array, expected: Uint8Array, what: string): void {
    this.compared++;
    expectBytes(actual, expected, what);
  }

  /** A call that throws `error` and has no other effect. */
  refused(call: () => unknown, error: RegExp, what: string): void {
    this.compared++;
    expect(call, what).toThrow(error);
  }

  /**
   * A call that takes bytes and gives bytes: fresh ones, or written to `out` in a room of its own, or to `out` in the room of the
   * input at any distance from it. Everything else in these rooms must stay. `expected` may be an error; then all must.
   */
  apply(
    what: string,
    input: Uint8Array,
    outLength: number,
    expected: Uint8Array | RegExp,
    call: (input: Uint8Array, out: Uint8Array | undefined) => Uint8Array,
  ): void {
    const place = this.random.below(10);
    if (place < 3) {
      const view = this.given(input);
      this.#finish(`${what}, fresh`, expected, () => call(view, undefined));
    } else if (place < 6) {
      const view = this.given(input);
      const { room, at } = this.#room(outLength);
      this.#written(`${what} to ${room.kind}`, room, at, outLength, expected, (out) => call(view, out));
    } else {
      const distance = this.random.between(-80, 80) * (this.random.once(3) ? 5 : 1);
      const { room, at } = this.#room(Math.abs(distance) + Math.max(input.length, outLength));
      const [from, to] = distance < 0 ? [at - distance, at] : [at, at + distance];
      room.all.set(input, from);
      const view = room.view(from, input.length);
      const where = `${what} in ${room.kind}, ${distance} bytes from the input`;
      this.#written(where, room, to, outLength, expected, (out) => call(view, out));
    }
  }

  /** A call that writes its result over its input. */
  inPlace(what: string, input: Uint8Array, expected: Uint8Array, call: (buffer: Uint8Array) => Uint8Array): void {
    const { room, at } = this.#room(input.length);
    room.all.set(input, at);
    this.#written(`${what} in ${room.kind}`, room, at, input.length, expected, call);
  }

  #written(
    what: string,
    room: Room,
    at: number,
    length: number,
    expected: Uint8Array | RegExp,
    call: (out: Uint8Array) => Uint8Array,
  ): void {
    const after = room.all.slice();
    if (!(expected instanceof RegExp)) after.set(expected, at);
    const out = room.view(at, length);
    const result = this.#finish(what, expected, () => {
      const given = call(out);
      if (given !== out) expect.fail(`${what}: it gave something else than out`);
      return room.all.subarray(at, at + length);
    });
    expectBytes(room.all, after, `${what}, all of the room${result ? '' : ' after an error'}`);
  }

  #finish(what: string, expected: Uint8Array | RegExp, call: () => Uint8Array): boolean {
    if (expected instanceof RegExp) this.refused(call, expected, what);
    else this.same(call(), expected, what);
    return !(expected instanceof RegExp);
  }

  /** Whether there is native code that answers such questions. */
  answers(question: Question): boolean {
    return this.#natives.some((native) => native.answers(question));
  }

  /** Compares with native code, if there is any for such questions: all questions of a world at once, at its end. */
  ask(question: Question, actual: Uint8Array, what: string): void {
    for (const native of this.#natives) {
      if (!native.answers(question)) continue;
      const asked = this.#asked.get(native) ?? [];
      this.#asked.set(native, asked);
      asked.push({ question, actual: actual.slice(), what });
    }
  }

  /** Asks the native programs, and compares their answers. */
  finish(): void {
    for (const [native, asked] of this.#asked) {
      const answers = native.ask(asked.map(({ question }) => question));
      asked.forEach(({ actual, what }, i) => this.same(actual, answers[i], `${what}, by ${native.name}`));
    }
    this.#asked.clear();
  }
}
