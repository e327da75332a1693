/**
 * Encrypted SQLite over unmodified builds: {@link encryptVFS} wraps a VFS of wa-sqlite.
 * @module
 */
export { encryptVFS } from './encrypt.ts';
export type { BaseClass, BaseVFS, EncryptedClass, EncryptedVFS } from './encrypt-vfs.ts';
export type { EncryptOptions, Mode } from './options.ts';
export type { Argon2Costs, Costs, ScryptCosts } from './keys/costs.ts';
export type { DatabaseKey, KeyBox } from './keys/user-key.ts';
