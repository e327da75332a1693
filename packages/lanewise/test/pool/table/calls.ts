/** Calls of `lanewise/pool.js`. No worker of the host is started. */
import { adiantum } from '../../../src/disk.ts';
import { createPool } from '../../../src/pool.ts';
import { derivations } from '../../../src/scrypt/jobs.ts';
import { FakeWorker } from '../../support/fake-worker.ts';
import { bytes, fn, key, of, text, type Call } from '../../support/call.ts';

/** A call whose options show an effect only later: pool.test.ts tests them. */
const promised = (call: Call): Call => ({ ...call, takesOptions: false });

/** A key is derived in a worker, which is an object of this thread here. */
const spawn = () => new FakeWorker().obedient({ kinds: [derivations] });
const pagesOptions = { pageSize: 512, first: 1, tweak: 'index64', onProgress: () => undefined };

export const calls: Readonly<Record<string, Call>> = {
  'pool.createPool': promised(
    fn(createPool, { threads: 1, spawn: () => undefined, idle: 0, callerWorks: true, threshold: 0 }),
  ),
  'Pool.blake3': promised(of(() => createPool(), 'blake3', text, { key, dkLen: 32, onProgress: () => undefined })),
  'Pool.blake3Xof': promised(of(() => createPool(), 'blake3Xof', text, { key, onProgress: () => undefined })),
  'Pool.encryptPages': promised(of(() => createPool(), 'encryptPages', adiantum(key), bytes(512), pagesOptions)),
  'Pool.decryptPages': promised(of(() => createPool(), 'decryptPages', adiantum(key), bytes(512), pagesOptions)),
  'Pool.scrypt': promised(of(() => createPool({ spawn }), 'scrypt', text, key, { N: 2 })),
  'Pool.describe': of(() => createPool(), 'describe'),
  'Pool.close': of(() => createPool(), 'close'),
};
