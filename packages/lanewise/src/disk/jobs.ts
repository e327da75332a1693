/** Pages in parallel: each job is a run of pages, which are encrypted or decrypted in the memory that comes with it. */
import { askedTweaks, countedTweaks, type Tweaks } from './heads.ts';
import type { PageWork } from './page-calls.ts';
import { manyPages, type Back, type Keys } from './stage.ts';
import { pageNumber, type Counted } from './tweak.ts';
import type { JobKind } from '../work/threads.ts';
import { copyOf, fillBytes, floor, max, min, part, toNumber } from '../engine/intrinsics.ts';

/** The bytes of a job, with tweaks that a function gave: as many whole pages as have room, one at least. */
export const JOB_BYTES = 1_048_576;

/** Pages in a row. */
export interface PagesJob {
  /** The index of the first in the buffer. */
  readonly index: number;
  readonly count: number;
  /** The number of the first. */
  readonly first: number | bigint;
  /** All tweaks, if a function gave them. */
  readonly tweaks: Uint8Array | undefined;
}

/** A call, without its keys and its bytes. */
interface Call {
  readonly nh: 0 | 1;
  readonly doubleRounds: number;
  readonly back: Back;
  readonly size: number;
  readonly counted: Counted | undefined;
  readonly tweakLength: number;
}

function tweaksOf({ counted, tweakLength }: Call, { first, count, tweaks }: PagesJob): Tweaks {
  if (counted) return countedTweaks(counted, first);
  return askedTweaks((index) => part(tweaks!, toNumber(index) * tweakLength, tweakLength), 0, count);
}

/** The code of workers. An answer is the memory for it, filled. */
export const pages: JobKind = {
  kind: 'pages',
  open(given, [bytes]) {
    const call = given as Call;
    const { nh, doubleRounds, back, size } = call;
    const keys: Keys = { nh, doubleRounds, bytes };
    return {
      run(job, input, output) {
        const its = job as PagesJob;
        manyPages(keys, back, input!, size, its.count, tweaksOf(call, its), output);
        return output;
      },
      wipe: () => void fillBytes(bytes, 0),
    };
  },
};

/** Tweaks from an index on. */
const tweaksFrom = (tweaks: Tweaks, index: number): Tweaks => ({
  length: tweaks.length,
  of: (at) => tweaks.of(index + at),
  write: (kernel, heads, at, count) => tweaks.write(kernel, heads, index + at, count),
});

/** The pages of a call, whose arguments are checked, as jobs. */
export class ParallelPages {
  readonly kind: string = 'pages';
  readonly inPlace: boolean = true;
  readonly parameters: unknown;
  readonly secrets: readonly Uint8Array[];
  readonly size: number;
  readonly count: number;
  readonly #keys: Keys;
  readonly #back: Back;
  readonly #tweaks: Tweaks;
  readonly #work: typeof manyPages;
  /** How tweaks count up, unless a function gave them. */
  readonly #counted: Counted | undefined;
  readonly #first: number | bigint;

  /** Keys are copied. */
  constructor(...[keys, back, , size, count, tweaks, , work, tweak, first]: Parameters<PageWork>) {
    const { nh, doubleRounds } = keys;
    const bytes = copyOf(keys.bytes);
    this.size = size;
    this.count = count;
    this.secrets = [bytes];
    this.#keys = { nh, doubleRounds, bytes };
    this.#back = back;
    this.#tweaks = tweaks;
    this.#work = work;
    this.#counted = typeof tweak === 'function' ? undefined : tweak;
    this.#first = first;
    const call: Call = { nh, doubleRounds, back, size, counted: this.#counted, tweakLength: tweaks.length };
    this.parameters = call;
  }

  /** How many pages a job has; the last one may have fewer. */
  get perJob(): number {
    return max(1, floor(JOB_BYTES / (this.size + (this.#counted ? 0 : this.#tweaks.length))));
  }

  /** All jobs, in order. */
  *jobs(perJob: number = this.perJob): Generator<PagesJob, void> {
    const { length } = this.#tweaks;
    for (let index = 0; index < this.count; index += perJob) {
      const count = min(perJob, this.count - index);
      yield {
        index,
        count,
        first: pageNumber(this.#first, index),
        // They are adjacent.
        tweaks: this.#counted ? undefined : copyOf(part(this.#tweaks.of(index), 0, length * count)),
      };
    }
  }

  /** Does a job on the caller's thread, in place. */
  here({ index, count }: PagesJob, bytes: Uint8Array): void {
    this.#work(this.#keys, this.#back, bytes, this.size, count, tweaksFrom(this.#tweaks, index));
  }
}
