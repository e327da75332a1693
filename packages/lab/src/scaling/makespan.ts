/**
 * The one model of scaling: a dispatcher hands jobs to threads and takes their answers, one thing at a time. The dispatcher is the
 * caller's thread of a pool, or the server of a queue whose threads are on many machines.
 */

/** Times, for the earliest of them: a binary heap, whose children are never earlier. */
class Times {
  readonly values: Float64Array;
  #length = 0;

  constructor(most: number) {
    this.values = new Float64Array(most);
  }

  get first(): number {
    return this.#length === 0 ? Infinity : this.values[0];
  }

  add(time: number): void {
    const { values } = this;
    let at = this.#length++;
    for (let above = (at - 1) >> 1; at > 0 && values[above] > time; at = above, above = (at - 1) >> 1)
      values[at] = values[above];
    values[at] = time;
  }

  dropFirst(): void {
    const last = this.values[--this.#length];
    if (this.#length > 0) this.replaceFirst(last);
  }

  replaceFirst(time: number): void {
    const { values } = this;
    let at = 0;
    for (let child = 1; child < this.#length; child = 2 * at + 1) {
      if (child + 1 < this.#length && values[child + 1] < values[child]) child++;
      if (values[child] >= time) break;
      values[at] = values[child];
      at = child;
    }
    values[at] = time;
  }
}

/** All times are in the same unit, whichever it is. */
export interface Flow {
  readonly jobs: number;
  readonly threads: number;
  /** The most jobs that are under way. A thread that has a job may be given another, with which it goes on at once. */
  readonly underWay: number;
  /** The dispatcher, for each job and for each answer. */
  readonly send: number;
  readonly receive: number;
  /** From the dispatcher to a thread without a job, and from an answer to a dispatcher that waits for it. */
  readonly delay: number;
  readonly delayBack: number;
  /** When a thread has done a job that it begins now. `busy` tells how many threads have one, this one among them. */
  readonly done: (begin: number, busy: () => number) => number;
}

/** When the dispatcher has taken the last answer. */
export function makespan({ jobs, threads, underWay, send, receive, delay, delayBack, done }: Flow): number {
  /** When each thread has done all that it was given, and when the answers come that the dispatcher has not taken. */
  const free = new Times(threads);
  for (let thread = 0; thread < threads; thread++) free.add(0);
  const answers = new Times(underWay);
  let [clock, sent, received] = [0, 0, 0];
  const busy = (): number => {
    let count = free.first > clock ? 0 : 1;
    for (const until of free.values) count += Number(until > clock);
    return count;
  };
  while (received < jobs) {
    if (answers.first <= clock) {
      answers.dropFirst();
      clock += receive;
      received++;
    } else if (sent < jobs && sent - received < underWay) {
      clock += send;
      sent++;
      const answer = done(free.first > clock ? free.first : clock + delay, busy);
      free.replaceFirst(answer);
      answers.add(answer);
    } else clock = answers.first + delayBack;
  }
  return clock;
}

/** A curve bends where less of its threads or machines is used, compared with one. */
const USED = 0.8;

/** The least of some rising counts at which too little is used; undefined if there is none. */
export const bendOf = (speedup: (count: number) => number, counts: Iterable<number>): number | undefined => {
  for (const count of counts) if (speedup(count) < USED * count) return count;
  return undefined;
};
