/** Calls of `@lanewise/cluster` as far as they go without a queue. */
import { cluster, createWorker, type Cluster } from '@lanewise/cluster';
import type { Given, Row } from '../row.ts';

/** Nobody listens there. */
const QUEUE = 'redis://127.0.0.1:1';
const NONE = 'file:///none/such';
const recipients = ['age1zvkyg2lqzraa2lnjvqej32nkuu0ues2s82hzrye869xeexvn73equnujwj'];

const one = (name: string, run: Row['run']): Row => ({ title: `cluster ${name}`, covers: [`cluster ${name}`], run });
/** The object that a call reads does not exist, so the call ends before a queue is asked; options are checked before. */
const ending = (call: (queue: Cluster, given: Given) => Promise<unknown>) => async (given: Given) => {
  const queue = cluster(QUEUE);
  try {
    return await call(queue, given);
  } finally {
    await queue.close();
  }
};

export const rows: readonly Row[] = [
  one('cluster', (given) => cluster(QUEUE, given.options({ name: 'mine', objects: given.options({ timeout: 1000 }) }))),
  one(
    'Cluster.blake3',
    ending((queue, given) => queue.blake3(NONE, given.options({ dkLen: 33, seek: 1, leafBytes: 2048 }))),
  ),
  one(
    'Cluster.encrypt',
    ending((queue, given) =>
      queue.encrypt(NONE, `${NONE}.age`, given.options({ recipients, workers: recipients, partChunks: 80 })),
    ),
  ),
  one(
    'Cluster.decrypt',
    ending((queue, given) =>
      queue.decrypt(NONE, `${NONE}.plain`, given.options({ identities: [], workers: recipients, partChunks: 80 })),
    ),
  ),
  one(
    'Cluster.submit',
    ending((queue, given) =>
      queue.submit(given.options({ kind: 'blake3', source: NONE, options: given.options({ dkLen: 33 }) } as const)),
    ),
  ),
  // The last of its checks refuses the key file.
  one('createWorker', (given) =>
    createWorker(QUEUE, given.options({ allow: [NONE], keyFiles: { none: '/none/such' } })),
  ),
];
