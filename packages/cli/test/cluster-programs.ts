/** `lanewise worker` and callers over a queue, while a test goes on. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { quoted } from './age-programs.ts';
import { folder, main } from './programs.ts';

export type Variables = Readonly<Record<string, string>>;

const started: ChildProcess[] = [];

export interface Running {
  readonly child: ChildProcess;
  stdout(): string;
  stderr(): string;
  /** Waits until a pattern is in the output of either kind. Throws if the program ends before. */
  shows(pattern: RegExp): Promise<RegExpExecArray>;
  /** Waits until it ends. */
  ended(): Promise<{ readonly status: number | null; readonly signal: NodeJS.Signals | null }>;
}

function running(child: ChildProcess): Running {
  started.push(child);
  let [stdout, stderr] = ['', ''];
  child.stdout?.on('data', (data: Buffer) => (stdout += data.toString()));
  child.stderr?.on('data', (data: Buffer) => (stderr += data.toString()));
  const end = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
  return {
    child,
    stdout: () => stdout,
    stderr: () => stderr,
    async shows(pattern) {
      for (;;) {
        const found = pattern.exec(stdout) ?? pattern.exec(stderr);
        if (found) return found;
        if (child.exitCode !== null || child.signalCode !== null)
          throw new Error(`ended without ${String(pattern)}:\n${stdout}${stderr}`);
        await sleep(10);
      }
    },
    async ended() {
      const [status, signal] = await end;
      return { status, signal };
    },
  };
}

/** `lanewise` in the folder of the tests. */
export const start = (values: readonly string[], variables: Variables): Running =>
  running(
    spawn(process.execPath, [main, ...values], {
      cwd: folder,
      env: { ...process.env, NO_COLOR: '1', ...variables },
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  );

/** `lanewise` at a terminal of its own; bytes for its standard input are typed. */
export const startAtTerminal = (values: readonly string[], variables: Variables): Running =>
  running(
    spawn('script', ['-qec', `exec ${[process.execPath, main, ...values].map(quoted).join(' ')}`, '/dev/null'], {
      cwd: folder,
      env: { ...process.env, NO_COLOR: '1', TERM: 'xterm', ...variables },
      stdio: ['pipe', 'pipe', 'pipe'],
    }),
  );

/** A worker that has said that it is ready. */
export async function startWorker(values: readonly string[], variables: Variables): Promise<Running> {
  const worker = start(['worker', ...values], variables);
  await worker.shows(/ ready$|"event":"ready"/m);
  return worker;
}

/** Ends the programs that a test has left. */
export function stopAll(): void {
  for (const child of started) if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
}
