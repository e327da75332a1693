/** Files of recipients and identities. */
import { Decrypter, Encrypter, inspect } from '@lanewise/age/files.js';
import { Failure } from '../command.ts';
import { piecesOf, withInput } from '../hash/input.ts';
import { isSystemError, systemMessage } from '../system-errors.ts';
import { printable } from '../terminal.ts';
import { passphraseOf } from './passphrases.ts';

/** A longer file isn't a file of keys. */
const MOST_BYTES = 2 ** 24;

const nameOf = (file: string): string => (file === '-' ? 'standard input' : printable(file));

async function read(file: string): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  try {
    await withInput(file, async ({ descriptor }) => {
      for await (const piece of piecesOf(descriptor)) {
        pieces.push(Buffer.from(piece));
        length += piece.length;
        if (length > MOST_BYTES) throw new Failure(`${nameOf(file)}: no file of keys: it has more than 16 MiB`);
      }
    });
  } catch (error) {
    throw isSystemError(error) ? new Failure(`${nameOf(file)}: ${systemMessage(error)}`) : error;
  }
  return Buffer.concat(pieces);
}

/** Lines without empty ones and comments, with their numbers. */
const linesOf = (text: string): { readonly line: string; readonly number: number }[] =>
  text
    .split(/\r?\n/)
    .map((line, i) => ({ line: line.trim(), number: i + 1 }))
    .filter(({ line }) => line !== '' && !line.startsWith('#'));

/** Why a line that `age` understands is refused here; undefined if it is not one. */
function onlyInAge(line: string): string | undefined {
  if (/^(ssh-|-----BEGIN OPENSSH|-----BEGIN RSA|-----BEGIN PRIVATE|ecdsa-|sk-ssh)/.test(line))
    return 'an SSH key, which only the program `age` takes';
  if (/^AGE-PLUGIN-/i.test(line) || /^age1(?!pq1|tag1|tagpq1)[a-z0-9-]+1[a-z0-9]{6,}$/.test(line))
    return 'a key of a plugin, which only the program `age` runs';
  if (line.startsWith('github:'))
    return 'an address of keys; `curl https://github.com/NAME.keys | age -R -` takes them';
  return undefined;
}

/** Checks a recipient before any work. */
export function checkRecipient(recipient: string, where: string): string {
  const reason = onlyInAge(recipient);
  if (reason !== undefined) throw new Failure(`${where}: ${reason}`);
  try {
    new Encrypter().addRecipient(recipient);
  } catch (error) {
    const secret = /^AGE-SECRET-KEY-/i.test(recipient);
    throw new Failure(
      secret ? `${where}: an identity, which is secret; -i takes it from a file` : `${where}: malformed recipient`,
      { cause: error },
    );
  }
  return recipient;
}

/** The recipients of a file, one a line. */
export async function recipientsIn(file: string): Promise<readonly string[]> {
  const found = linesOf((await read(file)).toString());
  if (!found.length) throw new Failure(`${nameOf(file)}: no recipients`);
  return found.map(({ line, number }) => checkRecipient(line, `${nameOf(file)}: line ${number}`));
}

/** The identities of a file, one a line; the file may be encrypted with a passphrase. */
export async function identitiesIn(file: string): Promise<readonly string[]> {
  let bytes = await read(file);
  if (isAgeFile(bytes)) bytes = await unlocked(bytes, file);
  const found = linesOf(bytes.toString());
  bytes.fill(0);
  if (!found.length) throw new Failure(`${nameOf(file)}: no identities`);
  return found.map(({ line, number }) => {
    const where = `${nameOf(file)}: line ${number}`;
    const reason = onlyInAge(line);
    if (reason !== undefined) throw new Failure(`${where}: ${reason}`);
    try {
      new Decrypter().addIdentity(line);
    } catch (error) {
      throw new Failure(`${where}: malformed identity`, { cause: error });
    }
    return line;
  });
}

const isAgeFile = (bytes: Buffer): boolean =>
  bytes.subarray(0, 18).toString('latin1') === 'age-encryption.org' ||
  bytes.toString('latin1', 0, 2048).trimStart().startsWith('-----BEGIN AGE ENCRYPTED FILE-----');

async function unlocked(bytes: Buffer, file: string): Promise<Buffer> {
  const name = nameOf(file);
  const { recipients } = await inspect(bytes).catch((error: unknown) => {
    throw new Failure(`${name}: ${(error as Error).message}`);
  });
  if (recipients[0] !== 'scrypt') throw new Failure(`${name}: an age file that is not encrypted with a passphrase`);
  const decrypter = new Decrypter();
  decrypter.addPassphrase(passphraseOf(` for identity file "${name}"`));
  try {
    return Buffer.from(await decrypter.decrypt(bytes));
  } catch (error) {
    const { message: its } = error as Error;
    const message = its === 'wrong passphrase' ? 'incorrect passphrase' : its;
    throw new Failure(`${name}: ${message}`, { cause: error });
  }
}

/** The recipients of identities: to encrypt to oneself. */
export async function recipientsOf(identities: readonly string[]): Promise<string[]> {
  if (identities.length === 0) return [];
  const { identityToRecipient } = await import('@lanewise/age');
  return await Promise.all(identities.map((identity) => identityToRecipient(identity)));
}
