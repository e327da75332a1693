/** Keys from passphrases, and their costs in a header. Loaded where a database has one. */
import { argon2idSync } from 'lanewise/argon2.js';
import { scryptSync } from 'lanewise/scrypt.js';
import { NOTADB, SQLiteFailure } from '../codes.ts';
import { isScrypt, refusalOf, type Costs } from './costs.ts';

/** Where the fields of Argon2id begin in their 4 bytes, as powers of two. */
const T_SHIFT = 22;
const P_SHIFT = 27;

/** 32 bytes. */
export function derive(password: Uint8Array, salt: Uint8Array, costs: Costs): Uint8Array<ArrayBuffer> {
  if (!isScrypt(costs)) return argon2idSync(password, salt, { m: costs.m, t: costs.t, p: costs.p });
  return scryptSync(password, salt, { logN: costs.logN, r: costs.r, p: costs.p, maxmem: 2 ** 31 });
}

/** Writes costs into a header, in 4 bytes from `at` on. */
export function writeCosts(header: DataView, at: number, costs: Costs): void {
  if (!isScrypt(costs)) {
    header.setUint32(at, costs.m + costs.t * 2 ** T_SHIFT + costs.p * 2 ** P_SHIFT, true);
    return;
  }
  header.setUint8(at, costs.logN);
  header.setUint8(at + 1, costs.p);
  header.setUint16(at + 2, costs.r, true);
}

/** The costs of a header, which may be those of an attacker. */
export function costsIn(header: Uint8Array, at: number, ofScrypt: boolean): Costs {
  const view = new DataView(header.buffer, header.byteOffset + at, 4);
  const packed = view.getUint32(0, true);
  const costs: Costs = ofScrypt
    ? { logN: view.getUint8(0), r: view.getUint16(2, true), p: view.getUint8(1) }
    : { m: packed % 2 ** T_SHIFT, t: (packed >>> T_SHIFT) % 2 ** (P_SHIFT - T_SHIFT), p: packed >>> P_SHIFT };
  const refusal = refusalOf(costs);
  if (refusal === undefined) return costs;
  throw new SQLiteFailure(NOTADB, `the header asks for more work than is allowed: ${refusal}`);
}
