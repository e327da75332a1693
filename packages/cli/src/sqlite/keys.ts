/** The keys of databases: 32 bytes of a file, or a passphrase. */
import { clean } from 'lanewise/utils.js';
import { newPassphrase, passphraseOf } from '../age/passphrases.ts';
import { readKey } from '../disk/key.ts';
import { printable } from '../terminal.ts';

export type Key = Uint8Array | string;

const NEW_VARIABLE = 'LANEWISE_NEW_PASSPHRASE';

/** The key of a database that is there. */
export const keyOf = async (file: string, keyFile: string | undefined): Promise<Key> =>
  keyFile === undefined ? passphraseOf(` for ${printable(file)}`) : await readKey(keyFile);

/** The key of a new one. */
export const keyOfNew = async (keyFile: string | undefined): Promise<Key> =>
  keyFile === undefined ? newPassphrase() : await readKey(keyFile);

/** The key that replaces another. */
export const nextKey = async (keyFile: string | undefined): Promise<Key> =>
  keyFile === undefined ? newPassphrase(NEW_VARIABLE) : await readKey(keyFile);

export function wipe(...keys: readonly (Key | undefined)[]): void {
  for (const key of keys) if (key instanceof Uint8Array) clean(key);
}
