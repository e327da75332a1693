/** Long work on the caller's thread, in slices between which the event loop turns. */
import type { Memory } from '../calls/lifetime.ts';
import { fillBytes, getPrototypeOf, hosted, min, uncurried } from '../engine/intrinsics.ts';

/** Work in short steps; each yields the part that is done. */
export type Steps = Generator<number, void>;

/** `next` of all generators: does one step. */
export const step = /* @__PURE__ */ uncurried<Steps, [], IteratorResult<number, void>>(
  // eslint-disable-next-line @typescript-eslint/unbound-method -- uncurried takes methods without their objects
  () => (getPrototypeOf(function* (): Steps {}) as { readonly prototype: Steps }).prototype.next,
);

/** Does all steps at once. */
export function allSteps(steps: Steps): void {
  while (!step(steps).done);
}

/** How long a slice is, by the clock, and the most steps that it has where the clock stands still while code runs. */
const SLICE_MS = 8;
const MOST_STEPS = 256;
/** The bytes that are wiped in one step. */
const WIPED_BYTES = 0x10_0000;

/** Ends a slice: lets the event loop turn, which timers and the host's events take part in. */
export interface Turns {
  next(): Promise<void>;
  end(): void;
}
interface Channel {
  readonly port1: { onmessage: (() => void) | null; close(): void };
  readonly port2: { postMessage(message: number): void };
}
const performance = /* @__PURE__ */ hosted<{ now(): number }>('performance');
const setImmediate = /* @__PURE__ */ hosted<(then: () => void) => unknown>('setImmediate');
const setTimeout = /* @__PURE__ */ hosted<(then: () => void) => unknown>('setTimeout');
const MessageChannel = /* @__PURE__ */ hosted<new () => Channel>('MessageChannel');

function clock(): () => number {
  const its = performance();
  return its ? () => its.now() : Date.now;
}

/** Tasks of the host. Timers are the last choice, because browsers delay timers that follow timers by 4 ms. */
export function turns(): Turns {
  const Made = setImmediate() ? undefined : MessageChannel();
  if (!Made) {
    const soon = setImmediate() ?? setTimeout()!;
    return { next: () => new Promise((resolve) => soon(resolve)), end() {} };
  }
  const { port1, port2 } = new Made();
  return {
    next: () =>
      new Promise((resolve) => {
        port1.onmessage = () => resolve();
        port2.postMessage(0);
      }),
    // An open port keeps some hosts running.
    end: () => port1.close(),
  };
}

/** What the caller may give to work in slices. */
export interface SliceOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: number) => void) | undefined;
}

async function inSlices(steps: Steps, its: Turns, { signal, onProgress }: SliceOptions): Promise<void> {
  const now = clock();
  for (;;) {
    const end = now() + SLICE_MS;
    let result = step(steps);
    for (let count = 1; !result.done && count < MOST_STEPS && now() < end; count++) result = step(steps);
    onProgress?.(result.done ? 1 : result.value);
    if (result.done) return;
    await its.next();
    if (signal?.aborted) throw signal.reason;
  }
}

function* wiping({ memory }: Memory, from: number, to: number): Steps {
  for (let at = from; at < to; at += WIPED_BYTES) {
    fillBytes(memory, 0, at, min(at + WIPED_BYTES, to));
    yield 0;
  }
}

/**
 * Lends memory to steps that are done in slices, as `lend` does to a call. Afterwards it is wiped between two addresses, whether
 * the steps end, throw, or are aborted: when the promise is settled, that is done, too.
 */
export async function lendInSlices(
  lent: Memory,
  from: number,
  to: number,
  steps: Steps,
  options: SliceOptions,
): Promise<void> {
  const its = turns();
  try {
    await inSlices(steps, its, options);
  } finally {
    // Not `{}`: others may have polluted Object.prototype.
    await inSlices(wiping(lent, from, to), its, { __proto__: null } as SliceOptions);
    its.end();
  }
}
