/**
 * Encrypted SQLite over unmodified builds: {@link encryptVFS} wraps a VFS of wa-sqlite.
 * @module
 */
export { encryptVFS, type BaseClass, type BaseVFS, type EncryptedClass, type EncryptedVFS } from './encrypt-vfs.ts';
export type { EncryptOptions, Mode } from './options.ts';
export type { Costs } from './keys/kdf.ts';
export type { DatabaseKey } from './keys/user-key.ts';
