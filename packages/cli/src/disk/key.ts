/** The key: 32 bytes of a file, or of standard input. */
import { clean } from 'lanewise/utils.js';
import { Failure, UsageError } from '../command.ts';
import { piecesOf, withInput } from '../hash/input.ts';
import { isSystemError, systemMessage } from '../system-errors.ts';
import { printable } from '../terminal.ts';

const KEY_BYTES = 32;

export async function readKey(file: string): Promise<Uint8Array> {
  const name = file === '-' ? 'standard input' : printable(file);
  const key = new Uint8Array(KEY_BYTES);
  let length = 0;
  const wrong = (got: number | string): UsageError =>
    new UsageError(`${name}: a key has ${KEY_BYTES} bytes, got ${got}`);
  try {
    await withInput(file, async ({ descriptor, size }) => {
      for await (const piece of piecesOf(descriptor)) {
        key.set(piece.subarray(0, KEY_BYTES - length), length);
        length += piece.length;
        // Not read to its end: a device or a pipe may have none.
        if (length > KEY_BYTES) throw wrong(size ?? 'more');
      }
    });
    if (length < KEY_BYTES) throw wrong(length);
    return key;
  } catch (error) {
    clean(key);
    throw isSystemError(error) ? new Failure(`${name}: ${systemMessage(error)}`) : error;
  }
}
