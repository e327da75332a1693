/**
 * Parts that some databases need and others don't. `encryptVFS` brings all of them; `openDatabase` loads those of its database, so a page
 * with a key of 32 bytes loads neither Argon2id nor other modes.
 */
import type { DatabaseKey } from './keys/user-key.ts';
import type { Mode } from './options.ts';

interface Parts {
  passphrases?: Pick<typeof import('./keys/passphrases.ts'), 'derive'>;
  adiantum?: Pick<typeof import('./files/adiantum.ts'), 'AdiantumDatabase' | 'AdiantumFile'>;
  multipleCiphers?: typeof import('./multiple-ciphers/part.ts');
}

const loaded: Parts = {};

/** Lets all files have these parts. */
export function provide(parts: Parts): void {
  Object.assign(loaded, parts);
}

/** A part, which was provided before. */
export function part<Name extends keyof Parts>(name: Name): NonNullable<Parts[Name]> {
  const found = loaded[name];
  if (found === undefined) throw new Error(`the part ${name} wasn't loaded`);
  return found;
}

/** Loads the part that a key needs. */
export async function loadForKey(key: DatabaseKey): Promise<void> {
  if (typeof key === 'string') provide({ passphrases: await import('./keys/passphrases.ts') });
}

/** Loads the parts that a database needs. */
export async function loadParts(mode: Mode, key: DatabaseKey): Promise<void> {
  if (mode === 'adiantum') provide({ adiantum: await import('./files/adiantum.ts') });
  else if (mode === 'sqlite3mc') provide({ multipleCiphers: await import('./multiple-ciphers/part.ts') });
  else await loadForKey(key);
}
