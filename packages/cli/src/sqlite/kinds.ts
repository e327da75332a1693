/** What the first bytes of a database tell, before a key is asked for. */
import { closeSync, openSync, readSync } from 'node:fs';
import { Failure } from '../command.ts';
import { isSystemError, systemMessage } from '../system-errors.ts';
import { printable } from '../terminal.ts';

/** sqlite.org/fileformat2.html §1.3.1 */
const PLAIN = 'SQLite format 3\0';
/** The authenticated mode of `@lanewise/sqlite`; the others begin with noise. */
const AUTHENTICATED = 'lanewise-sqlite\n';

function headOf(file: string): string {
  const head = Buffer.alloc(PLAIN.length);
  try {
    const descriptor = openSync(file, 'r');
    try {
      return head.toString('latin1', 0, readSync(descriptor, head, 0, head.length, 0));
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    throw isSystemError(error) ? new Failure(`${printable(file)}: ${systemMessage(error)}`, { cause: error }) : error;
  }
}

/** @throws Failure if a database is encrypted that is to be encrypted, or plain and is to be decrypted. */
export function refuseKind(file: string, action: string): void {
  const [head, name] = [headOf(file), printable(file)];
  if (action !== 'encrypt') {
    if (head === PLAIN) throw new Failure(`${name}: is a plain SQLite database, not an encrypted one`);
  } else if (head !== PLAIN)
    throw new Failure(
      `${name}: ${head === AUTHENTICATED ? 'is encrypted already' : 'is no SQLite database, or is encrypted already'}`,
    );
}
