/** Files through the machines that encrypt and decrypt, in fixed buffers: reading, working and writing overlap. */
import { ArmorEncoder, type Decrypter, type Encrypter, type ReadHeader } from '@lanewise/age/files.js';
import type { Pool } from 'lanewise/pool.js';
import type { OpenFile, Opener, Sealer } from 'lanewise/stream.js';
import { clean } from 'lanewise/utils.js';
import { PIECE, readSome, type Pieces } from '../hash/input.ts';
import type { Meter } from '../progress.ts';
import type { Output } from '../output/output.ts';

/** Reads the terminal, and no further than it must: the next line may be a passphrase. */
export async function* typedPieces(descriptor: number): Pieces {
  const buffer = new Uint8Array(65_536);
  for (let length; (length = await readSome(descriptor, buffer)) > 0;) yield buffer.subarray(0, length);
}

/** Writes results from two buffers by turns: one is written while the other is filled. */
class Writer {
  readonly #output: Output;
  #filling: Uint8Array = new Uint8Array(0);
  #written: Uint8Array = new Uint8Array(0);
  #pending: Promise<void> = Promise.resolve();

  constructor(output: Output) {
    this.#output = output;
  }

  /** Writes the result of `make`, in a buffer of `length` bytes at least. */
  async write(length: number, make: (out: Uint8Array) => Uint8Array): Promise<void> {
    if (length === 0) {
      make(this.#filling);
      return;
    }
    if (this.#filling.length < length) this.#filling = new Uint8Array(length);
    const bytes = make(this.#filling);
    await this.#pending;
    [this.#filling, this.#written] = [this.#written, this.#filling];
    this.#pending = this.#output.write(bytes);
    // An error is thrown by the next write, or by end.
    this.#pending.catch(() => undefined);
  }

  async end(): Promise<void> {
    await this.#pending;
  }

  async wipe(): Promise<void> {
    await this.#pending.catch(() => undefined);
    clean(this.#filling, this.#written);
  }
}

/** The most bytes from a pool at a time: the encrypted chunks of a MiB. */
const MADE_BYTES = 16 * (65_536 + 16);

/** Writes a stream from two buffers by turns: one is written while the other is filled. */
async function pour(stream: ReadableStream<Uint8Array>, output: Output): Promise<void> {
  const reader = stream.getReader({ mode: 'byob' });
  let filling = new ArrayBuffer(MADE_BYTES);
  let written = new ArrayBuffer(MADE_BYTES);
  let pending = Promise.resolve();
  try {
    for (;;) {
      const { value, done } = await reader.read(new Uint8Array(filling));
      if (value) filling = value.buffer;
      await pending;
      if (done) return;
      [filling, written] = [written, filling];
      pending = output.write(value);
      // An error is thrown when it is awaited.
      pending.catch(() => undefined);
    }
  } catch (error) {
    await reader.cancel(error).catch(() => undefined);
    throw error;
  } finally {
    await pending.catch(() => undefined);
    for (const buffer of [filling, written]) if (!buffer.detached) clean(new Uint8Array(buffer));
  }
}

/** An output that armors its bytes. */
function armored(output: Output): Output & { end(): Promise<void> } {
  const encoder = new ArmorEncoder();
  return {
    write: (bytes) => output.write(encoder.push(bytes)),
    end: () => output.write(encoder.end()),
  };
}

/** Pushes pieces through a machine, and writes the results. */
async function convert(pieces: AsyncIterable<Uint8Array>, machine: Sealer | Opener, output: Output): Promise<void> {
  const writer = new Writer(output);
  try {
    for await (const piece of pieces)
      await writer.write(machine.outputLength(piece.length), (out) => machine.push(piece, out));
    await writer.write(machine.outputLength(), (out) => machine.end(out));
    await writer.end();
  } finally {
    machine.destroy();
    await writer.wipe();
  }
}

/** Encrypts pieces, on the threads of a pool if there is one. */
export async function encrypt(
  pieces: Pieces,
  encrypter: Encrypter,
  output: Output,
  armor: boolean,
  pool: Pool | undefined,
): Promise<void> {
  const text = armor ? armored(output) : undefined;
  const to = text ?? output;
  if (pool) await pour(await encrypter.encrypt(pieces, { pool }), to);
  else {
    const sealer = await encrypter.sealer();
    await to.write(sealer.header);
    await convert(pieces, sealer, to);
  }
  await text?.end();
}

/** Encrypts an open file on the threads of a pool, which read it themselves. */
export async function encryptFile(
  file: OpenFile,
  encrypter: Encrypter,
  output: Output,
  armor: boolean,
  pool: Pool,
  meter: Meter,
): Promise<void> {
  let before = 0;
  const onProgress = (done: number): void => {
    meter.advance(done - before);
    before = done;
  };
  const text = armor ? armored(output) : undefined;
  await pour(await encrypter.encrypt(file, { pool, onProgress }), text ?? output);
  await text?.end();
}

async function* following(front: Uint8Array, rest: AsyncIterable<Uint8Array>): Pieces {
  yield front;
  yield* rest;
}

/** Decrypts the chunks of a file, on the threads of a pool if there is one. */
export async function decrypt(
  { header, rest }: ReadHeader,
  decrypter: Decrypter,
  output: Output,
  pool: Pool | undefined,
): Promise<void> {
  if (pool) await pour(await decrypter.decrypt(following(header.bytes, rest), undefined, { pool }), output);
  else await convert(rest, await decrypter.opener({ header: header.bytes }), output);
}

/** Decrypts a part of a file that can be read at any place. */
export async function decryptPart(
  decrypter: Decrypter,
  source: Parameters<Decrypter['reader']>[0],
  { offset, length }: { readonly offset: number; readonly length: number },
  output: Output,
): Promise<void> {
  const reader = await decrypter.reader(source);
  try {
    if (offset > reader.size) throw new Error(`--offset expected at most ${reader.size}, the size of the plaintext`);
    const end = Math.min(reader.size, offset + length);
    for (let at = offset; at < end; at += PIECE) {
      const bytes = await reader.read(at, Math.min(end, at + PIECE));
      await output.write(bytes);
      clean(bytes);
    }
  } finally {
    reader.destroy();
  }
}
