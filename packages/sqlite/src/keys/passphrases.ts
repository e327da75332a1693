/** Keys from passphrases. Loaded where a database has one. */
import { argon2idSync } from 'lanewise/argon2.js';
import { scryptSync } from 'lanewise/scrypt.js';
import { isScrypt, type Costs } from './costs.ts';

/** 32 bytes. */
export function derive(password: Uint8Array, salt: Uint8Array, costs: Costs): Uint8Array<ArrayBuffer> {
  if (!isScrypt(costs)) return argon2idSync(password, salt, { m: costs.m, t: costs.t, p: costs.p });
  return scryptSync(password, salt, { logN: costs.logN, r: costs.r, p: costs.p, maxmem: 2 ** 31 });
}
