/**
 * SQLite in Node, Bun and Deno: a VFS over their file system.
 * @module
 */
export { NodeVFS } from './node/node-vfs.ts';
