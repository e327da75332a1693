/** A progress line for long files, on terminals: name, bar, percentage, bytes, speed, time left. */
import type { Options, Params, SingleBar } from 'cli-progress';
import { ENDING_SIGNALS } from './signals.ts';

export interface Meter {
  /** A file begins; `size` in bytes where it is known. */
  start(name: string, size: number | undefined): void;
  advance(bytes: number): void;
  /** The file has ended: its line is erased. */
  stop(): void;
}

/** A meter of something whose size is known later than its start. */
export interface ResizableMeter extends Meter {
  resize(size: number): void;
}

/** Files that take less time are not shown. */
const PATIENCE_MILLISECONDS = 500;
/** The speed is averaged over about this time. */
const MEMORY_MILLISECONDS = 3000;
const FRAMES_PER_SECOND = 10;
const BAR = 24;
/** The greatest width of the bar, which also takes no more than a third of the line. */
const NAME = 28;
const UNKNOWN = '?';

const COLOUR = '\x1b[36m';
const NO_COLOUR = '\x1b[39m';

/** The part of `process.stderr` that the progress line uses. */
export type Screen = NodeJS.WritableStream & {
  readonly isTTY?: boolean;
  readonly columns?: number;
  hasColors(): boolean;
};

export interface MeterOptions {
  /** Whether a signal restores the terminal and ends the process; otherwise that is the caller's task. */
  readonly endsProcess?: boolean;
}

export function meterOn(stream: Screen, { endsProcess = true }: MeterOptions = {}): ResizableMeter {
  if (!stream.isTTY || process.env['TERM'] === 'dumb') return { start() {}, advance() {}, resize() {}, stop() {} };
  return new TerminalMeter(stream, endsProcess);
}

class TerminalMeter implements ResizableMeter {
  readonly #stream: Screen;
  readonly #signals: readonly NodeJS.Signals[];
  #name = '';
  #size: number | undefined;
  #done = 0;
  #since = 0;
  #shownAt = 0;
  #shownDone = 0;
  #speed = 0;
  /** Counts files, so that a bar that is loaded late is not shown for the next file. */
  #file = 0;
  #loading = false;
  #bar: SingleBar | undefined;

  constructor(stream: Screen, endsProcess: boolean) {
    this.#stream = stream;
    this.#signals = endsProcess ? ENDING_SIGNALS : [];
  }

  start(name: string, size: number | undefined): void {
    this.#name = name;
    this.#size = size;
    this.#done = 0;
    this.#since = performance.now();
  }

  advance(bytes: number): void {
    this.#done += bytes;
    const now = performance.now();
    if (this.#bar) {
      if (now - this.#shownAt >= 1000 / FRAMES_PER_SECOND) this.#update(now);
    } else if (!this.#loading && now - this.#since > PATIENCE_MILLISECONDS && this.#done !== this.#size) {
      this.#loading = true;
      const file = this.#file;
      // Loaded on demand: most runs show no bar.
      void import('cli-progress').then(({ default: { SingleBar } }) => {
        if (file === this.#file) this.#show(new SingleBar(this.#options()));
      });
    }
  }

  resize(size: number): void {
    if (size === this.#size) return;
    this.#size = size;
    this.#bar?.setTotal(size);
  }

  stop(): void {
    this.#file++;
    this.#loading = false;
    if (!this.#bar) return;
    this.#bar.stop();
    this.#bar = undefined;
    for (const signal of this.#signals) process.off(signal, this.#leave);
  }

  #show(bar: SingleBar): void {
    this.#bar = bar;
    for (const signal of this.#signals) process.on(signal, this.#leave);
    const now = performance.now();
    this.#speed = this.#done / (now - this.#since);
    [this.#shownAt, this.#shownDone] = [now, this.#done];
    bar.start(this.#size ?? 0, this.#done, this.#payload());
  }

  #update(now: number): void {
    const passed = now - this.#shownAt;
    const weight = 1 - Math.exp(-passed / MEMORY_MILLISECONDS);
    this.#speed += weight * ((this.#done - this.#shownDone) / passed - this.#speed);
    [this.#shownAt, this.#shownDone] = [now, this.#done];
    this.#bar?.update(this.#done, this.#payload());
  }

  #payload(): Payload {
    return { name: this.#name, speed: this.#speed * 1000, size: this.#size };
  }

  #options(): Options {
    // `styleText` obeys NO_COLOR and knows which terminals have colours.
    const coloured = this.#stream.hasColors();
    return {
      stream: this.#stream,
      fps: FRAMES_PER_SECOND,
      barsize: BAR,
      barCompleteChar: '#',
      barIncompleteChar: '-',
      hideCursor: true,
      clearOnComplete: true,
      format: (options, params, payload: Payload) =>
        progressLine(options, params, payload, this.#stream.columns || 80, coloured),
    };
  }

  /** Restores the terminal, then ends the process by the same signal, because shells look at how a process ended. */
  readonly #leave = (signal: NodeJS.Signals): void => {
    this.stop();
    process.kill(process.pid, signal);
  };
}

interface Payload {
  readonly name: string;
  /** Bytes a second. */
  readonly speed: number;
  readonly size: number | undefined;
}

function progressLine(options: Options, params: Params, payload: Payload, width: number, coloured: boolean): string {
  const { name, size, speed } = payload;
  const done = params.value;
  const rate = speed > 0 ? `${bytes(speed)}/s` : UNKNOWN;
  const label = shortened(name, Math.min(NAME, Math.floor(width / 3)));
  if (size === undefined) return clip([label, bytes(done), rate], width);

  const part = size > 0 ? Math.min(1, done / size) : 1;
  const left = speed > 0 ? duration(Math.max(0, size - done) / speed) : UNKNOWN;
  // Rounded down, so that 100 % appears only when the file is done.
  const [percent, amount, time] = [`${Math.floor(100 * part)} %`, `${bytes(done)} of ${bytes(size)}`, `${left} left`];
  const facts = [percent, amount, rate, time];
  const filled = Math.round(BAR * part);
  const bar = `[${options.barCompleteString!.slice(0, filled)}${options.barIncompleteString!.slice(0, BAR - filled)}]`;
  const withBar = [label, bar, ...facts];
  if (clip(withBar, Infinity).length >= width) {
    // Whole facts, those that say most, because a number that is cut off is another number.
    const shorter = [
      [label, ...facts],
      [label, percent, rate, time],
      [label, percent, time],
      [percent, time],
    ];
    return clip(shorter.find((each) => clip(each, Infinity).length < width) ?? [percent], width);
  }
  // Colours are added last, because escape sequences have no width.
  return clip(coloured ? [label, `${COLOUR}${bar}${NO_COLOUR}`, ...facts] : withBar, Infinity);
}

/** A line that wrapped could not be erased. */
const clip = (parts: readonly string[], width: number): string => parts.join('  ').slice(0, Math.max(0, width - 1));

/** Shortens a path at its start, because its end says more. */
function shortened(name: string, most: number): string {
  const letters = Array.from(name);
  return letters.length <= most ? name : `…${letters.slice(1 - most).join('')}`;
}

function bytes(count: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];
  let unit = 0;
  for (; count >= 1024 && unit < units.length - 1; unit++) count /= 1024;
  return `${unit > 0 && count < 100 ? count.toFixed(1) : Math.round(count)} ${units[unit]}`;
}

function duration(seconds: number): string {
  const whole = Math.ceil(seconds);
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  if (parts[0] === 0) parts.shift();
  return parts.map((part, i) => (i > 0 ? String(part).padStart(2, '0') : String(part))).join(':');
}
