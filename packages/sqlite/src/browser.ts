/**
 * Encrypted SQLite in a browser's own files (OPFS), in a worker: {@link openDatabase}.
 * @module
 */
export { openDatabase, type DatabaseOptions } from './browser/database.ts';
export type { Database, Parameter, Row, Value } from './database.ts';
