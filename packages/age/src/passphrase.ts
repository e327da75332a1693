/** Passphrases as recipients and identities (C2SP age, "The scrypt recipient type"), with the library's scrypt. */
import type { Identity, Recipient, Stanza } from 'age-encryption';
import { chacha20poly1305 } from 'lanewise/chacha.js';
import { scrypt } from 'lanewise/scrypt.js';
import { randomBytes } from 'lanewise/utils.js';
import { unpadded } from './base64.ts';
import { wrong, type Work } from './checks.ts';

const LABEL = 'age-encryption.org/v1/scrypt';
const SALT_BYTES = 16;
/** The file key and its tag. */
const BODY_BYTES = 32;

/** The work factor that age takes for new files: N = 2^18, which needs 256 MiB. */
export const WORK_FACTOR = 18;
/** The greatest one that files are opened with unless the caller allows more: 2^20 needs 1 GiB and several seconds. */
export const MOST_WORK_FACTOR = 20;
/** The greatest one that the memory of WebAssembly has room for. */
const GREATEST_WORK_FACTOR = 21;

/** Checks a work factor that the caller sets. */
export function workFactorOf(logN: unknown): number {
  if (typeof logN !== 'number') throw wrong('logN', 'number', logN);
  if (!Number.isInteger(logN) || logN < 1 || logN > GREATEST_WORK_FACTOR)
    throw new RangeError(`"logN" expected integer from 1 to ${GREATEST_WORK_FACTOR}, got ${logN}`);
  return logN;
}

const utf8 = new TextEncoder();

/** The one nonce, which is right because each key encrypts one message only. */
const nonce = (): Uint8Array => new Uint8Array(12);

/** The key that a passphrase and a salt make. */
async function wrapKeyOf(
  passphrase: string,
  salt: Uint8Array,
  logN: number,
  { signal, pool }: Work,
): Promise<Uint8Array> {
  const labelAndSalt = new Uint8Array(LABEL.length + SALT_BYTES);
  utf8.encodeInto(LABEL, labelAndSalt);
  labelAndSalt.set(salt, LABEL.length);
  const password = utf8.encode(passphrase);
  try {
    const options = {
      logN,
      r: 8,
      p: 1,
      dkLen: 32,
      // The work factor was checked, and 2^21 needs 2 GiB.
      maxmem: 2 ** 32,
      ...(signal && { signal }),
    };
    return await (pool ? pool.scrypt(password, labelAndSalt, options) : scrypt(password, labelAndSalt, options));
  } finally {
    password.fill(0);
  }
}

/** Encrypts file keys to a passphrase. */
export class PassphraseRecipient implements Recipient {
  readonly #passphrase: string;
  readonly #workFactor: number;
  readonly #work: Work;

  constructor(passphrase: string, workFactor: number, work: Work) {
    this.#passphrase = passphrase;
    this.#workFactor = workFactor;
    this.#work = work;
  }

  async wrapFileKey(fileKey: Uint8Array): Promise<Stanza[]> {
    const salt = randomBytes(SALT_BYTES);
    const key = await wrapKeyOf(this.#passphrase, salt, this.#workFactor, this.#work);
    try {
      const body = chacha20poly1305(key, nonce()).encrypt(fileKey);
      // eslint-disable-next-line @typescript-eslint/no-unsafe-class-instance-assignment -- the class has no methods, and loads 50 files
      return [{ args: ['scrypt', unpadded(salt), `${this.#workFactor}`], body }];
    } finally {
      key.fill(0);
    }
  }
}

/** Decrypts file keys with a passphrase. */
export class PassphraseIdentity implements Identity {
  readonly #passphrase: string;
  readonly #mostWork: number;
  readonly #work: Work;

  constructor(passphrase: string, mostWork: number, work: Work) {
    this.#passphrase = passphrase;
    this.#mostWork = mostWork;
    this.#work = work;
  }

  async unwrapFileKey(stanzas: Stanza[]): Promise<Uint8Array | null> {
    const stanza = stanzas.find(({ args }) => args[0] === 'scrypt');
    if (!stanza) return null;
    if (stanzas.length !== 1)
      throw new Error('header expected a passphrase as its only recipient, got others beside it');
    const { salt, logN } = checked(stanza);
    if (logN > this.#mostWork)
      throw new RangeError(
        `file expected scrypt work factor of at most ${this.#mostWork}, got ${logN}; setMaxScryptWorkFactor allows more`,
      );
    const key = await wrapKeyOf(this.#passphrase, salt, logN, this.#work);
    try {
      return chacha20poly1305(key, nonce()).decrypt(stanza.body);
    } catch (error) {
      if ((error as Error).message !== 'invalid tag') throw error;
      return null;
    } finally {
      key.fill(0);
    }
  }
}

/** The salt and the work factor of a stanza, which has exactly these arguments and this length. */
function checked({ args, body }: Stanza): { readonly salt: Uint8Array; readonly logN: number } {
  const salt = args.length === 3 ? saltOf(args[1]) : undefined;
  if (!salt || !/^[1-9][0-9]*$/.test(args[2]) || body.length !== BODY_BYTES)
    throw new Error('header expected a scrypt stanza as age writes it, got a malformed one');
  return { salt, logN: Number(args[2]) };
}

/** The 16 bytes that canonical base64 without padding stands for; undefined for all else. */
function saltOf(text: string): Uint8Array | undefined {
  if (!/^[A-Za-z0-9+/]{22}$/.test(text)) return undefined;
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  return unpadded(bytes) === text ? bytes : undefined;
}
