/** Reads a file of any kind up to its chunks. */
import type { ByteSource } from 'lanewise/stream.js';
import { refuseExtra } from './checks.ts';
import { HeaderReader } from './header.ts';
import { checkSource, piecesOf, withoutArmor } from './pieces.ts';

/** {@link readHeader} */
export interface ReadHeader {
  /** The header and its salt, complete. */
  readonly header: HeaderReader;
  /** Whether the file is text; its armor was taken off. */
  readonly armored: boolean;
  /**
   * The chunks, in pieces of any length, each of which stays as it is until the next is asked for. Whoever stops before the end
   * calls `return`, which ends the source.
   */
  readonly rest: AsyncGenerator<Uint8Array>;
}

async function* resumed(first: Uint8Array, pieces: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (first.length) yield first;
  yield* pieces;
}

/** A generator that ends its source even if it was never asked for anything. */
function ending(generator: AsyncGenerator<Uint8Array>, source: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  const plain = generator.return.bind(generator);
  generator.return = async (value: unknown) => {
    await source.return(undefined);
    return plain(value);
  };
  return generator;
}

/**
 * Reads a file up to its chunks, for programs that choose keys by what the header says.
 *
 * @param file - Bytes, or a source of them; binary or armored.
 * @returns A promise of the header and the rest. `decrypter.opener({ header: header.bytes })` decrypts the rest.
 * @throws By rejection: TypeError if it is no source, Error if it is no age file, or truncated. The source is then ended.
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
export function readHeader(file: ByteSource): Promise<ReadHeader>;
export async function readHeader(file: ByteSource, ...extra: unknown[]): Promise<ReadHeader> {
  refuseExtra(extra, 1);
  checkSource(file);
  let armored = false;
  const pieces = withoutArmor(piecesOf(file), () => {
    armored = true;
  });
  const header = new HeaderReader();
  try {
    for (;;) {
      const step = await pieces.next();
      if (step.done) throw header.truncated();
      const taken = header.push(step.value);
      if (header.complete)
        return { header, armored, rest: ending(resumed(step.value.subarray(taken), pieces), pieces) };
    }
  } catch (error) {
    await pieces.return(undefined);
    throw error;
  }
}
