/**
 * Encrypted PostgreSQL: {@link encryptedPGlite} is a file system for PGlite.
 * @module
 */
export { encryptedPGlite, type EncryptedPGlite } from './volume/pglite.ts';
export type { FileSystemBase, FileSystemOptions } from './volume/options.ts';
