/**
 * A model of many machines that hash one object: threads take leaves from a queue, read their bytes from a store and hash them, and at
 * the end one of them merges the results.
 */
import { chacha8rand } from 'lanewise/random.js';
import { bendOf, makespan } from '../../../lab/src/scaling/makespan.ts';
import { LIMITS, MIB, type Limits } from './limits.ts';

/** Measured on one machine, in seconds. */
export interface Costs {
  /** One thread hashes a MiB. */
  readonly hash: number;
  /** A leaf is put into the queue, by the worker that takes one before it; the queue's server is busy meanwhile. */
  readonly add: number;
  /** The queue's server works for a leaf: it is taken, and its result is put back. */
  readonly serve: number;
  /** The root fetches the result of a leaf, checks it and merges it. */
  readonly merge: number;
}

/** The possible limits. Without one of them, the others decide. */
export const BINDERS = ['connections', 'network', 'requests', 'hashing', 'queue', 'root', 'number of leaves'] as const;
export type Binder = (typeof BINDERS)[number];

export interface Setting {
  /** Of the object, in bytes. */
  readonly size: number;
  /** Of a leaf, in bytes. */
  readonly leaf: number;
  readonly machines: number;
  readonly limits?: Limits;
}

/** How many leaves stand in the place of one where their number shall not bind. */
const FINER = 4;

/** Seconds from the call to the result. The random numbers are those of the seed, so that the same setting gives the same time. */
export function seconds(costs: Costs, setting: Setting, without?: Binder): number {
  const limits = setting.limits ?? LIMITS;
  const finer = without === 'number of leaves' ? FINER : 1;
  const leaf = setting.leaf / finer;
  const leaves = Math.ceil(setting.size / leaf);
  const { hash, add, serve, merge } = costsOf(costs, finer, without);

  const each = limits.range / ((limits.firstByte[0] + limits.firstByte[1]) / 2 + limits.range / limits.connection);
  const byConnections = without === 'connections' ? Infinity : limits.connections * each;
  const byNetwork = without === 'network' ? Infinity : limits.network / limits.threads;
  const reading = leaf / Math.min(byConnections, byNetwork);
  const hashing = (leaf / MIB) * hash;
  const requests = without === 'requests' ? 0 : Math.ceil(leaf / limits.range) / limits.requests;

  const random = chacha8rand(new Uint8Array(32).fill(7));
  const threads = setting.machines * limits.threads;
  // The store does one thing at a time where requests are counted.
  let store = 0;
  const end = makespan({
    jobs: leaves,
    threads,
    underWay: threads,
    send: serve + add,
    receive: 0,
    delay: limits.roundTrip,
    delayBack: 0,
    done(begin) {
      // The first byte of a leaf is waited for; those of its later ranges are, while others are read.
      const first = (limits.firstByte[0] + (limits.firstByte[1] - limits.firstByte[0]) * random.float()) / finer;
      const varied = reading * Math.exp(limits.spread * normal(random.float(), random.float()));
      store = Math.max(store, begin) + requests;
      return Math.max(begin + first + Math.max(varied, hashing), store);
    },
  });
  random.destroy();
  return end + limits.roundTrip + leaves * merge;
}

function costsOf(costs: Costs, finer: number, without: Binder | undefined): Costs {
  return {
    hash: without === 'hashing' ? 0 : costs.hash,
    add: without === 'queue' ? 0 : costs.add / finer,
    serve: without === 'queue' ? 0 : costs.serve / finer,
    merge: without === 'root' ? 0 : costs.merge / finer,
  };
}

/** A normal deviate from two uniform ones (Box and Muller). */
const normal = (a: number, b: number): number => Math.sqrt(-2 * Math.log(1 - a)) * Math.cos(2 * Math.PI * b);

/** The least share of the time for a limit to be named. */
const TELLING = 0.05;

/**
 * The binding limit: the one without which the task would end the soonest; undefined if none takes a twentieth of the time. Where threads
 * have no leaf, the number of leaves binds if smaller leaves are quicker, because nothing else would use these threads.
 */
export function binderOf(costs: Costs, setting: Setting): Binder | undefined {
  const most = (1 - TELLING) * seconds(costs, setting);
  const idle = setting.machines * (setting.limits ?? LIMITS).threads > setting.size / setting.leaf;
  if (idle && seconds(costs, setting, 'number of leaves') < most) return 'number of leaves';
  const without = BINDERS.map((binder) => ({ binder, time: seconds(costs, setting, binder) }));
  const [least] = without.sort((a, b) => a.time - b.time);
  return least.time < most ? least.binder : undefined;
}

export interface Point {
  readonly machines: number;
  readonly seconds: number;
  /** Bytes a second. */
  readonly speed: number;
  readonly binder: Binder | undefined;
}

export interface Curve {
  readonly name: string;
  readonly leaf: number;
  readonly leaves: number;
  readonly points: readonly Point[];
  /** From so many machines, less than this part of their speed is had: see `bendOf`. */
  readonly bend: number | undefined;
}

export function curveOf(
  costs: Costs,
  name: string,
  { size, leaf, limits = LIMITS }: Omit<Setting, 'machines'>,
  machines: readonly number[],
): Curve {
  const timeOf = (count: number): number => seconds(costs, { size, leaf, limits, machines: count });
  const one = timeOf(1);
  return {
    name,
    leaf,
    leaves: Math.ceil(size / leaf),
    points: machines.map((count) => {
      const time = timeOf(count);
      const setting = { size, leaf, limits, machines: count };
      return { machines: count, seconds: time, speed: size / time, binder: binderOf(costs, setting) };
    }),
    bend: bendOf((count) => one / timeOf(count), countsUpTo(machines.at(-1)!)),
  };
}

/** Counts some 20 % apart. */
function* countsUpTo(most: number): Generator<number> {
  for (let count = 1; count <= most; count = Math.max(count + 1, Math.round(1.2 * count))) yield count;
}
