/**
 * The first 4096 bytes of an authenticated database: how its key is wrapped. Two copies of one record, so that one is whole at any
 * moment while the other is written.
 *
 *     offset  bytes
 *          0     16  "lanewise-sqlite\n"
 *         16      1  version of the format: 1
 *         17      1  derivation: 0 the user's 32 bytes, 1 scrypt, 2 Argon2id, 3 a box
 *         18      1  log2 of the page size
 *         19      1  1 once the file holds pages, else 0
 *         20      4  number of the record, little-endian: the larger one counts
 *         24     16  identity of the file, random
 *         40     32  salt
 *         72      4  scrypt: logN, p (one byte each), r (two bytes, little-endian)
 *                    Argon2id: m + 2^22 · t + 2^27 · p, little-endian
 *         76     24  nonce
 *        100     48  the file's key under the user's: XChaCha20-Poly1305, with bytes 0 to 75 as additional data
 *
 * Where a box wraps the key, two bytes at 76 hold the length of the sealed key, little-endian, and it begins at 78; bytes 0 to 75 are its `for`.
 */
import { xchacha20poly1305 } from 'lanewise/chacha.js';
import { randomBytes } from 'lanewise/utils.js';
import { NOTADB, SQLiteFailure } from '../codes.ts';
import { part } from '../parts.ts';
import { isScrypt } from './costs.ts';
import { KEY_BYTES, KINDS as NAMES, SALT_BYTES, type Derivation, type UserKey } from './user-key.ts';

/** The bytes before page 1. */
export const HEADER_BYTES = 4096;
const COPY_BYTES = HEADER_BYTES / 2;
/** Where the copies of the record stand. */
export const COPIES = [0, COPY_BYTES] as const;

const MAGIC = new TextEncoder().encode('lanewise-sqlite\n');
const VERSION = 1;
const DERIVATION = 17;
const PAGE_SIZE = 18;
const FILLED = 19;
const NUMBER = 20;
const IDENTITY = 24;
export const IDENTITY_BYTES = 16;
const SALT = 40;
const COSTS_AT = SALT + SALT_BYTES;
const NONCE = COSTS_AT + 4;
const WRAPPED = NONCE + 24;
const END = WRAPPED + KEY_BYTES + 16;
/** Where a sealed key has its length, and begins. */
const SEALED_LENGTH = NONCE;
const SEALED = SEALED_LENGTH + 2;

/** Derivations by their numbers. */
const KEY = 0;
const SCRYPT = 1;
const ARGON2ID = 2;
const BOX = 3;
const numberOf = ({ kind, costs }: Derivation): number =>
  kind === 'box' ? BOX : costs === undefined ? KEY : isScrypt(costs) ? SCRYPT : ARGON2ID;
const KINDS: readonly Derivation['kind'][] = ['key', 'passphrase', 'passphrase', 'box'];
/** The fields of a header, and the key of its file. */
export interface Header {
  readonly pageSize: number;
  readonly identity: Uint8Array<ArrayBuffer>;
  readonly key: Uint8Array<ArrayBuffer>;
  readonly derivation: Derivation;
  /** Whether pages were written: a file without pages is then one that was cut off. */
  readonly isFilled: boolean;
  readonly number: number;
}

/** The header of a new file, with a key of its own. */
export const newHeader = (user: UserKey, pageSize: number): Header => ({
  pageSize,
  identity: randomBytes(IDENTITY_BYTES),
  key: randomBytes(KEY_BYTES),
  derivation: user.derivation(),
  isFilled: false,
  number: 0,
});

