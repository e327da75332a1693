/** Fetches a content from servers that may be wrong, slow or gone, and gives an output the bytes that are proven. */
import { setTimeout as sleep } from 'node:timers/promises';
import { verified, type VerifiedOptions } from 'lanewise/bao.js';
import type { RandomAccess } from 'lanewise/stream.js';
import type { FetchOptions } from './fetch-options.ts';
import { copy, explained } from './proven.ts';
import { Remote } from './remote.ts';
import { Failure } from '../command.ts';
import type { Output } from '../output/output.ts';
import type { ResizableMeter } from '../progress.ts';

/** The most of an outboard that is held where its server ignores ranges: that of 4 GiB, or with groups of 16 KiB of 64 GiB. */
const MOST_OUTBOARD = 2 ** 28;
const FIRST_PAUSE_MILLISECONDS = 250;
const MOST_PAUSE_MILLISECONDS = 30_000;
const HEADER = 8;
/** A signal ends the process. */
const NEVER = new AbortController().signal;

/** The length of the content that an outboard tells, which nothing has proven; undefined if it tells none, which `verified` says then. */
async function toldLength(outboard: RandomAccess): Promise<number | undefined> {
  const size = typeof outboard.size === 'function' ? await outboard.size(NEVER) : outboard.size;
  if (size < HEADER) return undefined;
  const header = Buffer.from(await outboard.read(0, HEADER, NEVER));
  const length = header.readBigUInt64LE();
  return length <= Number.MAX_SAFE_INTEGER ? Number(length) : undefined;
}

/** An error of the output, after which nothing is tried again. */
class OutputError extends Error {}

/** The bytes are counted when they are written. */
const uncounted = { advance(): void {} };

export class Fetching {
  readonly #options: FetchOptions;
  readonly #file: RandomAccess | undefined;
  readonly #meter: ResizableMeter;
  #tree: RandomAccess | undefined;
  #remotes: readonly Remote[] = [];

  /** @param file - The outboard, if it is a file. */
  constructor(options: FetchOptions, file: RandomAccess | undefined, meter: ResizableMeter) {
    this.#options = options;
    this.#file = file;
    this.#meter = meter;
  }

  /** It stays for other attempts, unless it failed. */
  #outboard(): RandomAccess | undefined {
    const { outboard, timeout } = this.#options;
    return (this.#tree ??= outboard instanceof URL ? new Remote(outboard, timeout, MOST_OUTBOARD) : this.#file);
  }

  /** How many bytes of a part of the content, from its start on, are proven: those of whole groups. */
  async provenIn(part: RandomAccess, size: number): Promise<number> {
    let proven = 0;
    await this.#repeat(
      () => 0,
      async () => {
        proven = 0;
        const outboard = this.#outboard()!;
        const length = (await toldLength(outboard)) ?? 0;
        const source: RandomAccess = { size: length, read: (from, to, signal) => part.read(from, to, signal) };
        const range = { from: 0, to: Math.min(size, length) };
        try {
          const stream = verified(source, this.#options.hash, { ...this.#common(), outboard, range });
          for await (const bytes of stream) proven += bytes.length;
        } catch (error) {
          // Another is about a group that isn't whole, or isn't right: there the servers are asked.
          if (error instanceof Failure) throw error;
        }
      },
    );
    this.#meter.advance(proven);
    return proven;
  }

  /**
   * Writes the content, or its range, from the byte `at` on.
   *
   * @returns where that ends.
   * @throws Failure when no server has the right bytes, or none can be reached.
   */
  async write(at: number, output: Output): Promise<number> {
    const { urls, timeout } = this.#options;
    const counted: Output = {
      write: async (bytes) => {
        await output.write(bytes).catch((error: unknown) => {
          throw new OutputError('the output failed', { cause: error });
        });
        at += bytes.length;
        this.#meter.advance(bytes.length);
      },
    };
    await this.#repeat(
      () => at,
      async () => {
        // Others than those that failed: one may have kept a damaged start of the object, or its former state.
        this.#remotes = urls.map((url) => new Remote(url, timeout));
        await this.#attempt(at, counted);
      },
    );
    return at;
  }

  /** Tries again when a connection fails: as long as there is progress, and without it as often as the options tell. */
  async #repeat(progress: () => number, attempt: () => Promise<void>): Promise<void> {
    for (let failures = 0; ;) {
      const before = progress();
      try {
        await attempt();
        return;
      } catch (error) {
        if (error instanceof OutputError) throw error.cause;
        const tree = this.#tree instanceof Remote ? this.#tree : undefined;
        if (![...this.#remotes, ...(tree ? [tree] : [])].some(({ mayPass }) => mayPass)) throw error;
        if (progress() !== before) failures = 0;
        if (failures++ >= this.#options.retries) throw error;
        if (tree?.mayPass) this.#tree = undefined;
        await sleep(Math.min(MOST_PAUSE_MILLISECONDS, FIRST_PAUSE_MILLISECONDS * 2 ** (failures - 1)));
      }
    }
  }

  #common(): VerifiedOptions {
    const { groupLength } = this.#options;
    return groupLength === undefined ? {} : { groupLength };
  }

  async #attempt(at: number, output: Output): Promise<void> {
    const { hash, range, patience } = this.#options;
    const outboard = this.#outboard();
    const { to } = range;
    const [first, ...sources] = this.#remotes;
    const common = { ...this.#common(), ...(outboard && { outboard }) };
    const explain = (error: unknown): unknown => explained(first.name, outboard !== undefined, error);
    try {
      if (outboard) this.#meter.resize((to ?? (await toldLength(outboard)) ?? 0) - (range.from ?? 0));
      const stream = verified(first, hash, {
        ...common,
        range: { from: at, ...(to !== undefined && { to }) },
        ...(outboard && { sources, ...(patience !== undefined && { patience }) }),
      });
      await copy(stream, explain, output, uncounted);
    } catch (error) {
      const whole = this.#remotes.find((remote) => remote.ignoresRanges);
      // A stream with a range is a slice if it is an encoding.
      if (error instanceof OutputError || !whole || (!outboard && (to !== undefined || at > 0))) throw error;
      const pieces = whole.stream(NEVER);
      const stream = verified(pieces, hash, { ...common, ...(to !== undefined && { range: { to } }) });
      await copy(stream, explain, after(at, output), uncounted);
    }
  }
}

/** Drops the first bytes. */
function after(first: number, output: Output): Output {
  let at = 0;
  return {
    async write(bytes) {
      const dropped = Math.min(bytes.length, Math.max(0, first - at));
      at += bytes.length;
      if (dropped < bytes.length) await output.write(bytes.subarray(dropped));
    },
  };
}
