/** The ASCII armor of age files, a strict subset of PEM (C2SP age, "ASCII armor"): as text, and in pieces of any length. */
import { decodeTo, encodeTo } from './base64.ts';
import { bytesOf, present, refuseExtra, wrong } from './checks.ts';

const BEGIN = '-----BEGIN AGE ENCRYPTED FILE-----';
const END = '-----END AGE ENCRYPTED FILE-----';

const LINE_BYTES = 48;
const LINE_CHARACTERS = 64;
/** White space in front of the first line and after the last one, as age 1.3.1 accepts it: ASCII's, and of lines in front all of it. */
const MOST_SPACE_BEFORE = 1024;
const MOST_SPACE_BEHIND = 1023;

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** The error of calls after one that threw half-way: it may have absorbed a part of the bytes. */
const HALF_WAY = 'a call that threw half-way: make another';

const text = new TextEncoder();
const isSpace = (byte: number): boolean => byte === 32 || (byte >= 9 && byte <= 13);
const spells = (bytes: Uint8Array, line: string): boolean =>
  bytes.length === line.length && bytes.every((byte, i) => byte === line.charCodeAt(i));

/**
 * Encodes a file that comes in pieces of any length.
 *
 * @throws TypeError, Error: see its methods.
 * @example
 * ```ts
 * import { ArmorEncoder } from '@lanewise/age';
 * const encoder = new ArmorEncoder();
 * console.log(new TextDecoder().decode(encoder.push(new Uint8Array(48)))); // the first line, and one of base64
 * console.log(new TextDecoder().decode(encoder.end()));
 * ```
 */
export class ArmorEncoder {
  readonly #held = new Uint8Array(LINE_BYTES);
  #length = 0;
  #started = false;
  /** What forbids another call. */
  #over: 'end()' | typeof HALF_WAY | undefined;

