/** The shell of every sealer and opener: it checks arguments, finds room for the result, and refuses calls after its end. */
import { Destroyable, Life } from './life.ts';
import { lengthOf, refuseSurplus, sizeOf } from '../calls/checks.ts';
import { byteLengthOf, Bytes, part } from '../engine/intrinsics.ts';

/** The result of a call: a view of `out` if the caller passes it, else fresh bytes. */
export type Written<Out extends Uint8Array | undefined> =
  Out extends Uint8Array<infer Buffer> ? Uint8Array<Buffer> : Uint8Array<ArrayBuffer>;

/** One direction of a format: what a shell holds. Its arguments were checked. */
export interface Transform<Given = undefined> {
  /** Names of the object and of its input in errors. */
  readonly name: 'a sealer' | 'an opener';
  readonly input: 'bytes' | 'message';
  /** Lists of the memory that holds secrets, to which the transform adds more. */
  readonly secrets: readonly (readonly Uint8Array[])[];
  /** The error that was found in the stream; each call throws it. */
  readonly failure: string | undefined;
  /** Reads the options of `push`, in formats that have any. */
  readonly optionsOf?: (options: unknown) => Given;
  /** The length of the result of `push` with so many bytes, or of `end`, if the stream is authentic. */
  outputLength(length: number | undefined): number;
  /** Throws if the stream has no room for so many bytes. */
  check(length: number): void;
  /** Returns the number of bytes that are written to `out`. */
  push(bytes: Uint8Array, length: number, out: Uint8Array, given: Given): number;
  end(out: Uint8Array): void;
  wipe(): void;
}

/** The start of `out`, which may be longer than the result, or fresh bytes. */
function roomIn(out: Uint8Array | undefined, length: number): Uint8Array {
  if (out === undefined) return new Bytes(length);
  const got = lengthOf(out, 'out');
  if (got < length) throw new RangeError(`"out" expected Uint8Array of length >= ${length}, got length=${got}`);
  return part(out, 0, length);
}

/** The lifecycle of a shell with this transform. */
export const lifeOf = (transform: Pick<Transform, 'name' | 'secrets' | 'wipe'>): Life =>
  new Life(transform.name, () => transform.wipe(), ...transform.secrets);

export class Shell<Given = undefined> extends Destroyable {
  /** Sealers have one. */
  declare readonly header: Uint8Array<ArrayBuffer>;
  readonly #transform: Transform<Given>;
  readonly #life: Life;

  constructor(transform: Transform<Given>, header?: Uint8Array<ArrayBuffer>, life: Life = lifeOf(transform)) {
    super(life);
    this.#transform = transform;
    this.#life = life;
    if (header) this.header = header;
  }

  outputLength(length?: number): number {
    refuseSurplus(arguments, 1);
    this.#life.check();
    return this.#transform.outputLength(length === undefined ? undefined : sizeOf(length, 'length', 0));
  }

  push(bytes: Uint8Array): Uint8Array<ArrayBuffer>;
  push<Out extends Uint8Array | undefined>(bytes: Uint8Array, out: Out, options?: object): Written<Out>;
  push(bytes: Uint8Array, out?: Uint8Array, options?: object): Uint8Array {
    const transform = this.#transform;
    refuseSurplus(arguments, transform.optionsOf ? 3 : 2);
    this.#life.check();
    const length = lengthOf(bytes, transform.input);
    transform.check(length);
    const given = transform.optionsOf?.(options) as Given;
    // A getter of the options may have detached the buffer.
    if (given) lengthOf(bytes, transform.input, length);
    const room = roomIn(out, transform.outputLength(length));
    this.#checkStream();
    const written = this.#life.work(() => transform.push(bytes, length, room, given));
    // Authentic bytes come first; the next call throws.
    if (!written) this.#checkStream();
    return written === byteLengthOf(room) ? room : part(room, 0, written);
  }

  end(): Uint8Array<ArrayBuffer>;
  end<Out extends Uint8Array | undefined>(out: Out): Written<Out>;
  end(out?: Uint8Array): Uint8Array {
    refuseSurplus(arguments, 1);
    this.#life.check();
    const room = roomIn(out, this.#transform.outputLength(undefined));
    this.#checkStream();
    this.#life.work(() => {
      this.#transform.end(room);
      if (this.#transform.failure === undefined) this.#life.finish('end()');
    });
    this.#checkStream();
    return room;
  }

  #checkStream(): void {
    const { failure } = this.#transform;
    if (failure !== undefined) throw new Error(failure);
  }
}
