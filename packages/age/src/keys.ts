/** Recipients and identities: malformed ones are refused, and common mistakes get a hint. `age-encryption`, which uses them, is not loaded for that. */
import { bech32 } from '@scure/base';
import type { Key } from './file-key.ts';

/** How many bytes recipients and identities have, by their prefixes. */
const RECIPIENT_BYTES = { age: 32, age1pq: 1216, age1tag: 33, age1tagpq: 1249 };
const IDENTITY_BYTES = { 'AGE-SECRET-KEY-': 32, 'AGE-SECRET-KEY-PQ-': 32 };

/** Checks a string in Bech32 (BIP 173), of any length, in the case of its prefix. */
function checkBech32(text: string, lengths: Readonly<Record<string, number>>): void {
  const { prefix, words } = bech32.decode(text, false);
  // An identity is secret.
  const { length } = bech32.fromWords(words).fill(0);
  words.fill(0);
  const known = Object.entries(lengths).find(([each]) => text.startsWith(`${each}1`) && prefix === each.toLowerCase());
  if (length !== known?.[1]) throw new Error('another prefix or length');
}

/** Refuses a malformed recipient, as the package that reads it does. */
export function checkRecipient(recipient: string): void {
  const expected = '"recipient" expected age1…, age1pq1…, age1tag1… or age1tagpq1… as a whole,';
  if (recipient !== recipient.trim()) throw new Error(`${expected} got white space around it: trim() it`);
  if (!recipient.startsWith('age1')) throw new Error(`${expected} got another string`);
  try {
    checkBech32(recipient, RECIPIENT_BYTES);
  } catch (error) {
    throw new Error(`${expected} got one of ${recipient.length} characters that is cut off or has a typing mistake`, {
      cause: error,
    });
  }
}

/** The public key of a recipient that was checked; undefined unless it is of X25519. */
export function x25519KeyOf(recipient: string): Uint8Array<ArrayBuffer> | undefined {
  const { prefix, words } = bech32.decode(recipient, false);
  return prefix === 'age' ? new Uint8Array(bech32.fromWords(words)) : undefined;
}

/** Refuses a malformed identity, as the package that reads it does. Nothing of it is shown, because it is secret. */
export function checkIdentity(identity: Key): void {
  if (typeof identity !== 'string') {
    const { type, algorithm, usages } = identity;
    if (type !== 'private' || algorithm.name !== 'X25519' || !usages.includes('deriveBits'))
      throw new Error('"identity" expected private CryptoKey of X25519 for deriveBits, got another CryptoKey');
    return;
  }
  const expected = '"identity" expected AGE-SECRET-KEY-… as a whole,';
  if (identity.startsWith('age1')) throw new Error(`${expected} got a recipient, which encrypts and does not decrypt`);
  if (/[\r\n]/.test(identity.trim()))
    throw new Error(`${expected} got several lines, as of a key file: add each line that starts with AGE-SECRET-KEY-`);
  if (identity !== identity.trim()) throw new Error(`${expected} got white space around it: trim() it`);
  if (identity.startsWith('AGE-PLUGIN-')) throw new Error(`${expected} got one of a plugin, which runs in age only`);
  if (!identity.startsWith('AGE-SECRET-KEY-')) throw new Error(`${expected} got another string`);
  try {
    checkBech32(identity, IDENTITY_BYTES);
  } catch {
    throw new Error(`${expected} got one of ${identity.length} characters that is cut off or has a typing mistake`);
  }
}
