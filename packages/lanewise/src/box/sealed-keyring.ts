/**
 * A keyring as JSON, sealed under a passphrase:
 *
 *     { "version": 1,
 *       "kdf": { "algorithm": "argon2id", "salt": base64url of 16 bytes, "t": 3, "m": 65536, "p": 4 },
 *       "keys": base64url of the saved keyring, sealed by a box under the derived key, for "lanewise/keyring/1/" and the kdf as JSON }
 *
 * `algorithm` names the function that makes a key of the passphrase, so that files of another one can follow: its parameters are the other
 * fields of `kdf`.
 */
import { argon2id, type Argon2Options, type LanesOnPool, type PasswordCosts, RFC_9106 } from '../argon2.ts';
import { refuseSurplus, sizeOf, typeOf } from '../calls/checks.ts';
import { optionOf, optionOr, optionsOf } from '../calls/options.ts';
import { randomBytes } from '../calls/random.ts';
import { Bytes, fillBytes, getPrototypeOf, hasOwn, objectPrototype } from '../engine/intrinsics.ts';
import { signalOf } from '../work/abort.ts';
import { progressOf } from '../work/progress.ts';
import { isKeyring, type Keyring, loadKeyring } from './keyring.ts';
import { openMessage, sealMessage } from './message.ts';
import { fromBase64url, toBase64url, toUtf8 } from './text.ts';

/** The options of {@link openKeyring}. */
export interface OpenKeyringOptions extends Pick<Argon2Options, 'signal' | 'onProgress' | 'lanes'> {
  /** The most bytes of memory that a file may demand; 2^28 unless given. */
  readonly maxmem?: number | undefined;
  /** The most that t·m of a file may be: 2^22 unless given, which is 16 passes over 256 MiB. It limits the time. */
  readonly maxwork?: number | undefined;
}

/** The options of {@link sealKeyring}. */
export interface SealKeyringOptions extends Pick<OpenKeyringOptions, 'signal' | 'onProgress' | 'lanes'> {
  /** The number of passes of Argon2id over its memory, from 1 to 1024; 3 unless given, as RFC 9106 recommends with the next two. */
  readonly t?: number | undefined;
  /** The memory in KiB, from 8·p to 2^21; 65536 (64 MiB) unless given. */
  readonly m?: number | undefined;
  /** The number of lanes, from 1 to 16; 4 unless given. */
  readonly p?: number | undefined;
}

/** `its` stands for the costs, and `max` for the limits: 1 if a call takes them, or the reason why it doesn't. */
const grammarOf = <Its, Max>(its: Its, max: Max) =>
  ({ __proto__: null, t: its, m: its, p: its, signal: 1, onProgress: 1, lanes: 1, maxmem: max, maxwork: max }) as const;
const SEAL = /* @__PURE__ */ grammarOf(1 as const, 'openKeyring() takes it');
const OPEN = /* @__PURE__ */ grammarOf('it is in the file', 1 as const);
const SALT_BYTES = 16;
/** A ring of 1,024 keys has some 50 KB. */
const MOST_TEXT = 65_536;
/** The highest costs that a file may have. RFC 9106 §4 recommends at most 2 GiB of memory. */
const MOST_PASSES = 1024;
const MOST_KIBIBYTES = 2 ** 21;
const MOST_LANES = 16;
const KIBIBYTE = 1024;

interface Kdf extends PasswordCosts {
  readonly algorithm: 'argon2id';
  readonly salt: string;
}

/** The text of the parameters, to which the keys are bound. */
const placeOf = ({ salt, t, m, p }: Kdf): Uint8Array =>
  toUtf8(`lanewise/keyring/1/{"algorithm":"argon2id","salt":"${salt}","t":${t},"m":${m},"p":${p}}`);

/** Normalized: the same text typed on another keyboard is the same passphrase. */
function passphraseOf(passphrase: unknown): string {
  if (typeof passphrase !== 'string') throw new TypeError(`"passphrase" expected string, got ${typeOf(passphrase)}`);
  if (passphrase === '') throw new RangeError('"passphrase" expected at least one character');
  return passphrase.normalize('NFKC');
}

type Ways = Pick<Argon2Options, 'signal' | 'onProgress' | 'lanes'>;
/** `argon2id` checks `lanes`. */
const waysOf = (options: { readonly [Name in keyof Ways]?: unknown }): Ways => ({
  signal: signalOf(optionOf(options, 'signal')),
  onProgress: progressOf(optionOf(options, 'onProgress')),
  lanes: optionOf(options, 'lanes') as LanesOnPool | undefined,
});

/** Throws at once if `lanes` is wrong; the passphrase is read before this returns. */
function keyOf(passphrase: string, { salt, t, m, p }: Kdf, ways: Ways): Promise<Uint8Array<ArrayBuffer>> {
  const secret = toUtf8(passphrase, 'passphrase');
  try {
    return argon2id(secret, fromBase64url(salt, 'salt'), { t, m, p, maxmem: KIBIBYTE * m, ...ways });
  } finally {
    fillBytes(secret, 0);
  }
}

