/** The identities of a worker, to which work sheets are encrypted. */
import { open } from 'node:fs/promises';
import { FinalError } from '../jobs/errors.ts';

const MOST_BYTES = 65_536;

/**
 * Reads a file as `age-keygen` writes it: an identity in each line, and comments that begin with `#`.
 *
 * @param path - Of the file, or undefined if the worker has none.
 * @throws By rejection: FinalError if the worker has no file, Error if it cannot be read or has no identity. No message shows a line.
 */
export async function identitiesOf(path: string | undefined): Promise<readonly string[]> {
  if (path === undefined)
    throw new FinalError('this worker has no identity (identityFile), and so opens no work sheets of age files');
  const file = await open(path);
  const bytes = Buffer.alloc(MOST_BYTES);
  try {
    const { bytesRead } = await file.read(bytes, 0, MOST_BYTES, 0);
    const lines = bytes
      .toString('utf8', 0, bytesRead)
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '' && !line.startsWith('#'));
    if (lines.length === 0 || !lines.every((line) => line.startsWith('AGE-SECRET-KEY-')))
      throw new Error('the identity file expected lines AGE-SECRET-KEY-…, got none, or others');
    return lines;
  } finally {
    bytes.fill(0);
    await file.close();
  }
}
