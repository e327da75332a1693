/**
 * The first 4096 bytes of an authenticated database: how its key is wrapped. Two copies of one record, so that one is whole at any
 * moment while the other is written.
 *
 *     offset  bytes
 *          0     16  "lanewise-sqlite\n"
 *         16      1  version of the format: 1
 *         17      1  derivation: 0 the user's 32 bytes, 1 scrypt
 *         18      1  log2 of the page size
 *         19      1  1 once the file holds pages, else 0
 *         20      4  number of the record, little-endian: the larger one counts
 *         24     16  identity of the file, random
 *         40     32  salt
 *         72      4  scrypt: logN, p (one byte each), r (two bytes)
 *         76     24  nonce
 *        100     48  the file's key under the user's: XChaCha20-Poly1305, with bytes 0 to 75 as additional data
 */
import { xchacha20poly1305 } from 'lanewise/chacha.js';
import { randomBytes } from 'lanewise/utils.js';
import { NOTADB, SQLiteFailure } from '../codes.ts';
import { MOST, type Costs } from './kdf.ts';
import { KEY_BYTES, SALT_BYTES, type Derivation, type UserKey } from './user-key.ts';

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
  record[DERIVATION] = derivation.costs ? 1 : 0;
  record[PAGE_SIZE] = Math.log2(pageSize);
  record[FILLED] = isFilled ? 1 : 0;
  view.setUint32(NUMBER, number, true);
  record.set(identity, IDENTITY);
  record.set(derivation.salt, SALT);
  if (derivation.costs) {
    record[COSTS_AT] = derivation.costs.logN;
    record[COSTS_AT + 1] = derivation.costs.p;
    view.setUint16(COSTS_AT + 2, derivation.costs.r, true);
  }
  record.set(randomBytes(24), NONCE);
  aeadOf(record, user.wrapping(derivation)).encrypt(key, record.subarray(WRAPPED, END));
  return record;
}

const aeadOf = (record: Uint8Array, wrapping: Uint8Array) =>
  xchacha20poly1305(wrapping, record.subarray(NONCE, WRAPPED), record.subarray(0, NONCE));

const isRecord = (record: Uint8Array): boolean =>
  MAGIC.every((byte, i) => record[i] === byte) && record[MAGIC.length] === VERSION;

const notOurs = (): SQLiteFailure =>
  new SQLiteFailure(
    NOTADB,
    'this file is no database that @lanewise/sqlite encrypted in its authenticated mode, or its header is damaged',
  );

function costsOf(record: Uint8Array): Costs | undefined {
  if (record[DERIVATION] === 0) return undefined;
  const costs = {
    logN: record[COSTS_AT],
    p: record[COSTS_AT + 1],
    r: record[COSTS_AT + 2] | (record[COSTS_AT + 3] << 8),
  };
  const { logN, r, p } = costs;
  if (logN < 1 || logN > MOST.logN || r < 1 || r > MOST.r || p < 1 || p > MOST.p)
    throw new SQLiteFailure(
      NOTADB,
      `the header asks for scrypt with logN=${logN}, r=${r}, p=${p}; at most ${MOST.logN}, ${MOST.r} and ${MOST.p} are allowed`,
    );
  return costs;
}

/** Unwraps the key of a record. */
function opened(record: Uint8Array, user: UserKey): Header {
  const [derivation, shift] = [record[DERIVATION], record[PAGE_SIZE]];
  if (derivation > 1 || shift < 9 || shift > 16) throw notOurs();
  const costs = costsOf(record);
  if (user.isPassphrase !== (costs !== undefined))
    throw new SQLiteFailure(
      NOTADB,
      costs
        ? 'this database has a passphrase; "key" is 32 bytes'
        : 'this database has a key of 32 bytes; "key" is a passphrase',
    );
  const salt = record.slice(SALT, SALT + SALT_BYTES);
  let key: Uint8Array<ArrayBuffer>;
  try {
    key = aeadOf(record, user.wrapping({ salt, costs })).decrypt(record.slice(WRAPPED, END));
  } catch {
    throw new SQLiteFailure(NOTADB, 'wrong key, or the header of the database was changed');
  }
  return {
    pageSize: 2 ** shift,
    identity: record.slice(IDENTITY, SALT),
    key,
    derivation: { salt, costs },
    isFilled: record[FILLED] === 1,
    number: new DataView(record.buffer, record.byteOffset).getUint32(NUMBER, true),
  };
}

/** Reads a header: the newer copy that the key opens. */
export function openHeader(header: Uint8Array, user: UserKey): Header {
  const records = COPIES.map((at) => header.subarray(at, at + COPY_BYTES)).filter(isRecord);
  if (records.length === 0) throw notOurs();
  let failure: unknown;
  const found: Header[] = [];
  for (const record of records)
    try {
      found.push(opened(record, user));
    } catch (error) {
      failure ??= error;
    }
  if (found.length === 0) throw failure;
  return found.reduce((newest, header) => (header.number > newest.number ? header : newest));
}
