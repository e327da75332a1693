/** The log of a worker: lines of text and JSON, at each level. */
import type { LogLine } from '@lanewise/cluster';
import { describe, expect, it } from 'vitest';
import { queueFrom } from '../src/cluster/queue.ts';
import { logLine, WorkerLog, type Level } from '../src/cluster/worker-log.ts';

const PASSWORD = 'p%40ss%2Fword-7f31';
const SECRET_QUEUE = `rediss://somebody:${PASSWORD}@queue.example:6380/3?token=hidden-19ac`;

describe('log lines', () => {
  const queue = queueFrom({ queue: SECRET_QUEUE });
  const time = new Date(0);
  it('as text: one line, nothing that a terminal obeys', () => {
    const facts = { kind: 'blake3-leaf', source: 's3://b/\x1b[31mk\n', offset: 1024, length: 2048, job: 'j' };
    expect(logLine({ time, event: 'completed', milliseconds: 7, attempt: 1, ...facts }, queue, false)).toBe(
      '1970-01-01T00:00:00.000Z completed blake3-leaf, s3://b/\\u{1b}[31mk\\n, 2048 bytes at 1024, 7 ms, job j\n',
    );
    expect(logLine({ time, event: 'failed', attempt: 2, error: `${PASSWORD}\nx` }, queue, false)).toBe(
      '1970-01-01T00:00:00.000Z failed attempt 2: ***\\nx\n',
    );
    expect(logLine({ time, event: 'ready' }, queue, false)).toBe('1970-01-01T00:00:00.000Z ready\n');
  });

  it('without a range where nothing is read: leaves have read it', () => {
    const line = { time, event: 'completed', kind: 'blake3-root', source: 's3://b/k', offset: 0, length: 0 } as const;
    expect(logLine(line, queue, false)).toBe('1970-01-01T00:00:00.000Z completed blake3-root, s3://b/k\n');
  });

  it('as JSON: one line', () => {
    const text = logLine({ time, event: 'error', error: `a\n${SECRET_QUEUE}` }, queue, true);
    expect(text).toBe(
      `{"time":"1970-01-01T00:00:00.000Z","level":"error","event":"error","error":"a\\n${queue.shown}"}\n`,
    );
  });

  describe('of a work with many jobs', () => {
    const at = (seconds: number): Date => new Date(seconds * 1000);
    const jobs = (): readonly LogLine[] => [
      { time: at(0), event: 'ready' },
      { time: at(1), event: 'started', job: 'blake3-a.0', kind: 'blake3-leaf', source: 's3://b/k', length: 100 },
      { time: at(1), event: 'started', job: 'blake3-a.1', kind: 'blake3-leaf', source: 's3://b/k', length: 50 },
      { time: at(2), event: 'completed', job: 'blake3-a.0', kind: 'blake3-leaf', source: 's3://b/k', length: 100 },
      { time: at(2), event: 'failed', job: 'blake3-a.1', kind: 'blake3-leaf', source: 's3://b/k', error: 'odd' },
      { time: at(3), event: 'started', job: 'blake3-a.1', kind: 'blake3-leaf', source: 's3://b/k', length: 50 },
      { time: at(4), event: 'completed', job: 'blake3-a.1', kind: 'blake3-leaf', source: 's3://b/k', length: 50 },
      { time: at(5), event: 'started', job: 'blake3-a', kind: 'blake3-root', source: 's3://b/k', length: 0 },
      { time: at(6), event: 'completed', job: 'blake3-a', kind: 'blake3-root', source: 's3://b/k', length: 0 },
    ];
    const told = (level: Level, lines: readonly LogLine[], idleAt?: Date): string[] => {
      const texts: string[] = [];
      const log = new WorkerLog(level, queue, false, (text) => texts.push(text.slice(11, -1)));
      for (const line of lines) log.add(line);
      if (idleAt) log.tellIdle(idleAt);
      return texts;
    };

    it('usually: where it begins, what fails, and a summary', () => {
      expect(told('info', jobs())).toEqual([
        '00:00:00.000Z ready',
        '00:00:01.000Z begun s3://b/k, job blake3-a',
        '00:00:02.000Z failed blake3-leaf, s3://b/k, job blake3-a.1: odd',
        '00:00:06.000Z worked s3://b/k, 3 jobs, 150 bytes, 5000 ms, job blake3-a',
      ]);
    });

    it('at other levels: less, or each job', () => {
      expect(told('error', jobs())).toEqual(['00:00:02.000Z failed blake3-leaf, s3://b/k, job blake3-a.1: odd']);
      const all = told('debug', jobs());
      expect(all).toHaveLength(jobs().length + 2);
      expect(all[2]).toBe('00:00:01.000Z started blake3-leaf, s3://b/k, job blake3-a.0');
    });

    it('a summary comes also where another worker has its last job, or this one stops', () => {
      const part = jobs().slice(0, -2);
      const summary = 'worked s3://b/k, 2 jobs, 150 bytes';
      expect(told('info', part, at(63))).not.toContainEqual(expect.stringContaining(summary));
      expect(told('info', part, at(64)).at(-1)).toContain(summary);
      // Not as long as one runs.
      expect(told('info', jobs().slice(0, -1), at(600))).not.toContainEqual(expect.stringContaining('worked'));
      expect(told('info', [...part, { time: at(9), event: 'stopped' }]).at(-2)).toContain(summary);
    });
  });
});
