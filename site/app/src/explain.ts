/** Errors in sentences that say how to go on. No message of the library holds a secret, and no error is logged. */

type Method = 'passphrase' | 'keys' | 'passkey' | 'hash';

/** An error in the person's input: shown unchanged. */
export class Advice extends Error {
  /** The element that is to be mended. */
  readonly field: string | undefined;

  constructor(message: string, field?: string) {
    super(message);
    this.field = field;
  }
}

/** Whether work was ended by the person, and not by a mistake. */
export const isCancelled = (error: unknown): boolean => (error as Error | undefined)?.name === 'AbortError';

const NO_KEY: Readonly<Record<Method, string>> = {
  passphrase: 'No passphrase opens this file: it was encrypted for keys. Choose “With age keys” or “With a passkey”.',
  keys: 'None of these secret keys opens this file. It was encrypted for other keys: choose the key file that belongs to them.',
  passkey:
    'This passkey does not open this file. Choose the passkey that it was encrypted with, on the site where that was done.',
  hash: 'No key opens this file.',
};

/** By the browser's name of the error. */
const BY_NAME: Readonly<Record<string, string>> = {
  QuotaExceededError:
    'There is not enough space for the result. Make room on the disk, or save and clear the results that are ready.',
  NotReadableError:
    'The file can no longer be read: it was changed, moved or removed, or it may not be read. Choose it again.',
  NotFoundError: 'The file is no longer there: it was moved or removed. Choose it again.',
  NoModificationAllowedError:
    'The file cannot be written, because another program uses it or it is protected. Choose another place.',
  InvalidStateError: 'There is a passkey already, or the file was changed by another program meanwhile. Try again.',
  SecurityError:
    'The browser does not allow this here. Passkeys need an https:// address with a name, which is no number.',
};

/** By the library's message. */
const BY_MESSAGE: readonly (readonly [RegExp, string])[] = [
  [
    /not an age file|invalid version|no age file/,
    "This file wasn't encrypted with age. Choose the file that ends in .age, or use Hash or Encrypt.",
  ],
  [
    /after the end|data after/,
    'The file has bytes after its end: something was added to it. Get it again from where it came from.',
  ],
  [
    /truncated/,
    'The end of the file is missing: it was not copied or downloaded wholly. Get it again from where it came from.',
  ],
  [
    /is not authentic|invalid tag/,
    'The file was changed after it was encrypted, or it is damaged. Get it again from where it came from. Nothing of it was saved.',
  ],
  [
    /armor/i,
    'The text of the encrypted file is damaged. Copy it again, from the line -----BEGIN AGE ENCRYPTED FILE----- to the last line.',
  ],
  [
    /work factor/,
    'Opening this file needs more memory and time than is safe in a browser. Use the age program for it.',
  ],
  [/HMAC|header|stanza/, 'The beginning of the file is damaged, or was changed. Get it again from where it came from.'],
  [
    /same labels|post-quantum/,
    'Post-quantum keys and others cannot be mixed: the file would be only as safe as the weaker ones. Encrypt it once for each kind.',
  ],
  [
    /PRF/,
    'This passkey cannot encrypt files. Use one made with Make a passkey, with a recent browser and system, or a newer security key.',
  ],
  [
    /memory|allocation|Array buffer/i,
    'The browser has not enough memory for this. Close other tabs and programs, and try again.',
  ],
  [
    /"source" expected|"size" expected/,
    'The file was changed while it was read. Wait until nothing writes to it, and try again.',
  ],
];

/** A sentence for an error. */
export function explain(error: unknown, method: Method): string {
  if (error instanceof Advice) return error.message;
  const { name = '', message = String(error) } = error as Partial<Error>;
  if (name === 'NotAllowedError' && method === 'passkey')
    return 'The passkey was not used: the request was dismissed, or took too long. Start again, and confirm it.';
  if (name === 'NotAllowedError')
    return 'The browser was not allowed to write there. Start again, and allow it or choose another place.';
  if (message.includes('wrong passphrase'))
    return 'The passphrase does not open this file. Check it for typing mistakes, capitals and spaces.';
  if (message.includes('no identity matched')) return NO_KEY[method];
  if (Object.hasOwn(BY_NAME, name)) return BY_NAME[name];
  const known = BY_MESSAGE.find(([pattern]) => pattern.test(message));
  if (known) return known[1];
  return `It did not work (${message}). Try again; if it stays so, use another browser or the age program.`;
}
