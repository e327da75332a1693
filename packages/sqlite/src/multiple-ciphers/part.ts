/** The mode sqlite3mc, as a part that is loaded where a database has it. */
import { pbkdf2Sync, sha256 } from 'lanewise/sha2.js';

export { MultipleCiphersDatabase } from './database.ts';
export { Journal } from './journal.ts';
export { WriteAheadLog } from './write-ahead-log.ts';

/** The iterations of PBKDF2 that SQLite3MultipleCiphers makes for its cipher chacha20. */
const ITERATIONS = 64_007;

/** 32 bytes. */
export const derive = (password: Uint8Array, salt: Uint8Array): Uint8Array<ArrayBuffer> =>
  pbkdf2Sync(sha256, password, salt, { c: ITERATIONS, dkLen: 32 });
