/** Calls of `lanewise/pool.js`. None has work for workers, so none is started. */
import { createPool } from '../../../src/pool.ts';
import { fn, key, of, text, type Call } from '../../support/call.ts';

/** A call whose options show an effect only later: pool.test.ts tests them. */
const promised = (call: Call): Call => ({ ...call, takesOptions: false });

export const calls: Readonly<Record<string, Call>> = {
  'pool.createPool': promised(fn(createPool, { threads: 1, spawn: () => undefined, idle: 0, callerWorks: true })),
  'Pool.blake3': promised(of(() => createPool(), 'blake3', text, { key, dkLen: 32, onProgress: () => undefined })),
  'Pool.blake3Xof': promised(of(() => createPool(), 'blake3Xof', text, { key, onProgress: () => undefined })),
  'Pool.describe': of(() => createPool(), 'describe'),
  'Pool.close': of(() => createPool(), 'close'),
};
