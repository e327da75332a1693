/**
 * The worker of a pool. Import it in a worker of your own if your bundler doesn't find it:
 *
 * ```ts
 * // worker.ts
 * import 'lanewise/worker.js';
 *
 * // where the pool is made
 * import { createPool } from 'lanewise/pool.js';
 * const pool = createPool({ spawn: () => new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' }) });
 * ```
 *
 * It exports nothing, and handles the pool's messages only; all others are for your own code.
 * @module
 */
import { lanes } from './argon2/jobs.ts';
import { trees } from './bao/jobs.ts';
import { subtrees } from './blake3/jobs.ts';
import { takeOffer } from './calls/choice.ts';
import { pages } from './disk/jobs.ts';
import { derivations } from './scrypt/jobs.ts';
import { serve } from './pool/serve.ts';
import { chunks } from './stream/jobs.ts';

// This file has an engine of its own.
takeOffer();
serve([subtrees, trees, pages, chunks, derivations, lanes]);

export {};
