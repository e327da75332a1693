/**
 * All cores: hashing and encryption on a pool of threads.
 *
 * {@link createPool} makes a pool. Its workers compute independent parts at the same time: the subtrees of a BLAKE3 hash,
 * the chunks of `chunked` and `agePayload`, the pages of a disk. Results and errors are those of one thread, byte for byte.
 * @module
 */
export type { PoolBlake3Options } from './blake3/parallel.ts';
export type { OpenOrigin, OpenTarget, Written } from './io/handles.ts';
export type { PageFiles } from './disk/parallel-files.ts';
export type { PoolPagesOptions } from './disk/parallel.ts';
export { createPool, type PoolOptions } from './pool/create.ts';
export type { PoolDescription, PoolHandle } from './work/threads.ts';
export type { Pool } from './pool/handle.ts';
export type { PoolProgress } from './work/progress.ts';
export type { PoolSource } from './io/pieces.ts';
export type { WorkerLike } from './pool/spawn.ts';
