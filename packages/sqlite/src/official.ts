/**
 * Encrypted SQLite in the official build for WebAssembly, `@sqlite.org/sqlite-wasm`: {@link installEncryptedVFS}.
 * @module
 */
export { installEncryptedVFS, type InstallOptions } from './official/install.ts';
export type { EncryptedVFS } from './encrypt-vfs.ts';
