/** Keys from passphrases. */
import { scryptSync } from 'lanewise/scrypt.js';

/** The work that a guess of a passphrase costs. scrypt, RFC 7914: 128 · r · 2^logN bytes of memory, p times. */
export interface Costs {
  readonly logN: number;
  readonly r: number;
  readonly p: number;
}

/** 128 MiB and about a quarter of a second: OWASP's first choice for scrypt. */
export const COSTS: Costs = { logN: 17, r: 8, p: 1 };
/** A file may ask for this much, and no more: 1 GiB. */
export const MOST: Costs = { logN: 20, r: 8, p: 4 };

/** A passphrase as bytes, NFKC as lanewise/scrypt.js advises. */
export const bytesOf = (passphrase: string): Uint8Array<ArrayBuffer> =>
  new TextEncoder().encode(passphrase.normalize('NFKC'));

/** 32 bytes. */
export const derive = (password: Uint8Array, salt: Uint8Array, { logN, r, p }: Costs): Uint8Array<ArrayBuffer> =>
  scryptSync(password, salt, { logN, r, p, maxmem: 2 ** 31 });
