/**
 * The worker of a pool, on native code: what `lanewise/worker.js` is, for {@link spawn} of `@lanewise/native`.
 * @module
 */
import './index.ts';
import 'lanewise/worker.js';