  /**
   * Returns all lines that are complete.
   *
   * @throws TypeError if it isn't a Uint8Array, Error after `end`, and after a call that threw half-way.
   */
  push(bytes: Uint8Array): Uint8Array<ArrayBuffer>;
  push(bytes: Uint8Array, ...extra: unknown[]): Uint8Array<ArrayBuffer> {
    refuseExtra(extra, 1);
    const given = bytesOf(bytes, 'bytes');
    this.#checkAlive();
    this.#over = HALF_WAY;
    const lines = Math.floor((this.#length + given.length) / LINE_BYTES);
    const out = new Uint8Array(this.#begins() + lines * (LINE_CHARACTERS + 1));
    let to = this.#begin(out);
    let from = 0;
    for (let i = 0; i < lines; i++) {
      const taken = LINE_BYTES - this.#length;
      const whole =
        taken === LINE_BYTES ? given.subarray(from, from + taken) : this.#keep(given.subarray(from, from + taken));
      from += taken;
      this.#length = 0;
      to = encodeTo(out, to, whole);
      out[to++] = LINE_FEED;
    }
    this.#keep(given.subarray(from));
    this.#over = undefined;
    return out;
  }

  /**
   * Returns the last lines.
   *
   * @throws Error after `end`.
   */
  end(): Uint8Array<ArrayBuffer>;
  end(...extra: unknown[]): Uint8Array<ArrayBuffer> {
    refuseExtra(extra, 0);
    this.#checkAlive();
    this.#over = 'end()';
    const last = this.#length ? 4 * Math.ceil(this.#length / 3) + 1 : 0;
    const out = new Uint8Array(this.#begins() + last + END.length + 1);
    let to = this.#begin(out);
    if (last) {
      to = encodeTo(out, to, this.#held.subarray(0, this.#length));
      out[to++] = LINE_FEED;
    }
    text.encodeInto(`${END}\n`, out.subarray(to));
    return out;
  }

  #checkAlive(): void {
    if (this.#over) throw new Error(`cannot use an armor encoder after ${this.#over}`);
  }

  #begins(): number {
    return this.#started ? 0 : BEGIN.length + 1;
  }

  #begin(out: Uint8Array): number {
    const length = this.#begins();
    if (length) text.encodeInto(`${BEGIN}\n`, out);
    this.#started = true;
    return length;
  }

  #keep(bytes: Uint8Array): Uint8Array {
    this.#held.set(bytes, this.#length);
    this.#length += bytes.length;
    return this.#held;
  }
}

/**
 * Decodes a file in pieces of any length. Returns the bytes before a mistake before it throws the error.
 *
 * @throws TypeError, Error: see its methods.
 * @example
 * ```ts
 * import { ArmorDecoder, ArmorEncoder } from '@lanewise/age';
 * const encoder = new ArmorEncoder();
 * const decoder = new ArmorDecoder();
 * decoder.push(encoder.push(new Uint8Array(48)));
 * decoder.push(encoder.end());
 * decoder.end(); // throws unless the armor is complete
 * ```
 */
export class ArmorDecoder {
  #state: 'before' | 'body' | 'behind' = 'before';
  readonly #line = new Uint8Array(LINE_CHARACTERS + 1);
  #length = 0;
  #spaces = 0;
  /** The last of them, and whether the line of the next character begins with white space. */
  #space: number | undefined;
  #indented = false;
  /** Whether a line was shorter than 64 characters or padded, so that it must be the last. */
  #last = false;
  #failure: string | undefined;
  /** What forbids another call. */
  #over: 'end()' | typeof HALF_WAY | undefined;

  /**
   * Returns the bytes of all lines that are complete.
   *
   * @throws TypeError if it isn't a Uint8Array, Error after `end`, if a line before these bytes was wrong, and after a call that threw
   * half-way.
   */
  push(bytes: Uint8Array): Uint8Array<ArrayBuffer>;
  push(bytes: Uint8Array, ...extra: unknown[]): Uint8Array<ArrayBuffer> {
    refuseExtra(extra, 1);
    const given = bytesOf(bytes, 'bytes');
    this.#check();
    this.#over = HALF_WAY;
    // Four characters stand for three bytes at most.
    const out = new Uint8Array(Math.ceil(((this.#length + given.length) * 3) / 4));
    let to = 0;
    let from = 0;
    while (from < given.length && this.#failure === undefined) {
      if (this.#state === 'body') {
        const end = from + LINE_CHARACTERS;
        // The first of all line ends: a shorter line may have others after it.
        if (this.#length === 0 && given[end] === LINE_FEED && given.indexOf(LINE_FEED, from) === end) {
          to = this.#decode(given.subarray(from, end), out, to);
          from = end + 1;
        } else to = this.#take(given[from++], out, to);
      } else if (this.#length === 0 && isSpace(given[from])) this.#skip(given[from++]);
      else if (this.#state === 'behind') this.#fail('data after the last line');
      else if (this.#indented) this.#fail('white space in front of the first line');
      else to = this.#take(given[from++], out, to);
    }
    const decoded = to === out.length ? out : out.slice(0, to);
    this.#over = undefined;
    return decoded;
  }

  /** @throws Error if the armor is not complete, or after `end`. */
  end(): void;
  end(...extra: unknown[]): void {
    refuseExtra(extra, 0);
    this.#check();
    this.#over = 'end()';
    // The last line needs no line end.
    if (this.#state === 'body' && this.#length) this.#take(LINE_FEED, new Uint8Array(LINE_BYTES), 0);
    this.#checkFailure();
    if (this.#state === 'before') throw new Error(`armor expected "${BEGIN}" as its first line`);
    if (this.#state === 'body') throw new Error(`armor is truncated: "${END}" is missing`);
  }

  #check(): void {
    if (this.#over) throw new Error(`cannot use an armor decoder after ${this.#over}`);
    this.#checkFailure();
  }

  #checkFailure(): void {
    if (this.#failure !== undefined) throw new Error(this.#failure);
  }

  #fail(failure: string): void {
    this.#failure ??= `armor expected lines of base64 as age writes them, got ${failure}`;
  }

  /** Passes over white space around the lines. */
  #skip(byte: number): void {
    // age counts each line end in front as one character, also that of Windows.
    const isPair = this.#state === 'before' && byte === LINE_FEED && this.#space === CARRIAGE_RETURN;
    if (!isPair) this.#spaces++;
    this.#indented = byte !== LINE_FEED;
    this.#space = byte;
    const most = this.#state === 'before' ? MOST_SPACE_BEFORE : MOST_SPACE_BEHIND;
    if (this.#spaces > most) this.#fail(`more than ${most} bytes of white space`);
  }

  /** Takes one character of a line. */
  #take(byte: number, out: Uint8Array, to: number): number {
    if (byte !== LINE_FEED) {
      if (this.#length === this.#line.length) this.#fail('a longer line');
      else this.#line[this.#length++] = byte;
      return to;
    }
    const ended = this.#length && this.#line[this.#length - 1] === CARRIAGE_RETURN ? this.#length - 1 : this.#length;
    const line = this.#line.subarray(0, ended);
    this.#length = 0;
    if (this.#state === 'body') return this.#decode(line, out, to);
    if (spells(line, BEGIN)) this.#state = 'body';
    else this.#fail('another first line');
    return to;
  }

  #decode(line: Uint8Array, out: Uint8Array, to: number): number {
    if (spells(line, END)) {
      this.#state = 'behind';
      this.#spaces = 0;
      return to;
    }
    const end = line.length === 0 || line.length > LINE_CHARACTERS || this.#last ? -1 : decodeTo(out, to, line);
    if (end < 0) {
      this.#fail('another line');
      return to;
    }
    if (end - to < LINE_BYTES) this.#last = true;
    return end;
  }
}

/** Whether bytes start like armor, and not like a binary file. Undefined if there are too few to know. */
export function looksArmored(bytes: Uint8Array): boolean | undefined {
  const start = bytes.findIndex((byte) => !isSpace(byte));
  return start < 0 ? undefined : bytes[start] === BEGIN.charCodeAt(0);
}

/** The armor of age files. */
export interface Armor {
  /**
   * Armors a file.
   *
   * @param file - The binary file.
   * @returns Text in lines of 64 characters, with a line end at its end.
   * @throws TypeError if it isn't a Uint8Array.
   */
  encode(file: Uint8Array): string;
  /**
   * Takes the armor off.
   *
   * @param file - The text; white space around it does not count.
   * @returns The binary file.
   * @throws TypeError if it isn't a string, Error if it isn't an armored age file in canonical form, or truncated.
   */
  decode(file: string): Uint8Array<ArrayBuffer>;
  /**
   * Armors a stream.
   *
   * @returns Two streams, for `pipeThrough`: bytes to characters.
   */
  encoder(): TransformStream<Uint8Array, Uint8Array<ArrayBuffer>>;
  /**
   * Takes the armor off a stream. Bytes of lines before a wrong one are given before the error.
   *
   * @returns Two streams, for `pipeThrough`: characters to bytes.
   */
  decoder(): TransformStream<Uint8Array, Uint8Array<ArrayBuffer>>;
}

/** How many characters a file of `size` bytes has as text. */
export const armoredSize = (size: number): number =>
  BEGIN.length + 1 + 4 * Math.ceil(size / 3) + Math.ceil(size / LINE_BYTES) + END.length + 1;

/** Armors a byte stream, which is read when the result is. */
export function armoredStream(file: ReadableStream<Uint8Array>): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = file.getReader();
  const encoder = new ArmorEncoder();
  const source = {
    async pull(controller: ReadableByteStreamController | ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>) {
      for (;;) {
        const { value, done } = await reader.read();
        const lines = done ? encoder.end() : encoder.push(value);
        if (lines.length) controller.enqueue(lines);
        if (done) {
          controller.close();
          // A reader that asked for more bytes than there were is answered.
          if ('byobRequest' in controller) controller.byobRequest?.respond(0);
        }
        if (done || lines.length) return;
      }
    },
    cancel: (reason: unknown) => reader.cancel(reason),
  };
  return typeof ReadableByteStreamController === 'undefined'
    ? new ReadableStream(source, { highWaterMark: 0 })
    : new ReadableStream({ type: 'bytes', ...source }, { highWaterMark: 0 });
}

/** A machine as two streams. */
function transformOf(machine: ArmorEncoder | ArmorDecoder): TransformStream<Uint8Array, Uint8Array<ArrayBuffer>> {
  /** The pieces that wait: each as it was when it was written, or the error of one that is none. */
  const written: (() => Uint8Array)[] = [];
  return new TransformStream<Uint8Array, Uint8Array<ArrayBuffer>>(
    {
      transform(_, controller) {
        const made = machine.push(written.shift()!());
        if (made.length) controller.enqueue(made);
      },
      flush(controller) {
        const last = machine.end();
        if (last) controller.enqueue(last);
      },
    },
    // The stream asks for the size of a piece in the call that writes it. An error here would be no error of the readable end.
    {
      size(piece) {
        written.push(asWritten(piece));
        return 1;
      },
      highWaterMark: 1,
    },
  );
}

function asWritten(piece: unknown): () => Uint8Array {
  try {
    const bytes = bytesOf(piece, 'chunk');
    return () => present(bytes, 'chunk');
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

/** Armors a file that is in memory. */
export function armorBytes(file: Uint8Array): Uint8Array<ArrayBuffer> {
  const encoder = new ArmorEncoder();
  const out = new Uint8Array(armoredSize(file.length));
  const lines = encoder.push(file);
  out.set(lines);
  out.set(encoder.end(), lines.length);
  return out;
}

/**
 * The ASCII armor of age files, for text-only places: 4 characters for 3 bytes. It protects nothing.
 *
 * @example
 * ```ts
 * import { armor, Encrypter } from '@lanewise/age';
 * const encrypter = new Encrypter();
 * encrypter.addRecipient('age1zvkyg2lqzraa2lnjvqej32nkuu0ues2s82hzrye869xeexvn73equnujwj');
 * console.log(armor.encode(await encrypter.encrypt('hello')));
 * ```
 */
export const armor: Armor = Object.freeze({
  encode(file: Uint8Array, ...extra: unknown[]): string {
    refuseExtra(extra, 1);
    return new TextDecoder().decode(armorBytes(bytesOf(file, 'file')));
  },
  decode(file: string, ...extra: unknown[]): Uint8Array<ArrayBuffer> {
    refuseExtra(extra, 1);
    if (typeof file !== 'string') throw wrong('file', 'string', file);
    const decoder = new ArmorDecoder();
    const bytes = decoder.push(text.encode(file));
    decoder.end();
    return bytes;
  },
  encoder(...extra: unknown[]): TransformStream<Uint8Array, Uint8Array<ArrayBuffer>> {
    refuseExtra(extra, 0);
    return transformOf(new ArmorEncoder());
  },
  decoder(...extra: unknown[]): TransformStream<Uint8Array, Uint8Array<ArrayBuffer>> {
    refuseExtra(extra, 0);
    return transformOf(new ArmorDecoder());
  },
});
