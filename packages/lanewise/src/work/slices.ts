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

interface Channel {
  readonly port1: { onmessage: (() => void) | null; close(): void };
  readonly port2: { postMessage(message: number): void };
}
const performance = /* @__PURE__ */ hosted<{ now(): number }>('performance');
const setImmediate = /* @__PURE__ */ hosted<(then: () => void) => unknown>('setImmediate');
const setTimeout = /* @__PURE__ */ hosted<(then: () => void) => unknown>('setTimeout');
const MessageChannel = /* @__PURE__ */ hosted<new () => Channel>('MessageChannel');

const now = (): number => performance()?.now() ?? Date.now();

/**
 * Lets the event loop turn once, which timers and the host's events take part in. Timers are the last choice, because browsers delay
 * timers that follow timers by 4 ms.
 */
export function turn(): Promise<void> {
  const Made = setImmediate() ? undefined : MessageChannel();
  return new Promise((resolve) => {
    if (!Made) return void (setImmediate() ?? setTimeout()!)(resolve);
    const { port1, port2 } = new Made();
    port1.onmessage = () => {
      // An open port keeps some hosts running.
      port1.close();
      resolve();
    };
    port2.postMessage(0);
  });
}

/** When the slice that all calls share is over, how many steps it has left, and whether the event loop has turned since it began. */
let end = 0;
let steps = 0;
let turned = true;

/** Whether the slice is over. The step of work must follow at once: after a microtask many other calls have begun theirs. */
export const sliceIsOver = (): boolean => steps-- <= 0 || now() >= end;

/**
 * Waits until the event loop has turned, before a step of work, one of many that calls do at the same time. Each call waits for a turn
 * of its own: in workerd a request ends with its timers, and nothing of it may keep another request waiting.
 */
export async function breathe(): Promise<void> {
  do {
    const its = end;
    if (!turned) await turn();
    // Many have waited for this turn, and the first of them begins the slice.
    if (end !== its) continue;
    [end, steps, turned] = [now() + SLICE_MS, MOST_STEPS, false];
    void turn().then(() => (turned = true));
  } while (sliceIsOver());
}

/** What the caller may give to work in slices. */
export interface SliceOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: number) => void) | undefined;
}

async function inSlices(steps: Steps, { signal, onProgress }: SliceOptions): Promise<void> {
  for (;;) {
    const until = now() + SLICE_MS;
    let result = step(steps);
    for (let count = 1; !result.done && count < MOST_STEPS && now() < until; count++) result = step(steps);
    onProgress?.(result.done ? 1 : result.value);
    if (result.done) return;
    await turn();
    if (signal?.aborted) throw signal.reason;
  }
}

function* wiping(bytes: Uint8Array, from: number, to: number): Steps {
  for (let at = from; at < to; at += WIPED_BYTES) {
    fillBytes(bytes, 0, at, min(at + WIPED_BYTES, to));
    yield 0;
  }
}

/** Wipes memory that is so long that the event loop turns meanwhile. */
export const wipeInSlices = (bytes: Uint8Array, from: number, to: number): Promise<void> =>
  // Not `{}`: others may have polluted Object.prototype.
  inSlices(wiping(bytes, from, to), { __proto__: null } as SliceOptions);

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
  try {
    await inSlices(steps, options);
  } finally {
    await wipeInSlices(lent.memory, from, to);
  }
}
