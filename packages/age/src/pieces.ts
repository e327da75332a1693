/** The sources of files: anything that the streams of `lanewise/stream.js` take, in pieces. */
import { randomAccess, type ByteSource, type OpenFile } from 'lanewise/stream.js';
import { isBytes } from 'lanewise/utils.js';
import { ArmorDecoder, looksArmored } from './armor.ts';
import { bytesOf, present, wrong } from './checks.ts';
import { Turns } from './turns.ts';

const KINDS = 'ReadableStream, Blob, Response, Request, FileHandle, Uint8Array or iterable of Uint8Array';
/** How much of a file is read at a time. */
const READ_BYTES = 262_144;

/** Whether an object has a method of this name. */
const has = (value: object, name: string | symbol): boolean =>
  typeof (value as Record<string | symbol, unknown>)[name] === 'function';

/** A file that is being read. */
export interface Intake {
  /**
   * The next bytes, of any number, which stay as they are until the next call. Undefined at the end. The memory is the source's, who may
   * take it away meanwhile: {@link present}.
   */
  read(): Promise<Uint8Array | undefined>;
  /**
   * Ends the source before its end. Nothing waits for that, because a source may take for ever; and its errors are not told, because
   * they would hide the one that led to this.
   */
  cancel(reason: unknown): void;
}

/** Calls a method of a source that is no longer needed. */
function quietly(end: () => unknown): void {
  try {
    Promise.resolve(end()).catch(() => undefined);
  } catch {
    // As above.
  }
}

/** Checks the results of a reader or an iterator, which may be the caller's. */
function objectOf<Its extends object>(value: unknown, expected: string): Its {
  if (typeof value !== 'object' || value === null) throw wrong('file', expected, value);
  return value as Its;
}

const RESULT = 'source whose pieces come as objects { done, value }';

function fromStream(stream: ReadableStream<Uint8Array>): Intake {
  const reader = stream.getReader();
  return {
    async read() {
      const { value, done } = objectOf<ReadableStreamReadResult<unknown>>(await reader.read(), RESULT);
      if (!done) return bytesOf(value, 'chunk');
      reader.releaseLock();
      return undefined;
    },
    cancel(reason) {
      quietly(() => reader.cancel(reason));
      quietly(() => reader.releaseLock());
    },
  };
}

function fromIterable(source: AsyncIterable<unknown> | Iterable<unknown>): Intake {
  const iterator = objectOf<AsyncIterator<unknown> | Iterator<unknown>>(
    Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator](),
    'iterable that gives an iterator',
  );
  if (!has(iterator, 'next'))
    throw wrong('file', 'iterable whose iterator has next()', (iterator as { next?: unknown }).next);
  let ended = false;
  return {
    async read() {
      let result: IteratorResult<unknown>;
      try {
        result = objectOf(await iterator.next(), RESULT);
      } catch (error) {
        // Such an iterator has ended by itself.
        ended = true;
        throw error;
      }
      if (!result.done) return bytesOf(result.value, 'chunk');
      ended = true;
      return undefined;
    },
    cancel() {
      if (ended) return;
      ended = true;
      quietly(() => iterator.return?.());
      // The iterator of a Readable of Node hears of nothing while it waits.
      quietly(() => (source as { readonly destroy?: () => unknown }).destroy?.());
    },
  };
}

function fromBytes(bytes: Uint8Array): Intake {
  let rest: Uint8Array | undefined = bytes;
  return {
    read() {
      const given = rest;
      rest = undefined;
      return Promise.resolve(given);
    },
    cancel() {
      rest = undefined;
    },
  };
}

/** Whether a source is a `FileHandle` of Node. */
const isOpenFile = (source: object): source is OpenFile =>
  typeof (source as Partial<OpenFile>).fd === 'number' && has(source, 'read') && has(source, 'stat');

