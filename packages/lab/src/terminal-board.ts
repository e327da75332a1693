/**
 * The progress of a run: on a terminal one row for each engine, rewritten in place; elsewhere a plain line for each
 * event.
 */
import { styleText } from 'node:util';
import { createLogUpdate } from 'log-update';
import { printable } from './results/names.ts';

export type State = 'waiting' | 'running' | 'done' | 'failed' | 'missing';

export interface BoardRow {
  readonly name: string;
  readonly state: State;
  readonly sessions: readonly [done: number, of: number];
  /** The share of the running session that is done, from 0 to 1. */
  readonly share: number;
  /** The engine's present activity, or the reason why it does not run. */
  readonly remark: string;
}

export interface Board {
  show(rows: readonly BoardRow[], below: string): void;
  /** A line for logs; a terminal does not show it, because the rows contain it. */
  log(line: string): void;
  /** Shows a lasting line above the rows. */
  say(line: string): void;
  /** Ends the board, and leaves the rows as they are. */
  end(): void;
}

/** The part of `process.stderr` that a board needs. */
export type Screen = NodeJS.WriteStream;
const FRAME_MILLISECONDS = 100;
const BAR = 12;

export function boardOn(stream: Screen): Board {
  if (!stream.isTTY || process.env['TERM'] === 'dumb') {
    const line = (text: string): void => void stream.write(`${printable(text)}\n`);
    return { show() {}, log: line, say: line, end() {} };
  }
  const update = createLogUpdate(stream);
  let shownAt = -Infinity;
  let latest = '';
  let timer: NodeJS.Timeout | undefined;
  const draw = (): void => {
    timer = undefined;
    shownAt = performance.now();
    update(latest);
  };
  return {
    show(rows, below) {
      latest = frame(rows, below, stream);
      timer ??= setTimeout(draw, Math.max(0, shownAt + FRAME_MILLISECONDS - performance.now()));
    },
    log() {},
    say(line) {
      update.clear();
      stream.write(`${printable(line)}\n`);
      if (latest) update(latest);
    },
    end() {
      clearTimeout(timer);
      update(latest);
      update.done();
    },
  };
}

const MARKS = {
  waiting: ['·', 'dim'],
  running: ['▸', 'cyan'],
  done: ['✓', 'green'],
  failed: ['✗', 'red'],
  missing: ['-', 'dim'],
} as const;

/** The rows as a terminal shows them; exported for tests. */
export function frame(rows: readonly BoardRow[], below: string, stream: Screen): string {
  const name = Math.max(...rows.map((row) => row.name.length), 0);
  const width = stream.columns || 80;
  const lines = rows.map((row) => {
    const [mark, colour] = MARKS[row.state];
    const [done, of] = row.sessions;
    const sessions = row.state === 'missing' ? '' : `${done} of ${of}`;
    const before = ` ${row.name.padEnd(name)}  ${sessions.padStart(7)}  `;
    const bar = row.state === 'running' ? `${barOf(row.share)}  ` : '';
    const remark = printable(row.remark)
      .replaceAll(/\s+/g, ' ')
      .slice(0, Math.max(0, width - before.length - bar.length - 2));
    const style = (format: Parameters<typeof styleText>[0], text: string): string =>
      styleText(format, text, { stream });
    return style(colour, mark) + before + style('cyan', bar) + style('dim', remark);
  });
  return [...lines, below].join('\n');
}

function barOf(share: number): string {
  const full = Math.round(BAR * Math.min(1, Math.max(0, share)));
  return '━'.repeat(full) + '╌'.repeat(BAR - full);
}
