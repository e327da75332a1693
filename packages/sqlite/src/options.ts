/** The options of an encrypted VFS. */
import type { Costs } from './keys/kdf.ts';
import { COSTS, MOST } from './keys/kdf.ts';
import { UserKey, type DatabaseKey } from './keys/user-key.ts';
import { typeOf } from './values.ts';

/** How files are encrypted. */
export type Mode = 'authenticated' | 'adiantum' | 'sqlite3mc';
const MODES: readonly unknown[] = ['authenticated', 'adiantum', 'sqlite3mc'] satisfies readonly Mode[];

/** The options of {@link encryptVFS}. */
export interface EncryptOptions {
  /** 32 bytes, or a passphrase. The library copies it. */
  readonly key: DatabaseKey;
  /**
   * `authenticated` unless given: each page holds a nonce and a tag in 40 reserved bytes, so a page that was changed, moved or taken from
   * another database is an error. `adiantum` makes files that go-sqlite3 reads: pages keep their length, nothing is authenticated, and the
   * key has 32 bytes. `sqlite3mc` reads and writes those of SQLite3MultipleCiphers' cipher chacha20 in its default form: 32 bytes are its raw
   * key (`PRAGMA key = "x'…'"`), and a passphrase is taken as it is.
   */
  readonly mode?: Mode;
  /** Bytes in a page of a new database, with those that are reserved: a power of two from 1024 to 65,536; 4096 unless given. */
  readonly pageSize?: number;
  /** The work of a guess where `key` is a passphrase, for new databases: logN 17, r 8, p 1 unless given. */
  readonly costs?: Costs;
}

export interface Settings {
  /** A copy of the key for each VFS, which wipes it. */
  readonly user: () => UserKey;
  readonly mode: Mode;
  readonly pageSize: number;
  /** Wipes the key: no VFS can be made any more. */
  destroy(): void;
}

const NAMES = ['key', 'mode', 'pageSize', 'costs'];

/** Whether a value is an object without a prototype, or with that of any realm. */
function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.hasOwn(prototype as object, 'isPrototypeOf');
}

/** The options of a plain object, each of its own. */
export function ownOptions(options: unknown, names: readonly string[], what = 'options'): Record<string, unknown> {
  const expected = `"${what}" expected plain object { ${names.join(', ')} }, got`;
  if (!isPlain(options)) throw new TypeError(`${expected} ${typeOf(options)}`);
  for (const name of Object.keys(options)) if (!names.includes(name)) throw new TypeError(`${expected} { ${name} }`);
  return Object.assign(Object.create(null) as Record<string, unknown>, options);
}

/** Throws a TypeError for what isn't a number, and a RangeError for one that isn't whole or out of bounds. */
function checkWhole(value: unknown, name: string, least: number, most: number, form: string): asserts value is number {
  if (typeof value !== 'number') throw new TypeError(`"${name}" expected number, got ${typeOf(value)}`);
  if (!(Number.isInteger(value) && value >= least && value <= most))
    throw new RangeError(`"${name}" expected ${form} from ${least} to ${most}, got ${value}`);
}

function costsOf(value: unknown): Costs {
  if (value === undefined) return COSTS;
  const { logN, r, p } = ownOptions(value, ['logN', 'r', 'p'], 'costs');
  for (const [name, given, most] of [
    ['logN', logN, MOST.logN],
    ['r', r, MOST.r],
    ['p', p, MOST.p],
  ] as const)
    checkWhole(given, `costs.${name}`, 1, most, 'an integer');
  return { logN, r, p } as Costs;
}

/** The settings of options, checked. */
export function settingsOf(options: EncryptOptions): Settings {
  const { key, mode = 'authenticated', pageSize = 4096, costs } = ownOptions(options, NAMES);
  if (typeof mode !== 'string') throw new TypeError(`"mode" expected string, got ${typeOf(mode)}`);
  if (!MODES.includes(mode)) throw new RangeError(`"mode" expected authenticated, adiantum or sqlite3mc, got ${mode}`);
  checkWhole(pageSize, 'pageSize', 512, 65_536, 'a power of two');
  if ((pageSize & (pageSize - 1)) !== 0)
    throw new RangeError(`"pageSize" expected a power of two from 512 to 65536, got ${pageSize}`);
  // SQLite needs 480 bytes without those that are reserved (sqlite.org/fileformat2.html §1.3.4).
  if (mode === 'authenticated' && pageSize === 512)
    throw new RangeError('"pageSize" expected 1024 or more in the mode authenticated, got 512');
  if (mode === 'sqlite3mc' && costs !== undefined)
    throw new TypeError('"costs" isn\'t an option of the mode sqlite3mc: its format has PBKDF2 with 64,007 iterations');
  const user = new UserKey(key as DatabaseKey, costsOf(costs), mode === 'sqlite3mc');
  if (mode === 'adiantum' && user.isPassphrase)
    throw new TypeError('"key" expected Uint8Array of length 32 in the mode adiantum, got a passphrase');
  if (costs !== undefined && !user.isPassphrase)
    throw new TypeError('"costs" expected with a passphrase, got a key of 32 bytes, which is not derived');
  return { user: () => user.copy(), mode: mode as Mode, pageSize, destroy: () => user.destroy() };
}
