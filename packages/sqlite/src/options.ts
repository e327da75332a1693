/** The options of an encrypted VFS. */
import { COSTS, refusalOf, type Costs } from './keys/costs.ts';
import { KINDS, UserKey, type DatabaseKey } from './keys/user-key.ts';
import { typeOf } from './values.ts';

/** How files are encrypted. */
export type Mode = 'authenticated' | 'adiantum' | 'sqlite3mc';
const MODES: readonly unknown[] = ['authenticated', 'adiantum', 'sqlite3mc'] satisfies readonly Mode[];

/** The options of {@link encryptVFS}. */
export interface EncryptOptions {
  /** 32 bytes or a passphrase, which the library copies, or a box over a key ring: `createBox(ring)` of `lanewise/box.js`. */
  readonly key: DatabaseKey;
  /**
   * `authenticated` unless given: each page holds a nonce and a tag in 40 reserved bytes, so a page that was changed, moved or taken from
   * another database is an error. `adiantum` makes files that go-sqlite3 reads: pages keep their length, nothing is authenticated, and the
   * key has 32 bytes. `sqlite3mc` reads and writes those of SQLite3MultipleCiphers' cipher chacha20 in its default form: 32 bytes are its raw
   * key (`PRAGMA key = "x'…'"`), and a passphrase is taken as it is.
   */
  readonly mode?: Mode;
  /**
   * Bytes in a page of a new database, with those that are reserved: a power of two from 1024 to 65,536, or 512 except in the mode
   * `authenticated`; 4096 unless given.
   */
  readonly pageSize?: number;
  /**
   * The work of a guess where `key` is a passphrase, for new databases: of Argon2id, m 65,536, t 3, p 4 unless given, or of scrypt: logN, r
   * and p. The file has them.
   */
  readonly costs?: Costs;
}

export interface Settings {
  /** A copy of the key for each VFS, which wipes it. */
  readonly user: () => UserKey;
  readonly mode: Mode;
  readonly kind: UserKey['kind'];
  readonly pageSize: number;
  /** Whether an empty database gets the pages of another: then the first tells their size. */
  readonly isCopy: boolean;
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

function costsOf(value: unknown): Costs {
  if (value === undefined) return COSTS;
  const isScrypt = typeof value === 'object' && value !== null && Object.hasOwn(value, 'logN');
  const names = isScrypt ? ['logN', 'r', 'p'] : ['m', 't', 'p'];
  const given = ownOptions(value, names, 'costs');
  for (const name of names)
    if (typeof given[name] !== 'number')
      throw new TypeError(`"costs.${name}" expected number, got ${typeOf(given[name])}`);
  const costs = given as unknown as Costs;
  const refusal = refusalOf(costs);
  if (refusal !== undefined) throw new RangeError(refusal);
  return costs;
}

/** The settings of options, checked. */
export function settingsOf(options: EncryptOptions): Settings {
  const { key, mode = 'authenticated', pageSize = 4096, costs } = ownOptions(options, NAMES);
  if (typeof mode !== 'string') throw new TypeError(`"mode" expected string, got ${typeOf(mode)}`);
  if (!MODES.includes(mode)) throw new RangeError(`"mode" expected authenticated, adiantum or sqlite3mc, got ${mode}`);
  if (typeof pageSize !== 'number') throw new TypeError(`"pageSize" expected number, got ${typeOf(pageSize)}`);
  if (!(Number.isInteger(pageSize) && pageSize >= 512 && pageSize <= 65_536 && (pageSize & (pageSize - 1)) === 0))
    throw new RangeError(`"pageSize" expected power of two from 512 to 65536, got ${pageSize}`);
  // SQLite needs 480 bytes without those that are reserved (sqlite.org/fileformat2.html §1.3.4).
  if (mode === 'authenticated' && pageSize === 512)
    throw new RangeError('"pageSize" expected 1024 or more in the mode authenticated, got 512');
  if (mode === 'sqlite3mc' && costs !== undefined)
    throw new TypeError('"costs" isn\'t an option of the mode sqlite3mc');
  const user = new UserKey(key as DatabaseKey, costsOf(costs), mode === 'sqlite3mc');
  try {
    checkKind(user.kind, mode as Mode, costs !== undefined);
  } catch (error) {
    user.destroy();
    throw error;
  }
  return {
    user: () => user.copy(),
    mode: mode as Mode,
    kind: user.kind,
    pageSize,
    isCopy: false,
    destroy: () => user.destroy(),
  };
}

/** @throws TypeError if a mode has no keys of that kind, or costs are given for one that isn't derived. */
function checkKind(kind: UserKey['kind'], mode: Mode, hasCosts: boolean): void {
  if (mode === 'adiantum' && kind !== 'key')
    throw new TypeError(`"key" expected Uint8Array of length 32 in the mode adiantum, got a ${kind}`);
  if (mode === 'sqlite3mc' && kind === 'box')
    throw new TypeError('"key" expected Uint8Array or string in the mode sqlite3mc, got a box');
  if (hasCosts && kind !== 'passphrase') throw new TypeError(`"costs" expected with a passphrase, got ${KINDS[kind]}`);
}