/**
 * Seals a keyring under a passphrase, from which Argon2id makes a key; salt and costs are in the file.
 *
 * @param ring - The keyring.
 * @param passphrase - A text, not empty; NFKC and UTF-8.
 * @param options - `t`, `m`, `p`, `signal`, `onProgress`, `lanes`. A file with `m` above 262144, or `t`·`m` above 2^22, opens with a higher `maxmem` or
 * `maxwork` only.
 * @returns A promise of JSON, to be stored in a file.
 * @throws TypeError or RangeError if an argument is not of that form, Error if the ring is destroyed: at once. The promise rejects with the
 * signal's reason if it is aborted, and with RangeError if the host lacks the memory. Copies of keys and passphrase are wiped in any case.
 * @example
 * ```ts
 * import { createKeyring, openKeyring, sealKeyring } from 'lanewise/box.js';
 * const file = await sealKeyring(createKeyring(), 'correct horse battery staple'); // 64 MiB of memory, three passes
 * const ring = await openKeyring(file, 'correct horse battery staple');
 * console.log(ring.ids.length); // prints 1
 * ```
 */
export function sealKeyring(ring: Keyring, passphrase: string, options?: SealKeyringOptions): Promise<string> {
  refuseSurplus(arguments, 3);
  if (!isKeyring(ring)) throw new TypeError(`"ring" expected Keyring, got ${typeOf(ring)}`);
  const given = optionsOf(options, SEAL);
  const costs = costsOf(given);
  const ways = waysOf(given);
  const secret = passphraseOf(passphrase);
  const kdf: Kdf = { algorithm: 'argon2id', salt: toBase64url(randomBytes(SALT_BYTES)), ...costs };
  const saved = ring.save();
  try {
    return sealed(saved, keyOf(secret, kdf, ways), kdf);
  } catch (error) {
    fillBytes(saved, 0);
    throw error;
  }
}

/** The costs among the options of a call, or in a file. */
function costsOf(given: { readonly [Name in keyof PasswordCosts]?: unknown }): PasswordCosts {
  const costOf = (name: keyof PasswordCosts, least: number, most: number): number => {
    const cost = sizeOf(optionOr(given, name, RFC_9106[name]), name, least);
    if (cost > most) throw new RangeError(`"${name}" expected integer from ${least} to ${most}, got ${cost}`);
    return cost;
  };
  const p = costOf('p', 1, MOST_LANES);
  return { t: costOf('t', 1, MOST_PASSES), m: costOf('m', 8 * p, MOST_KIBIBYTES), p };
}

async function sealed(saved: Uint8Array, derived: Promise<Uint8Array>, kdf: Kdf): Promise<string> {
  let key: Uint8Array | undefined;
  try {
    key = await derived;
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
  if (named.algorithm !== 'argon2id') throw wrongFile('another algorithm than argon2id: a newer version may know it');
  const { salt, ...costs } = fieldsOf(named, ['algorithm', 'salt', 't', 'm', 'p'], 'a kdf of argon2id');
  if (typeof salt !== 'string' || fromBase64url(salt, 'salt').length !== SALT_BYTES)
    throw wrongFile('another salt than of 16 bytes');
  return { kdf: { algorithm: 'argon2id', salt, ...costsOf(costs) }, keys: fromBase64url(file['keys'], 'keys') };
}

/**
 * Opens a keyring that {@link sealKeyring} sealed.
 *
 * @param file - The JSON; one from an attacker can take no more memory and time than `maxmem` and `maxwork` allow.
 * @param passphrase - The same text.
 * @param options - `signal`, `onProgress`, `lanes`, `maxmem`, `maxwork`.
 * @returns A promise of the keyring. It rejects with an Error if the passphrase is wrong or the file was changed, with the signal's reason
 * if it is aborted, and with RangeError if the host lacks the memory. Copies of keys and passphrase are wiped in any case.
 * @throws TypeError or RangeError if an argument is not of that form, if the file isn't a sealed keyring, or if it
 * demands more than `maxmem` or `maxwork`: at once.
 * @example
 * ```ts
 * import { createBox, createKeyring, openKeyring, sealKeyring } from 'lanewise/box.js';
 * const file = await sealKeyring(createKeyring(), 'correct horse battery staple');
 * const box = createBox(await openKeyring(file, 'correct horse battery staple'));
 * console.log(box.openText(box.sealText('hello'))); // prints hello
 * ```
 */
export function openKeyring(file: string, passphrase: string, options?: OpenKeyringOptions): Promise<Keyring> {
  refuseSurplus(arguments, 3);
  const given = optionsOf(options, OPEN);
  const ways = waysOf(given);
  const maxmem = sizeOf(optionOr(given, 'maxmem', 2 ** 28), 'maxmem');
  const maxwork = sizeOf(optionOr(given, 'maxwork', 2 ** 22), 'maxwork');
  const { kdf, keys } = fileOf(file);
  const { t, m } = kdf;
  if (KIBIBYTE * m > maxmem)
    throw new RangeError(`"maxmem" expected at least 1024*m=${KIBIBYTE * m} of the file, got ${maxmem}`);
  if (t * m > maxwork) throw new RangeError(`"maxwork" expected at least t*m=${t * m} of the file, got ${maxwork}`);
  return opened(keys, keyOf(passphraseOf(passphrase), kdf, ways), kdf);
}

async function opened(keys: Uint8Array, derived: Promise<Uint8Array>, kdf: Kdf): Promise<Keyring> {
  const key = await derived;
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
