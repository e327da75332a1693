/**
 * The part that runs in the engine that is measured. It needs nothing of Node or of a page, and no clock but the engine's.
 */
import { describe, select } from '../../../lanewise/src/engine.ts';
import { calls, expect, key, KEY_BYTES, message, MESSAGE_BYTES } from './calls.ts';

export interface Plan {
  /** The names of calls. */
  readonly names: readonly string[];
  readonly milliseconds: number;
}

/** Comes before the samples. */
export interface Start {
  /** The smallest step of the clock, in milliseconds. */
  readonly step: number;
  /** The engine of the library that is timed. */
  readonly engine: string;
}

/** Of one call and two classes; times are in nanoseconds. */
export interface Sample {
  readonly name: string;
  readonly classes: ClassesName;
  /** Two times for each pair: class 0 and class 1. */
  readonly times: readonly number[];
  /** So many calls are one time, which is divided by it. */
  readonly calls: number;
}

/** In milliseconds, as clocks of engines are. */
export interface Clock {
  readonly now: () => number;
  /** Its smallest step. */
  readonly step: number;
}

const LENGTH = KEY_BYTES + MESSAGE_BYTES;
/** So many inputs of each class, so that one that was drawn badly says little. */
const INPUTS = 256;
/** Of these, so many take turns within one time, or a processor would learn the branches of one. */
const STAGED = 64;
const LEAST_PAIRS = 200;
const MOST_PAIRS = 60_000;

/** From this step on, in milliseconds, a time begins and ends where the clock changes; finer clocks change too soon to wait for it. */
const COARSE = 0.001;
/** The least that is timed, in milliseconds, so that the clock's error is small beside it. */
const leastOf = (step: number): number => (step < COARSE ? 20 * step : Math.max(step, 0.1));

const drawn = (count: number): number => Math.floor(Math.random() * count);

type Class = () => Uint8Array;
const random: Class = () => new Uint8Array(LENGTH).map(() => drawn(256));
/** Words with these top bits, whichever end of a word comes first. */
const topped =
  (bits: number): Class =>
  () =>
    random().map((byte, i) => (i % 4 === 0 || i % 4 === 3 ? bits | (byte & 0x3f) : byte));
const fixed = random();

/** Below 2^30, against 2^31 to 2^31 + 2^30 - 1: as signed integers, too, the latter fit no 31 bits. */
const CLASSES = {
  'top bits': [topped(0), topped(0x80)],
  'fixed, random': [() => fixed.slice(), random],
  'random, random': [random, random],
} as const satisfies Record<string, readonly [Class, Class]>;
export type ClassesName = keyof typeof CLASSES;

export function clockOf(now: () => number): Clock {
  let step = Infinity;
  let before = now();
  for (let changes = 0, readings = 0; changes < 50 || readings < 20_000; readings++) {
    const at = now();
    if (at === before) continue;
    step = Math.min(step, at - before);
    before = at;
    changes++;
  }
  return { now, step };
}

/** How long `work` takes, in milliseconds. */
type Stopwatch = (work: () => void) => number;

function stopwatchOf({ now, step }: Clock): Stopwatch {
  if (step < COARSE)
    return (work) => {
      const start = now();
      work();
      return now() - start;
    };
  /** When the clock next changes, and how often it was read until then. */
  const change = (): readonly [at: number, readings: number] => {
    const before = now();
    for (let readings = 1; ; readings++) {
      const at = now();
      if (at !== before) return [at, readings];
    }
  };
  change();
  const counts = Array.from({ length: 20 }, () => change()[1]).sort((x, y) => x - y);
  const reading = step / counts[10];
  return (work) => {
    const [start] = change();
    work();
    const [end, readings] = change();
    return end - start - readings * reading;
  };
}

/** The last result, so that no call can be left out. */
let kept: unknown;

/** Times one call, with the two classes in pairs, whose order is drawn. */
export function measured(
  name: string,
  classes: ClassesName,
  clock: Clock,
  milliseconds: number,
  run: () => unknown = calls[name],
): Sample {
  const { now, step } = clock;
  const stopwatch = stopwatchOf(clock);
  const least = leastOf(step);
  const inputs = CLASSES[classes].map((one) => Array.from({ length: INPUTS }, one));
  // A comparison that stops at a difference would stop at once for both classes if this were zeros.
  expect(fixed.subarray(KEY_BYTES));
  // In the same place for both classes: copies take longer from some places than from others.
  const staged = Array.from({ length: STAGED }, () => new Uint8Array(LENGTH));
  const keys = staged.map((input) => input.subarray(0, KEY_BYTES));
  const messages = staged.map((input) => input.subarray(KEY_BYTES));
  let count = 1;
  const work = (): void => {
    for (let i = 0; i < count; i++) {
      key.set(keys[i % STAGED]);
      message.set(messages[i % STAGED]);
      kept = run();
    }
  };
  const timed = (which: number): number => {
    for (let i = 0; i < Math.min(count, STAGED); i++) staged[i].set(inputs[which][drawn(INPUTS)]);
    return stopwatch(work);
  };
  const warm = now() + 0.3 * milliseconds;
  for (let i = 0; now() < warm || i < 10; i++) if (timed(0) + timed(1) < 2 * least) count *= 2;

  const times: number[] = [];
  const end = now() + milliseconds;
  while (times.length < 2 * MOST_PAIRS && (now() < end || times.length < 2 * LEAST_PAIRS)) {
    const first = drawn(2);
    const x = timed(first);
    const y = timed(1 - first);
    times.push(...(first === 0 ? [x, y] : [y, x]));
  }
  return { name, classes, times: times.map((time) => Math.round((1e7 * time) / count) / 10), calls: count };
}

/** All that is to be said of a plan, on the `js` engine. */
export function* said({ names, milliseconds }: Plan, now: Clock['now']): Generator<Start | Sample> {
  select('js');
  const clock = clockOf(now);
  yield { step: clock.step, engine: describe().engine };
  for (const name of names)
    for (const classes of Object.keys(CLASSES) as ClassesName[]) yield measured(name, classes, clock, milliseconds);
  if (kept === undefined) throw new Error('nothing was timed');
}
