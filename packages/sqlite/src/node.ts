/**
 * Encrypted SQLite in Node, Bun and Deno: {@link openDatabase}, and {@link NodeVFS}, which `encryptVFS` of `@lanewise/sqlite` wraps.
 * @module
 */
export { NodeVFS } from './node/node-vfs.ts';
export { openDatabase, type DatabaseOptions } from './node/database.ts';
export type { Database, Parameter, Row, Value } from './database.ts';
