/**
 * A keyring as JSON, sealed under a passphrase:
 *
 *     { "version": 1,
 *       "kdf": { "algorithm": "scrypt", "salt": base64url of 16 bytes, "logN": 17, "r": 8, "p": 1 },
 *       "keys": base64url of the saved keyring, sealed by a box under the derived key, for "lanewise/keyring/1/" and the kdf as JSON }
 *
 * `algorithm` names the function that makes a key of the passphrase, so that files of another one can follow: its parameters are the other
 * fields of `kdf`.
 */
import { refuseSurplus, sizeOf, typeOf } from '../calls/checks.ts';
import { optionOf, optionOr, optionsOf } from '../calls/options.ts';
import { randomBytes } from '../calls/random.ts';
import { Bytes, fillBytes, getPrototypeOf, hasOwn, objectPrototype } from '../engine/intrinsics.ts';
import { scrypt } from '../scrypt.ts';
import { signalOf } from '../work/abort.ts';
import { progressOf } from '../work/progress.ts';
import { isKeyring, type Keyring, loadKeyring } from './keyring.ts';
import { openMessage, sealMessage } from './message.ts';
import { fromBase64url, toBase64url, toUtf8 } from './text.ts';

/** The options of {@link openKeyring}. */
export interface OpenKeyringOptions {
  /** An abort ends the derivation: the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Called with the fraction of the derivation that is done. */
  readonly onProgress?: ((progress: number) => void) | undefined;
  /** The most bytes of memory that a file may demand; 2^28 unless given. */
  readonly maxmem?: number | undefined;
}

/** The options of {@link sealKeyring}. */
export interface SealKeyringOptions extends Omit<OpenKeyringOptions, 'maxmem'> {
  /** The cost of scrypt with r = 8, p = 1, as an exponent, from 1 to 20; 17 unless given, as OWASP recommends. */
  readonly logN?: number | undefined;
}

const SEAL = { __proto__: null, logN: 1, signal: 1, onProgress: 1, maxmem: 'openKeyring() takes it' } as const;
const OPEN = { __proto__: null, signal: 1, onProgress: 1, maxmem: 1, logN: 'it is in the file' } as const;
const SALT_BYTES = 16;
/** A ring of 1,024 keys has some 50 KB. */
const MOST_TEXT = 65_536;
const MOST_LOG_N = 20;

interface Kdf {
  readonly algorithm: 'scrypt';
  readonly salt: string;
  readonly logN: number;
  readonly r: number;
  readonly p: number;
}

/** The text of the parameters, to which the keys are bound. */
const placeOf = ({ salt, logN, r, p }: Kdf): Uint8Array =>
  toUtf8(`lanewise/keyring/1/{"algorithm":"scrypt","salt":"${salt}","logN":${logN},"r":${r},"p":${p}}`);

function passphraseOf(passphrase: unknown): Uint8Array<ArrayBuffer> {
  if (typeof passphrase !== 'string') throw new TypeError(`"passphrase" expected string, got ${typeOf(passphrase)}`);
  if (passphrase === '') throw new RangeError('"passphrase" expected at least one character');
  return toUtf8(passphrase.normalize('NFKC'));
}

interface Slices {
  readonly signal: AbortSignal | undefined;
  readonly onProgress: ((progress: number) => void) | undefined;
  readonly maxmem: number;
}

async function keyOf(
  passphrase: Uint8Array,
  { salt, logN, r, p }: Kdf,
  slices: Slices,
): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return await scrypt(passphrase, fromBase64url(salt, 'salt'), { logN, r, p, ...slices });
  } finally {
    fillBytes(passphrase, 0);
  }
}

/**
 * Seals a keyring under a passphrase, from which scrypt makes a key.
 *
 * @param ring - The keyring.
 * @param passphrase - A text, not empty; NFKC and UTF-8.
 * @param options - `logN`, `signal`, `onProgress`.
 * @returns A promise of JSON, to be stored in a file.
 * @throws TypeError or RangeError if an argument is not of that form, Error if the ring is destroyed: at once. The promise rejects with the
 * signal's reason if it is aborted.
 * @example
 * ```ts
 * import { createKeyring, openKeyring, sealKeyring } from 'lanewise/box.js';
 * const file = await sealKeyring(createKeyring(), 'correct horse battery staple', { logN: 12 }); // 17 unless given
 * const ring = await openKeyring(file, 'correct horse battery staple');
 * console.log(ring.ids.length); // prints 1
 * ```
 */
export function sealKeyring(ring: Keyring, passphrase: string, options?: SealKeyringOptions): Promise<string> {
  refuseSurplus(arguments, 3);
  if (!isKeyring(ring)) throw new TypeError(`"ring" expected Keyring, got ${typeOf(ring)}`);
  const given = optionsOf(options, SEAL);
  const logN = optionOr(given, 'logN', 17);
  if (typeof logN !== 'number') throw new TypeError(`"logN" expected integer, got ${typeOf(logN)}`);
  if (!isLogN(logN)) throw new RangeError(`"logN" expected integer from 1 to ${MOST_LOG_N}, got ${logN}`);
  const slices: Slices = {
    signal: signalOf(optionOf(given, 'signal')),
    onProgress: progressOf(optionOf(given, 'onProgress')),
    maxmem: 2 ** 30,
  };
  const secret = passphraseOf(passphrase);
  return sealed(
    ring.save(),
    secret,
    { algorithm: 'scrypt', salt: toBase64url(randomBytes(SALT_BYTES)), logN, r: 8, p: 1 },
    slices,
  );
}

