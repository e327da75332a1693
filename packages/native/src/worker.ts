/**
 * The worker of a pool, on native code: `spawn` of `@lanewise/native` starts it in place of `lanewise/worker.js`.
 * @module
 */
import './index.ts';
import 'lanewise/worker.js';
