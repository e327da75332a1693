/** Reads a file of any kind up to its chunks. */
import type { ByteSource } from 'lanewise/stream.js';
import { throwIfAborted, untilAborted } from './abort.ts';
import { optionsOf, present, refuseExtra, signalOf } from './checks.ts';
import { HeaderReader } from './header.ts';
import { intakeOf, sourceOf, Unarmored, type Intake } from './pieces.ts';
import { Turns } from './turns.ts';

/** {@link readHeader} */
export interface ReadHeader {
  /** The header and its salt, complete. */
  readonly header: HeaderReader;
  /** Whether the file is text; its armor was taken off. */
  readonly armored: boolean;
  /** The chunks. */
  readonly rest: Rest;
}

/** The chunks of a file, in pieces of any length; each stays as it is until the next is asked for. */
export interface Rest extends AsyncIterableIterator<Uint8Array> {
  /** Ends the source before its end. The promise waits for nothing, and is not rejected. */
  return(value?: unknown): Promise<IteratorResult<Uint8Array>>;
}

/** Pieces that are read between two turns of the event loop, if the source never waits for one. */
export const PIECES_A_TURN = 256;

function restOf(first: Uint8Array, file: Intake): Rest {
  const end: IteratorResult<Uint8Array> = { done: true, value: undefined };
  const turns = new Turns(PIECES_A_TURN);
  let kept: Uint8Array | undefined = first.length ? first : undefined;
  let ended = false;
  async function next(): Promise<IteratorResult<Uint8Array>> {
    if (ended) return end;
    await turns.next();
    try {
      const value = kept ?? (await file.read());
      kept = undefined;
      // It may have been given up meanwhile.
      if (value && !ended) return { done: false, value: present(value, 'file') };
      ended = true;
      return end;
    } catch (error) {
      stop(error);
      throw error;
    }
  }
  function stop(reason: unknown): void {
    if (ended) return;
    ended = true;
    file.cancel(reason);
  }
  /** One piece after the other, also if several are asked for at once. */
  let last: Promise<unknown> = Promise.resolve();
  return {
    next() {
      const result = last.then(next);
      last = result.catch(() => undefined);
      return result;
    },
    return(value) {
      stop(value);
      return Promise.resolve(end);
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/**
 * Reads a file up to its chunks, for programs that choose keys by the header.
 *
 * @param file - Bytes, or a source of them; binary or armored.
 * @param options - `signal`.
 * @returns A promise of the header and the rest. `decrypter.opener({ header: header.bytes })` decrypts the rest.
 * @throws By rejection: TypeError if an argument is not of that form, Error if it isn't an age file, or truncated; the reason of the signal.
 * The source is then ended.
 * @example
 * ```ts
 * import { Encrypter, readHeader } from '@lanewise/age';
 * const encrypter = new Encrypter();
 * encrypter.addRecipient('age1zvkyg2lqzraa2lnjvqej32nkuu0ues2s82hzrye869xeexvn73equnujwj');
 * const { header, rest } = await readHeader(await encrypter.encrypt('hello'));
 * console.log(new TextDecoder().decode(header.header).split('\n')[0]); // age-encryption.org/v1
 * await rest.return(undefined);
 * ```
 */
export function readHeader(file: ByteSource, options?: { readonly signal?: AbortSignal }): Promise<ReadHeader>;
export async function readHeader(
  file: ByteSource,
  options?: { readonly signal?: AbortSignal },
  ...extra: unknown[]
): Promise<ReadHeader> {
  refuseExtra(extra, 2);
  const signal = signalOf(optionsOf(options, ['signal']).signal);
  const source = sourceOf(file);
  throwIfAborted(signal);
  return headerOf(source, signal);
}

/** Reads a file up to its chunks; its arguments were checked. */
export async function headerOf(file: ByteSource, signal: AbortSignal | undefined): Promise<ReadHeader> {
  const source = new Unarmored(intakeOf(file));
  const header = new HeaderReader();
  const turns = new Turns(PIECES_A_TURN);
  try {
    for (;;) {
      const piece = await untilAborted(signal, () => source.read());
      if (!piece) throw header.truncated();
      const taken = header.push(present(piece, 'file'));
      if (header.complete) return { header, armored: source.armored, rest: restOf(piece.subarray(taken), source) };
      await turns.next();
    }
  } catch (error) {
    source.cancel(error);
    throw error;
  }
}
