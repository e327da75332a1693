/** Keys and passphrases as people give them: checked before any work, with a sentence for each mistake. */
import { Decrypter, Encrypter } from '@lanewise/age';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { Advice } from './explain.ts';

/** Ten words of a list of 2048, as age makes them: 110 bits. */
const WORDS = 10;

/** A passphrase that can't be guessed. */
export function randomPassphrase(): string {
  // 2048 divides 2^16, so each word is equally likely.
  const numbers = crypto.getRandomValues(new Uint16Array(WORDS));
  const words = Array.from(numbers, (number) => wordlist[number % wordlist.length]);
  numbers.fill(0);
  return words.join('-');
}

/** This many random letters have 66 bits; people choose less random ones. */
const ENOUGH = 14;

/**
 * Why programs would guess a passphrase soon. A character that equals or follows its neighbour (`aaa`, `123`), and one that ends three
 * characters that were there before (`abcabc`), do not count.
 */
export function weaknessOf(passphrase: string): 'short' | 'regular' | undefined {
  const enough = /^\d+$/.test(passphrase) ? 20 : ENOUGH;
  const codes = Array.from(passphrase, (character) => character.codePointAt(0)!);
  if (codes.length < enough) return 'short';
  const triples = new Set<string>();
  let count = 0;
  for (const [index, code] of codes.entries()) {
    const triple = codes.slice(Math.max(0, index - 2), index + 1).join();
    if (!triples.has(triple) && !(Math.abs(code - codes[index - 1]) <= 1)) count++;
    triples.add(triple);
  }
  // Random digits and letters follow a neighbour by chance, now and then.
  return count < enough * 0.7 ? 'regular' : undefined;
}

/** Lines without comments and empty ones. Several keys in one line, as in a field of one line, are apart by spaces. */
const entriesOf = (text: string): string[] =>
  text
    .split(/\r?\n/)
    .filter((line) => !line.trim().startsWith('#'))
    .flatMap((line) => line.trim().split(/[\s,]+/))
    .filter((entry) => entry !== '');

/** The public keys in a text. */
export function recipientsIn(text: string): string[] {
  const entries = entriesOf(text);
  if (entries.length === 0)
    throw new Advice('Enter at least one public key (age1…), or make a key for yourself.', 'recipients');
  entries.forEach((entry, i) => {
    const which = entries.length > 1 ? `Public key ${i + 1}` : 'The public key';
    if (/^AGE-SECRET-KEY-/i.test(entry))
      throw new Advice(
        `${which} is a secret key, which is not for giving away. Enter the one that starts with age1.`,
        'recipients',
      );
    if (/^ssh-/.test(entry))
      throw new Advice('SSH keys are taken by the age program only. Enter keys that start with age1.', 'recipients');
    try {
      new Encrypter().addRecipient(entry);
    } catch {
      throw new Advice(
        `${which} has a typing mistake or is cut off: it expected age1 and letters and digits. Copy it again.`,
        'recipients',
      );
    }
  });
  return entries;
}

/** The secret keys in a text, such as a key file. */
export function identitiesIn(text: string): string[] {
  const entries = entriesOf(text);
  for (const entry of entries) {
    if (/^age1/.test(entry))
      throw new Advice(
        'This is a public key, which encrypts only. Enter the secret key: it starts with AGE-SECRET-KEY-1.',
        'identities',
      );
    try {
      new Decrypter().addIdentity(entry);
    } catch {
      throw new Advice(
        'The secret key has a typing mistake or is cut off: it starts with AGE-SECRET-KEY-1. Copy it again.',
        'identities',
      );
    }
  }
  return entries;
}

/** The text of a key file, as age-keygen writes it. */
export const keyFileText = (identity: string, recipient: string, made: Date): string =>
  `# created: ${made.toISOString()}\n# public key: ${recipient}\n${identity}\n`;
