/**
 * The file key, into headers and out of them: with turns of the event loop, and until a signal is aborted. `age-encryption` decrypts it,
 * and encrypts it to recipients that are not of X25519; that package is loaded for these alone, because it has 50 files.
 */
import type * as typage from 'age-encryption';
import { isBytes, randomBytes } from 'lanewise/utils.js';
import { throwIfAborted, untilAborted } from './abort.ts';
import { bytesOf, wrong } from './checks.ts';
import { HeaderReader } from './header.ts';
import { headerText } from './header-text.ts';
import { PassphraseIdentity } from './passphrase.ts';
import { Turns } from './turns.ts';
import { x25519Stanza } from './x25519.ts';

/** How many keys are computed between two turns: one takes up to some milliseconds. */
const KEYS_A_TURN = 4;

/** C2SP age, "File key". */
const FILE_KEY_BYTES = 16;

/** The keys that open files, besides passphrases: a string, a CryptoKey or an object. Without the DOM's types, CryptoKey has no name. */
export type AnyIdentity = Parameters<typage.Decrypter['addIdentity']>[0];
/** A key that the package reads itself. */
export type Key = Exclude<AnyIdentity, typage.Identity>;

/** Whether an identity is for the package, and not an object that unwraps file keys itself. */
export const isKey = (identity: unknown): identity is Key =>
  typeof identity === 'string' || (typeof CryptoKey !== 'undefined' && identity instanceof CryptoKey);

/**
 * The identity that the package makes of a string or CryptoKey, which it does not export: its Decrypter unwraps file keys by a method
 * that its types hide.
 */
async function identityOf(key: Key): Promise<typage.Identity> {
  const { Decrypter } = await import('age-encryption');
  const decrypter = new Decrypter();
  decrypter.addIdentity(key);
  return decrypter as unknown as typage.Identity;
}

/** Checks a file key, which an identity of the caller may have made of anything. */
function checked(fileKey: unknown): Uint8Array {
  if (!isBytes(fileKey)) throw wrong('file key', 'Uint8Array, or null if no stanza fits', fileKey);
  const bytes = bytesOf(fileKey, 'file key');
  if (bytes.length !== FILE_KEY_BYTES)
    throw new RangeError(`"file key" expected Uint8Array of length ${FILE_KEY_BYTES}, got length=${bytes.length}`);
  return bytes;
}

/** The error for a file that nothing opens. */
function noMatch(stanzas: readonly typage.Stanza[], identities: readonly AnyIdentity[]): Error {
  const isLocked = stanzas.some(({ args }) => args[0] === 'scrypt');
  const passphrases = identities.filter((identity) => identity instanceof PassphraseIdentity).length;
  if (isLocked && passphrases) return new Error('wrong passphrase');
  const hint = isLocked
    ? ', which is encrypted with a passphrase: call addPassphrase'
    : passphrases === identities.length
      ? ', which is not encrypted with a passphrase: call addIdentity'
      : '';
  return new Error(`no identity matched any of the file's recipients${hint}`);
}

/**
 * Asks one identity after the other, with turns of the event loop. Those of the package try the stanzas independently of each other, and
 * so are given each of them alone; a header has room for thousands.
 */
async function ask(
  identities: readonly AnyIdentity[],
  stanzas: typage.Stanza[],
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  const turns = new Turns(KEYS_A_TURN);
  for (const given of identities) {
    const [identity, questions] = isKey(given)
      ? [await identityOf(given), stanzas.map((stanza) => [stanza])]
      : [given, [stanzas]];
    for (const question of questions) {
      await turns.next();
      throwIfAborted(signal);
      const fileKey = await identity.unwrapFileKey(question);
      // Null alone means that it fits none of them: of anything else, as a forgotten `return` gives, the caller should hear.
      if (fileKey !== null) return checked(fileKey);
    }
  }
  throw noMatch(stanzas, identities);
}

/**
 * Finds the file key of a header.
 *
 * @returns A promise of 16 bytes, to be wiped.
 */
