/** Keys that the person lets this browser remember. Nothing is stored without that. They are not encrypted. */

import { isAlone } from './alone.ts';
import { Advice } from './explain.ts';

export interface StoredKey {
  readonly identity: string;
  readonly recipient: string;
  /** When it was made, in ISO 8601. */
  readonly made: string;
}

const NAME = 'lanewise-files-keys';

const isKey = (value: unknown): value is StoredKey =>
  ['identity', 'recipient', 'made'].every(
    (name) => typeof (value as Record<string, unknown> | null)?.[name] === 'string',
  );

export function storedKeys(): StoredKey[] {
  if (!isAlone) return [];
  try {
    const found: unknown = JSON.parse(localStorage.getItem(NAME) ?? '[]');
    return Array.isArray(found) ? found.filter(isKey) : [];
  } catch {
    return []; // storage that is switched off, or that something else wrote to
  }
}

/** Throws if the browser stores nothing, or other pages could read it. */
export function rememberKey(key: StoredKey): void {
  if (!isAlone)
    throw new Advice('Other pages of this address could read the key, so it is not remembered. Save it as a key file.');
  localStorage.setItem(
    NAME,
    JSON.stringify([...storedKeys().filter(({ identity }) => identity !== key.identity), key]),
  );
  // Asks that the browser does not remove it when space is short.
  navigator.storage?.persist?.().catch(() => undefined);
}

export function forgetKey(key: StoredKey): void {
  const others = storedKeys().filter(({ identity }) => identity !== key.identity);
  if (others.length > 0) localStorage.setItem(NAME, JSON.stringify(others));
  else localStorage.removeItem(NAME);
}
