/**
 * One object, many machines: hashes and age files made in parallel by workers on a queue of BullMQ.
 * @module
 */
export { cluster } from './client/cluster.ts';
export type { CredentialProvider, ObjectOptions, ObjectVersion } from './objects/object.ts';
export type {
  Cluster,
  ClusterOptions,
  ClusterWorker,
  DecryptOptions,
  Detached,
  EncryptOptions,
  HashOptions,
  HashResult,
  Health,
  JobState,
  LogLine,
  Progress,
  QueueStatus,
  RunOptions,
  SealResult,
  Work,
  WorkerOptions,
  WorkResult,
} from './types.ts';
export { createWorker } from './worker/worker.ts';