/** It stays the caller's, who closes it. */
function fromFile(source: OpenFile): Intake {
  const file = randomAccess(source);
  let at = 0;
  let size: number | undefined;
  return {
    async read() {
      size ??= (await source.stat()).size;
      if (at >= size) return undefined;
      const to = Math.min(size, at + READ_BYTES);
      const bytes = await file.read(at, to);
      at = to;
      return bytes;
    },
    cancel() {
      at = Infinity;
    },
  };
}

/** Checks a source. Of one in memory the result has the bytes that it has now; the pieces of others are read when they are asked for. */
export function sourceOf<Source>(source: Source, name = 'file'): Source {
  if (isBytes(source)) return bytesOf(source, name) as Source & Uint8Array;
  if (typeof source === 'string')
    throw new TypeError(
      `"${name}" expected ${KINDS}, got type=string; use armor.decode(text) for an armored file, open(path) of node:fs/promises for a path`,
    );
  if (typeof source !== 'object' || source === null || ArrayBuffer.isView(source)) throw wrong(name, KINDS, source);
  const { locked, bodyUsed, body } = source as { locked?: boolean; bodyUsed?: boolean; body?: { locked?: boolean } };
  if (locked || body?.locked)
    throw new TypeError(`"${name}" expected stream that is not locked to a reader, got a locked one`);
  if (bodyUsed) throw new TypeError(`"${name}" expected body that is not used yet, got one that was read`);
  const known =
    has(source, 'getReader') ||
    has(source, 'stream') ||
    isOpenFile(source) ||
    typeof bodyUsed === 'boolean' ||
    has(source, Symbol.asyncIterator) ||
    has(source, Symbol.iterator);
  if (!known) throw wrong(name, KINDS, source);
  return source;
}

/** Starts to read a source that was checked. */
export function intakeOf(source: ByteSource): Intake {
  if (isBytes(source)) return fromBytes(source);
  if (has(source, 'getReader')) return fromStream(source as ReadableStream<Uint8Array>);
  if (has(source, 'stream')) return fromStream((source as Blob).stream());
  if (typeof (source as Body).bodyUsed === 'boolean') {
    const { body } = source as Body;
    return body ? fromStream(body) : fromBytes(new Uint8Array());
  }
  if (isOpenFile(source)) return fromFile(source);
  return fromIterable(source as Iterable<Uint8Array>);
}

/** How much text is decoded at a time, and how many times between two turns of the event loop: some milliseconds. */
const DECODED_BYTES = 65_536;
const DECODED_A_TURN = 8;

const NOTHING = new Uint8Array();

/** Takes the armor off a file that has one. The bytes before a mistake come before the error. */
export class Unarmored implements Intake {
  readonly #file: Intake;
  readonly #turns = new Turns(DECODED_A_TURN);
  /** Undefined before the first bytes, null if they are those of a binary file. */
  #decoder: ArmorDecoder | null | undefined;
  /** Text that is still to be decoded. */
  #text: Uint8Array = NOTHING;

  constructor(file: Intake) {
    this.#file = file;
  }

  /** Whether the file is text, as far as it was read. */
  get armored(): boolean {
    return Boolean(this.#decoder);
  }

  async read(): Promise<Uint8Array | undefined> {
    while (this.#text === NOTHING) {
      // Throws if the text before was wrong: more of it may never come.
      this.#decoder?.push(this.#text);
      const piece = await this.#file.read();
      if (!piece) {
        this.#decoder?.end();
        return undefined;
      }
      present(piece, 'file');
      // White space isn't a binary file, and armor may have it in front.
      if (piece.length > 0 && this.#decoder === undefined)
        this.#decoder = looksArmored(piece) === false ? null : new ArmorDecoder();
      if (!this.#decoder) return piece;
      if (piece.length > 0) this.#text = piece;
    }
    await this.#turns.next();
    const text = present(this.#text, 'file');
    this.#text = text.length > DECODED_BYTES ? text.subarray(DECODED_BYTES) : NOTHING;
    return this.#decoder!.push(text.subarray(0, DECODED_BYTES));
  }

  cancel(reason: unknown): void {
    this.#text = NOTHING;
    this.#file.cancel(reason);
  }
}
