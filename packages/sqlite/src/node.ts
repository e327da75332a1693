/**
 * Encrypted SQLite in Node, Bun and Deno: {@link openDatabase}, and {@link NodeVFS}, which `encryptVFS` of `@lanewise/sqlite` wraps.
 * @module
 */
export { NodeVFS } from './node/node-vfs.ts';
export { openDatabase, type Database, type DatabaseOptions, type Row, type Value } from './node/database.ts';
