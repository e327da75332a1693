/** Files through the machines that encrypt and decrypt, in fixed buffers: reading, working and writing overlap. */
import { ArmorEncoder, type Decrypter, type Encrypter, type ReadHeader } from '@lanewise/age';
import type { Opener, Sealer } from 'lanewise/stream.js';
import { clean } from 'lanewise/utils.js';
import { PIECE, readSome, type Pieces } from '../hash/input.ts';
import type { Output } from './output.ts';

/** Reads the terminal, and no further than it must: what is typed next may be a passphrase. */
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

  /** Writes what `make` puts into a buffer of `length` bytes at least. */
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

/** An output that armors what it is given. */
function armored(output: Output): Output & { end(): Promise<void> } {
  const encoder = new ArmorEncoder();
  return {
    write: (bytes) => output.write(encoder.push(bytes)),
    end: () => output.write(encoder.end()),
  };
}

/** Pushes pieces through a machine, and writes the results. */
async function convert(pieces: Pieces, machine: Sealer | Opener, output: Output): Promise<void> {
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

/** Encrypts a file. */
export async function encrypt(pieces: Pieces, encrypter: Encrypter, output: Output, armor: boolean): Promise<void> {
  const sealer = await encrypter.sealer();
  if (!armor) {
    await output.write(sealer.header);
    await convert(pieces, sealer, output);
    return;
  }
  const text = armored(output);
  await text.write(sealer.header);
  await convert(pieces, sealer, text);
  await text.end();
}

/** Decrypts the chunks of a file. */
export async function decrypt({ header, rest }: ReadHeader, decrypter: Decrypter, output: Output): Promise<void> {
  await convert(rest, await decrypter.opener({ header: header.bytes }), output);
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
