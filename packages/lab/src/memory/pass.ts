/**
 * The program whose memory is measured: `node pass.ts FORMAT DIRECTION READER BYTES`. It passes bytes through streams of
 * the library, or through none, and prints its resident set as a line of JSON.
 */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { agePayload, chunked, secretstream } from 'lanewise/stream.js';
import { createDecryptor, createEncryptor } from 'lanewise/stream-node.js';

const PIECE_BYTES = 65536;
const LOOK_MILLISECONDS = 20;

export const FORMATS = ['agePayload', 'chunked', 'secretstream', 'no encryption'] as const;
export const DIRECTIONS = ['encrypt', 'encrypt and decrypt'] as const;
/** A BYOB reader lends one buffer to and fro; a default reader and Node's streams get fresh memory for each chunk. */
export const READERS = ['BYOB reader', 'default reader', 'pipeline of Node'] as const;

export type Format = (typeof FORMATS)[number];
export type Direction = (typeof DIRECTIONS)[number];
export type Reader = (typeof READERS)[number];

export interface Passed {
  /** Bytes that came out. */
  readonly bytes: number;
  readonly seconds: number;
  /** The resident set, in bytes: before anything is encrypted, and the highest while bytes pass. */
  readonly idle: number;
  readonly highest: number;
}

const formats = { agePayload, chunked, secretstream } as const;

type Stream = ReadableStream<Uint8Array<ArrayBuffer>>;

const key = new Uint8Array(32).fill(7);
const piece = new Uint8Array(PIECE_BYTES).fill(1);

/** A byte stream that makes no garbage where its reader lends a buffer. */
function source(bytes: number): Stream {
  let left = bytes;
  return new ReadableStream({
    type: 'bytes',
    pull(controller) {
      const request = controller.byobRequest;
      const view =
        request?.view && new Uint8Array(request.view.buffer, request.view.byteOffset, request.view.byteLength);
      const length = Math.min(left, PIECE_BYTES, view?.length ?? PIECE_BYTES);
      left -= length;
      if (length === 0) controller.close();
      else if (!view) controller.enqueue(piece.slice(0, length));
      view?.set(piece.subarray(0, length));
      request?.respond(length);
    },
  });
}

function through(format: Format, direction: Direction, bytes: number): Stream {
  if (format === 'no encryption') return source(bytes);
  const its = formats[format];
  const sealed = its.encrypt(source(bytes), key);
  return direction === 'encrypt' ? sealed : its.decrypt(sealed, key);
}

/** Reads a stream to its end; the number of bytes. */
async function drain(stream: Stream, kind: Reader): Promise<number> {
  let count = 0;
  if (kind === 'default reader') {
    const reader = stream.getReader();
    for (let next = await reader.read(); !next.done; next = await reader.read()) count += next.value.length;
    return count;
  }
  const reader = stream.getReader({ mode: 'byob' });
  let room = new Uint8Array(2 * PIECE_BYTES);
  for (let next = await reader.read(room); !next.done; next = await reader.read(room)) {
    count += next.value.length;
    room = new Uint8Array(next.value.buffer);
  }
  return count;
}

/** The same by Node's own streams. */
async function piped(format: Format, direction: Direction, bytes: number): Promise<number> {
  const pieces = function* () {
    for (let at = 0; at < bytes; at += PIECE_BYTES) yield piece;
  };
  let count = 0;
  const stages = format === 'no encryption' ? [] : [createEncryptor(formats[format], key)];
  if (format !== 'no encryption' && direction === 'encrypt and decrypt')
    stages.push(createDecryptor(formats[format], key));
  await pipeline([
    Readable.from(pieces(), { objectMode: false }),
    ...stages,
    async (parts: AsyncIterable<Uint8Array>) => {
      for await (const part of parts) count += part.length;
    },
  ]);
  return count;
}

async function pass(format: Format, direction: Direction, reader: Reader, bytes: number): Promise<Passed> {
  const idle = process.memoryUsage.rss();
  let highest = idle;
  const look = (): void => {
    highest = Math.max(highest, process.memoryUsage.rss());
  };
  const timer = setInterval(look, LOOK_MILLISECONDS);
  const start = performance.now();
  const count =
    reader === 'pipeline of Node'
      ? await piped(format, direction, bytes)
      : await drain(through(format, direction, bytes), reader);
  clearInterval(timer);
  look();
  return { bytes: count, seconds: (performance.now() - start) / 1000, idle, highest };
}

if (import.meta.main) {
  const [format, direction, reader, bytes] = process.argv.slice(2);
  const passed = await pass(format as Format, direction as Direction, reader as Reader, Number(bytes));
  process.stdout.write(`${JSON.stringify(passed)}\n`);
}