/** One copy of the record, with its key wrapped by the user's. */
export function recordOf({ pageSize, identity, key, derivation, isFilled, number }: Header, user: UserKey): Uint8Array {
  const record = new Uint8Array(COPY_BYTES);
  const view = new DataView(record.buffer);
  record.set(MAGIC);
  record[MAGIC.length] = VERSION;
  record[DERIVATION] = numberOf(derivation);
  record[PAGE_SIZE] = Math.log2(pageSize);
  record[FILLED] = isFilled ? 1 : 0;
  view.setUint32(NUMBER, number, true);
  record.set(identity, IDENTITY);
  record.set(derivation.salt, SALT);
  if (derivation.costs) part('passphrases').writeCosts(view, COSTS_AT, derivation.costs);
  if (user.box) {
    const sealed = user.box.seal(key, { for: record.subarray(0, NONCE) });
    view.setUint16(SEALED_LENGTH, sealed.length, true);
    record.set(sealed, SEALED);
    return record;
  }
  record.set(randomBytes(24), NONCE);
  aeadOf(record, user.wrapping(derivation)).encrypt(key, record.subarray(WRAPPED, END));
  return record;
}

const numberIn = (record: Uint8Array): number => new DataView(record.buffer, record.byteOffset).getUint32(NUMBER, true);

const aeadOf = (record: Uint8Array, wrapping: Uint8Array) =>
  xchacha20poly1305(wrapping, record.subarray(NONCE, WRAPPED), record.subarray(0, NONCE));

const isRecord = (record: Uint8Array): boolean =>
  MAGIC.every((byte, i) => record[i] === byte) && record[MAGIC.length] === VERSION;

const notOurs = (): SQLiteFailure =>
  new SQLiteFailure(NOTADB, "this file isn't a database of the mode authenticated, or its header is damaged");

/** Unwraps the key of a record. */
function opened(record: Uint8Array, user: UserKey): Header {
  const [number, shift] = [record[DERIVATION], record[PAGE_SIZE]];
  if (number >= KINDS.length || shift < 9 || shift > 16) throw notOurs();
  const kind = KINDS[number];
  if (user.kind !== kind)
    throw new SQLiteFailure(NOTADB, `this database has ${NAMES[kind]}; "key" is ${NAMES[user.kind]}`);
  const costs = kind === 'passphrase' ? part('passphrases').costsIn(record, COSTS_AT, number === SCRYPT) : undefined;
  const derivation = { kind, salt: record.slice(SALT, SALT + SALT_BYTES), costs };
  return {
    pageSize: 2 ** shift,
    identity: record.slice(IDENTITY, SALT),
    key: unwrapped(record, user, derivation),
    derivation,
    isFilled: record[FILLED] === 1,
    number: numberIn(record),
  };
}

function unwrapped(record: Uint8Array, user: UserKey, derivation: Derivation): Uint8Array<ArrayBuffer> {
  let key: Uint8Array<ArrayBuffer>;
  try {
    if (user.box) {
      const length = record[SEALED_LENGTH] | (record[SEALED_LENGTH + 1] << 8);
      key = user.box.open(record.slice(SEALED, SEALED + length), { for: record.subarray(0, NONCE) });
    } else key = aeadOf(record, user.wrapping(derivation)).decrypt(record.slice(WRAPPED, END));
  } catch (error) {
    throw new SQLiteFailure(NOTADB, `wrong key, or the header of the database was changed${reasonOf(error, user)}`);
  }
  if (key.length === KEY_BYTES) return key;
  key.fill(0);
  throw notOurs();
}

/** A ring says which key it lacks. */
const reasonOf = (error: unknown, { box }: UserKey): string => (box ? `: ${(error as Error).message}` : '');

/** Reads a header: the newer copy that the key opens. */
export function openHeader(header: Uint8Array, user: UserKey): Header {
  const records = COPIES.map((at) => header.subarray(at, at + COPY_BYTES)).filter(isRecord);
  if (records.length === 0) throw notOurs();
  // The second copy is one more of the same, or was written earlier: it counts only where the first can't be opened.
  let failure: unknown;
  for (const record of records.sort((a, b) => numberIn(b) - numberIn(a)))
    try {
      return opened(record, user);
    } catch (error) {
      failure ??= error;
    }
  throw failure;
}
