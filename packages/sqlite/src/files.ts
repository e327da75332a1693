/**
 * Encrypted files in a browser's own files (OPFS), in Node, and over ZenFS: {@link encryptedFileSystem}.
 * @module
 */
export { encryptedFileSystem } from './volume/open.ts';
export type { EncryptedFileSystem } from './volume/file-system.ts';
export type { FileStats } from './volume/stats.ts';
export type { FileSystemBase, FileSystemOptions } from './volume/options.ts';
export type { FileCalls, Folder } from './volume/folder-store.ts';
export type { DatabaseKey, KeyBox } from './keys/user-key.ts';
export type { Argon2Costs, Costs, ScryptCosts } from './keys/costs.ts';