export async function fileKeyOf(
  header: Uint8Array,
  identities: readonly AnyIdentity[],
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  if (!identities.length) throw new Error('no identities: call addIdentity or addPassphrase first');
  let fileKey: Uint8Array | undefined;
  async function read(): Promise<Uint8Array> {
    const { Decrypter } = await import('age-encryption');
    const decrypter = new Decrypter();
    decrypter.addIdentity({ unwrapFileKey: async (stanzas) => (fileKey = await ask(identities, stanzas, signal)) });
    try {
      return await decrypter.decryptHeader(header);
    } catch (error) {
      if (fileKey) wipe(fileKey);
      throw error;
    }
  }
  return untilAborted(signal, read, wipe);
}

const wipe = (secret: Uint8Array): void => void secret.fill(0);

/** The header of a new file. */
export interface Wrapped {
  readonly header: Uint8Array;
  /** 16 bytes, to be wiped. */
  readonly fileKey: Uint8Array;
}

/** Makes a file key and its header. The key is wiped if that fails, or is aborted. */
export async function wrappedFor(
  recipients: readonly (string | typage.Recipient)[],
  signal: AbortSignal | undefined,
): Promise<Wrapped> {
  let fileKey: Uint8Array | undefined;
  try {
    const header = await untilAborted(signal, () => wrap(recipients, signal, (key) => (fileKey = key)));
    return { header, fileKey: fileKey! };
  } catch (error) {
    if (fileKey) wipe(fileKey);
    throw error;
  }
}

/** C2SP age, "Header": arguments are visible characters. */
const ARGUMENT = /^[!-~]+$/;

/** Checks the stanzas of a recipient, which may be the caller's. */
function stanzasOf(given: unknown): typage.Stanza[] {
  if (!Array.isArray(given)) throw wrong('wrapFileKey', 'function that gives an array of Stanza', given);
  for (const stanza of given as (Partial<typage.Stanza> | null | undefined)[]) {
    const { args, body } = stanza ?? {};
    if (!Array.isArray(args)) throw wrong('args', 'array of strings in each Stanza', args);
    for (const argument of args as unknown[])
      if (typeof argument !== 'string') throw wrong('args', 'array of strings in each Stanza', argument);
    if (!args.length || !args.every((argument: string) => ARGUMENT.test(argument)))
      throw new RangeError('"args" expected strings of visible ASCII characters, got none, or others');
    bytesOf(body, 'body');
  }
  return given as typage.Stanza[];
}

/** The recipient that the package makes of a string, which it does not export: its Encrypter keeps it in a field that its types hide. */
async function recipientOf(recipient: string): Promise<typage.Recipient> {
  const { Encrypter } = await import('age-encryption');
  const encrypter = new Encrypter();
  encrypter.addRecipient(recipient);
  return (encrypter as unknown as { readonly recipients: readonly [typage.Recipient] }).recipients[0];
}

/** The stanzas of one recipient. */
async function stanzasFor(recipient: string | typage.Recipient, fileKey: Uint8Array): Promise<typage.Stanza[]> {
  if (typeof recipient !== 'string') return stanzasOf(await recipient.wrapFileKey(fileKey));
  const stanza = await x25519Stanza(recipient, fileKey);
  return stanza ? [stanza] : stanzasOf(await (await recipientOf(recipient)).wrapFileKey(fileKey));
}

/**
 * Makes a header.
 *
 * @param learn - Is given the file key, at once.
 */
async function wrap(
  recipients: readonly (string | typage.Recipient)[],
  signal: AbortSignal | undefined,
  learn: (fileKey: Uint8Array) => void,
): Promise<Uint8Array> {
  const fileKey = randomBytes(FILE_KEY_BYTES);
  learn(fileKey);
  const turns = new Turns(KEYS_A_TURN);
  const stanzas: typage.Stanza[] = [];
  for (const given of recipients) {
    await turns.next();
    throwIfAborted(signal);
    stanzas.push(...(await stanzasFor(given, fileKey)));
  }
  await turns.next();
  throwIfAborted(signal);
  const header = headerText(stanzas, fileKey);
  // Refuses a header that no reader would take: one that is too long, or has a line that is.
  new HeaderReader().push(header);
  return header;
}
