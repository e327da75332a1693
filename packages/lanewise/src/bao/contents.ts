/** Where the bytes of a content come from, that an outboard proves: a stream, or sources that can be read at any place. */
import type { Taker } from './pull.ts';
import { present } from '../calls/checks.ts';
import type { Source } from '../io/random-access.ts';
import { abortable } from '../work/abort.ts';

/** Bytes, and whether they are in memory that nothing else can write to. */
export interface Given {
  readonly content: Uint8Array;
  readonly isOwn: boolean;
  /** The source that gave them, if there may be others. */
  readonly mirror?: Mirror;
}

export interface Contents {
  /** The length that the outboard tells, set before anything is read. */
  size: number;
  read(offset: number, length: number, signal: AbortSignal): Promise<Given>;
  /** Whether the next bytes can be read while the last ones are proven. */
  readonly isAnyPlace: boolean;
  /** The bytes from another source than those that gave wrong ones; undefined if there is none. */
  other?(wrong: Sources, offset: number, length: number, signal: AbortSignal): Promise<Given | undefined>;
  /** Throws unless there is nothing after the content. */
  end?(): Promise<void>;
}

/** A content that comes in order. */
export class StreamContents implements Contents {
  readonly #taker: Taker;
  readonly isAnyPlace = false;
  size = 0;

  constructor(taker: Taker) {
    this.#taker = taker;
  }

  async read(_: number, length: number): Promise<Given> {
    return { content: await this.#taker.take(length), isOwn: false };
  }

  end(): Promise<void> {
    return this.#taker.end();
  }
}

/** A source of the content. */
export interface Mirror {
  readonly source: Source;
  /** Whether each read gives memory of its own. */
  readonly isOwn: boolean;
}

export type Sources = ReadonlySet<Mirror>;

/** What one of the sources gave, or why it gave nothing. */
interface Answer {
  readonly mirror: Mirror;
  readonly given?: Given;
  readonly error?: unknown;
}

/**
 * Sources of one content, the best first. The next is asked when one fails, gives wrong bytes, or has not answered for some time; the
 * one that answered is the first from then on.
 */
export class Mirrors implements Contents {
  readonly #patience: number;
  #order: readonly Mirror[];
  readonly #right = new Set<Mirror>();
  readonly isAnyPlace = true;
  size = 0;

  /** @param patience - In milliseconds. */
  constructor(mirrors: readonly Mirror[], patience: number) {
    this.#order = mirrors;
    this.#patience = patience;
  }

  read(offset: number, length: number, signal: AbortSignal): Promise<Given> {
    return this.#first(this.#order, offset, length, signal);
  }

  async other(wrong: Sources, offset: number, length: number, signal: AbortSignal): Promise<Given | undefined> {
    const left = this.#order.filter((one) => !wrong.has(one));
    // The sources that were wrong are the last from now on.
    this.#order = [...left, ...this.#order.filter((one) => wrong.has(one))];
    return left.length ? this.#first(left, offset, length, signal) : undefined;
  }

  /** The first answer of some sources, each asked when those before it have failed or are slow. */
  async #first(mirrors: readonly Mirror[], offset: number, length: number, signal: AbortSignal): Promise<Given> {
    if (mirrors.length === 1) {
      const { given, error } = await this.#ask(mirrors[0], offset, length, signal);
      if (!given) throw error;
      return given;
    }
    const underWay = new Set<Promise<Answer>>();
    let failed: unknown;
    // Aborted when there is an answer: the others are not wanted any more.
    return abortable([signal], async (its) => {
      const losers = new AbortController();
      const stop = (): void => losers.abort(its.reason);
      its.addEventListener('abort', stop);
      try {
        for (let next = 0; ;) {
          if (next < mirrors.length) {
            const asked: Promise<Answer> = this.#ask(mirrors[next++], offset, length, losers.signal);
            underWay.add(asked);
            void asked.then(() => underWay.delete(asked));
          }
          const answer = await soonest([...underWay], next < mirrors.length ? this.#patience : undefined);
          its.throwIfAborted();
          if (answer?.given) {
            const { mirror, given } = answer;
            // The one that was asked first may have been found wrong meanwhile.
            if (mirror !== mirrors[0]) this.#order = [mirror, ...this.#order.filter((one) => one !== mirror)];
            return given;
          }
          if (answer) failed = answer.error;
          if (next === mirrors.length && !underWay.size) throw failed;
        }
      } finally {
        its.removeEventListener('abort', stop);
        losers.abort();
      }
    });
  }

  /** Never rejected. */
  async #ask(mirror: Mirror, offset: number, length: number, signal: AbortSignal): Promise<Answer> {
    try {
      const { source, isOwn } = mirror;
      if (!this.#right.has(mirror)) {
        const size = await source.size(signal);
        if (size !== this.size)
          throw new Error(`the source has ${size} bytes, and the outboard is of ${this.size} bytes`);
        this.#right.add(mirror);
      }
      const content = present(await source.read(offset, offset + length, signal), 'source');
      return { mirror, given: { content, isOwn, mirror } };
    } catch (error) {
      return { mirror, error };
    }
  }
}

/** The first of some promises to be fulfilled; undefined if that takes longer than `most` milliseconds. */
async function soonest<T>(promises: readonly Promise<T>[], most: number | undefined): Promise<T | undefined> {
  if (most === undefined) return Promise.race(promises);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => (timer = setTimeout(() => resolve(undefined), most)));
  try {
    return await Promise.race([...promises, late]);
  } finally {
    clearTimeout(timer);
  }
}
