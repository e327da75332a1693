/**
 * Encrypted SQLite in Node, Bun and Deno: {@link openDatabase}, {@link copyDatabase}, {@link checkDatabase}, and {@link NodeVFS}, which `encryptVFS` of `@lanewise/sqlite` wraps.
 * @module
 */
export { NodeVFS } from './node/node-vfs.ts';
export { openDatabase, type DatabaseOptions } from './node/database.ts';
export { copyDatabase, type CopyOptions, type DatabaseSide } from './node/copy.ts';
export { checkDatabase, type CheckOptions, type CheckResult } from './node/check.ts';
export type { Database, Parameter, Row, Value } from './database.ts';
