/** The limits of the store and the machines in the model: published figures, with their sources, and assumptions that are called so. */
import { MOST_LEAVES } from '../../src/jobs/hash-root.ts';
import { SPANS_AT_ONCE, spanBytesOf } from '../../src/jobs/spans.ts';

export const MIB = 2 ** 20;
export const GIB = 2 ** 30;
export const TIB = 2 ** 40;

export interface Limits {
  /** Bytes a second of one connection to the store. */
  readonly connection: number;
  /** Seconds from a request to its first byte, at least and at most. */
  readonly firstByte: readonly [number, number];
  /** Requests a second for the objects of one prefix; a single object cannot have more. */
  readonly requests: number;
  /** Bytes a second of a machine's network. */
  readonly network: number;
  /** Threads of a machine, one for each core. */
  readonly threads: number;
  /** Connections of a thread: how many ranges it reads at a time. */
  readonly connections: number;
  /** Bytes of a request. */
  readonly range: number;
  /** The standard deviation of the logarithm of a leaf's time for reading: an assumption. */
  readonly spread: number;
  /** Seconds from a worker to the queue's server and back: an assumption, for machines of one region. */
  readonly roundTrip: number;
}

/**
 * Amazon S3 User Guide, "Best practices design patterns: optimizing Amazon S3 performance": at least 5,500 GET requests a second for a
 * partitioned prefix, first bytes of larger objects after roughly 100 to 200 ms; "Performance design patterns for Amazon S3": one
 * concurrent request for each 85 to 90 MB/s. 12.5 Gbit/s is the network of many machines of 8 cores that are rented.
 */
export const LIMITS: Limits = {
  connection: 87.5e6,
  firstByte: [0.1, 0.2],
  requests: 5500,
  network: 12.5e9 / 8,
  threads: 8,
  connections: SPANS_AT_ONCE,
  range: spanBytesOf(Infinity),
  spread: 0.15,
  roundTrip: 0.0005,
};

/** The bytes of a leaf that a hash takes by itself. */
export function leafBytesFor(size: number): number {
  let leaf = 64 * MIB;
  while (size / leaf > MOST_LEAVES) leaf *= 2;
  return leaf;
}
