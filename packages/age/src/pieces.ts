/** The sources of files: anything that the streams of `lanewise/stream.js` take, as an iterator of pieces. */
import { randomAccess, type ByteSource, type OpenFile } from 'lanewise/stream.js';
import { isBytes } from 'lanewise/utils.js';
import { ArmorDecoder, looksArmored } from './armor.ts';
import { bytesOf, wrong } from './checks.ts';

const KINDS = 'ReadableStream, Blob, Response, Request, FileHandle, Uint8Array or iterable of Uint8Array';
/** How much of a file is read at a time. */
const READ_BYTES = 262_144;

/** Whether an object has a method of this name. */
const has = (value: object, name: string | symbol): boolean =>
  typeof (value as Record<string | symbol, unknown>)[name] === 'function';

async function* fromStream(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  let done = false;
  try {
    for (;;) {
      const result = await reader.read();
      done = result.done;
      if (result.done) return;
      yield bytesOf(result.value, 'chunk');
    }
  } catch (error) {
    done = true;
    throw error;
  } finally {
    // Whoever stops reading needs no more of it.
    if (!done) await reader.cancel();
    reader.releaseLock();
  }
}

async function* fromIterable(source: AsyncIterable<unknown> | Iterable<unknown>): AsyncGenerator<Uint8Array> {
  for await (const piece of source) yield bytesOf(piece, 'chunk');
}

/** Whether a source is a `FileHandle` of Node. */
const isOpenFile = (source: object): source is OpenFile =>
  typeof (source as Partial<OpenFile>).fd === 'number' && has(source, 'read') && has(source, 'stat');

async function* fromFile(source: OpenFile): AsyncGenerator<Uint8Array> {
  const { size } = await source.stat();
  const file = randomAccess(source);
  for (let at = 0; at < size; at += READ_BYTES) yield file.read(at, Math.min(size, at + READ_BYTES));
}

/** Checks a source, without touching it. Its pieces are read when they are asked for. */
export function checkSource(source: unknown, name = 'file'): asserts source is ByteSource {
  if (isBytes(source)) return;
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
}

/** The pieces of a source that was checked. */
export function piecesOf(source: ByteSource): AsyncGenerator<Uint8Array> {
  if (isBytes(source)) return fromIterable([source]);
  if (has(source, 'getReader')) return fromStream(source as ReadableStream<Uint8Array>);
  if (has(source, 'stream')) return fromStream((source as Blob).stream());
  if (typeof (source as Body).bodyUsed === 'boolean') {
    const { body } = source as Body;
    return body ? fromStream(body) : fromIterable([]);
  }
  if (isOpenFile(source)) return fromFile(source);
  return fromIterable(source as Iterable<Uint8Array>);
}

/** Takes the armor off a file that has one. What was right before a mistake is given before the error. */
export async function* withoutArmor(
  pieces: AsyncGenerator<Uint8Array>,
  onArmor: () => void,
): AsyncGenerator<Uint8Array> {
  let decoder: ArmorDecoder | undefined;
  let armored: boolean | undefined;
  for await (const piece of pieces) {
    if (piece.length === 0) continue;
    armored ??= looksArmored(piece);
    // White space is no binary file, and armor may have it in front.
    if (decoder === undefined && armored === false) {
      yield piece;
      continue;
    }
    if (decoder === undefined) onArmor();
    yield (decoder ??= new ArmorDecoder()).push(piece);
  }
  decoder?.end();
}