const isLogN = (value: unknown): boolean =>
  typeof value === 'number' && value >= 1 && value <= MOST_LOG_N && value % 1 === 0;

async function sealed(saved: Uint8Array, secret: Uint8Array, kdf: Kdf, slices: Slices): Promise<string> {
  let key: Uint8Array | undefined;
  try {
    key = await keyOf(secret, kdf, slices);
    const keys = toBase64url(sealMessage(key, new Bytes(0), saved, saved.length, placeOf(kdf)));
    return JSON.stringify({ version: 1, kdf, keys });
  } finally {
    fillBytes(saved, 0);
    if (key) fillBytes(key, 0);
  }
}

const wrongFile = (reason: string): RangeError => new RangeError(`"file" expected sealed keyring, got ${reason}`);

/** An object of JSON with these fields and no others. */
function fieldsOf(value: unknown, names: readonly string[], what: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || getPrototypeOf(value) !== objectPrototype)
    throw wrongFile(`${what} that isn't an object`);
  const has = Object.keys(value);
  if (has.length !== names.length || !names.every((name) => hasOwn(value, name)))
    throw wrongFile(`${what} with other fields than ${names.join(', ')}`);
  return value as Readonly<Record<string, unknown>>;
}

/** Reads a file, and believes nothing of it. */
function fileOf(text: unknown): { readonly kdf: Kdf; readonly keys: Uint8Array } {
  if (typeof text !== 'string') throw new TypeError(`"file" expected string, got ${typeOf(text)}`);
  if (text.length > MOST_TEXT) throw wrongFile(`${text.length} characters`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw wrongFile("text that isn't JSON");
  }
  const file = fieldsOf(value, ['version', 'kdf', 'keys'], 'a file');
  if (file['version'] !== 1) throw wrongFile('another version than 1');
  const named = file['kdf'] as { readonly algorithm?: unknown } | null;
  if (typeof named !== 'object' || named === null || !hasOwn(named, 'algorithm'))
    throw wrongFile('a kdf without algorithm');
  if (named.algorithm !== 'scrypt') throw wrongFile('another algorithm than scrypt: a newer version may know it');
  const { salt, logN, r, p } = fieldsOf(named, ['algorithm', 'salt', 'logN', 'r', 'p'], 'a kdf of scrypt');
  if (!isLogN(logN) || r !== 8 || p !== 1)
    throw wrongFile(`other parameters than logN from 1 to ${MOST_LOG_N}, r = 8, p = 1`);
  if (typeof salt !== 'string' || fromBase64url(salt, 'salt').length !== SALT_BYTES)
    throw wrongFile('another salt than of 16 bytes');
  return { kdf: { algorithm: 'scrypt', salt, logN: logN as number, r, p }, keys: fromBase64url(file['keys'], 'keys') };
}

/**
 * Opens a keyring that {@link sealKeyring} sealed.
 *
 * @param file - The JSON; one from an attacker can take no more time and memory than `maxmem` allows.
 * @param passphrase - The same text.
 * @param options - `signal`, `onProgress`, `maxmem`.
 * @returns A promise of the keyring. It rejects with an Error if the passphrase is wrong or the file was changed, and with the signal's reason
 * if it is aborted.
 * @throws TypeError or RangeError if an argument is not of that form, or the file isn't a sealed keyring: at once.
 * @example
 * ```ts
 * import { createBox, createKeyring, openKeyring, sealKeyring } from 'lanewise/box.js';
 * const file = await sealKeyring(createKeyring(), 'correct horse battery staple', { logN: 12 });
 * const box = createBox(await openKeyring(file, 'correct horse battery staple'));
 * console.log(box.openText(box.sealText('hello'))); // prints hello
 * ```
 */
export function openKeyring(file: string, passphrase: string, options?: OpenKeyringOptions): Promise<Keyring> {
  refuseSurplus(arguments, 3);
  const given = optionsOf(options, OPEN);
  const slices: Slices = {
    signal: signalOf(optionOf(given, 'signal')),
    onProgress: progressOf(optionOf(given, 'onProgress')),
    maxmem: sizeOf(optionOr(given, 'maxmem', 2 ** 28), 'maxmem', 0),
  };
  const { kdf, keys } = fileOf(file);
  return opened(keys, passphraseOf(passphrase), kdf, slices);
}

async function opened(keys: Uint8Array, secret: Uint8Array, kdf: Kdf, slices: Slices): Promise<Keyring> {
  const key = await keyOf(secret, kdf, slices);
  let saved: Uint8Array;
  try {
    saved = openMessage(key, keys, 0, keys.length, placeOf(kdf));
  } catch {
    throw new Error('wrong passphrase, or a keyring that was changed');
  } finally {
    fillBytes(key, 0);
  }
  try {
    return loadKeyring(saved);
  } finally {
    fillBytes(saved, 0);
  }
}
