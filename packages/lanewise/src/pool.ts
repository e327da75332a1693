/**
 * All cores: hashing and encryption on a pool of threads.
 *
 * {@link createPool} makes a pool. What is independent is done by its workers at the same time: the parts of a message that BLAKE3
 * hashes, the chunks of `chunked` and `agePayload`, the pages of a disk. Results and errors are those of one thread, byte for byte.
 * @module
 */
export type { PoolBlake3Options } from './pool/hash.ts';
export type { OpenOrigin, OpenTarget, PageFiles, Written } from './pool/page-files.ts';
export type { PoolPagesOptions } from './pool/pages.ts';
export { createPool, type PoolOptions } from './pool/create.ts';
export type { PoolDescription, PoolHandle } from './calls/threads.ts';
export type { Pool } from './pool/pool.ts';
export type { PoolProgress } from './pool/progress.ts';
export type { PoolSource } from './pool/sources.ts';
export type { WorkerLike } from './pool/spawn.ts';
