/** Programs of others: started in a process group of their own, and ended with all that they started in turn. */
import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';

export interface Program {
  readonly path: string;
  readonly arguments?: readonly string[];
  /** Where it works; without it: the folder of this process. */
  readonly folder?: string;
  /** Environment variables in addition to those of this process. */
  readonly environment?: Readonly<Record<string, string>>;
  /** It has something to put away, and is asked to end before it is made to. */
  readonly askFirst?: boolean;
}

/** How it ended, and the last that it wrote to standard error. */
export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly said: string;
}

export interface Running {
  readonly child: ChildProcess;
  /** When its first process has ended; those that it started may still run. */
  readonly ended: Promise<Ending>;
  /** Ends all of them. Any number of times. */
  stop(): Promise<void>;
}

const PATIENCE_MILLISECONDS = 2000;
const MOST_SAID = 4000;
const MARK = 'LANEWISE_ENGINE';

const windows = process.platform === 'win32';
/** Process groups that must not outlive this process, with the mark of each. */
const groups = new Map<number, string>();
const folders = new Set<string>();

function send(id: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(id, name);
  } catch {
    return false; // there is no such process
  }
}
const sendToGroup = (id: number, name: NodeJS.Signals | 0): boolean => send(windows ? id : -id, name);

/**
 * Those that left the group, as helpers do that wait for crashes: who was started has its mark. Without one: all that this
 * process started.
 */
export function strays(mark = `${MARK}=${process.pid}-`): number[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        return readFileSync(`/proc/${name}/environ`, 'latin1').includes(mark);
      } catch {
        return false; // it has just ended, or belongs to another user
      }
    })
    .map(Number);
}

process.on('exit', () => {
  for (const [id, mark] of groups) {
    sendToGroup(id, 'SIGKILL');
    for (const stray of strays(mark)) send(stray, 'SIGKILL');
  }
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});
// The same when this process is ended from outside, unless another handler does so.
for (const name of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) {
  const end = (_: string, number: number): void => {
    if (process.listenerCount(name) === 1) process.exit(128 + number);
  };
  process.on(name, end);
}

/** Until no process is left, or the time is over. */
async function gone(isThere: () => boolean, milliseconds: number): Promise<boolean> {
  const end = performance.now() + milliseconds;
  while (performance.now() < end) {
    if (!isThere()) return true;
    await after(20);
  }
  return false;
}

/** Rejects if there is no such program, or it cannot be started. */
export async function start(program: Program, stdio: StdioOptions = ['ignore', 'ignore', 'pipe']): Promise<Running> {
  const mark = `${MARK}=${process.pid}-${randomUUID()}`;
  const child = spawn(program.path, program.arguments ?? [], {
    detached: !windows,
    stdio,
    cwd: program.folder,
    env: { ...process.env, ...program.environment, [MARK]: mark.slice(MARK.length + 1) },
  });
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-MOST_SAID)));
  // Not at `close`: that never comes while a process that it started holds standard error.
  const ended = new Promise<Ending>((resolve) => {
    child.once('exit', (code, signal) => {
      setTimeout(() => resolve({ code, signal, said: said.trim() }), 50);
    });
  });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
  const id = child.pid!;
  groups.set(id, mark);

  const isThere = (): boolean => sendToGroup(id, 0);
  const end = async (): Promise<void> => {
    if (program.askFirst) {
      sendToGroup(id, 'SIGTERM');
      await gone(isThere, PATIENCE_MILLISECONDS);
    }
    sendToGroup(id, 'SIGKILL');
    for (const stray of strays(mark)) send(stray, 'SIGKILL');
    await gone(() => isThere() || strays(mark).length > 0, PATIENCE_MILLISECONDS);
    await ended;
    groups.delete(id);
  };
  let ending: Promise<void> | undefined;
  return { child, ended, stop: () => (ending ??= end()) };
}

/** A folder of a session's own. */
export async function temporaryFolder(): Promise<{ readonly path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), `lanewise-engine-${process.pid}-`));
  folders.add(path);
  return {
    path,
    async remove() {
      await rm(path, { recursive: true, force: true, maxRetries: 10 });
      folders.delete(path);
    },
  };
}

/** How a program ended, in words. */
export function inWords({ code, signal, said }: Ending): string {
  const how = signal ? `was ended by ${signal}` : `ended with exit code ${code}`;
  return said ? `${how}: ${said.split('\n').slice(-5).join('\n')}` : how;
}
