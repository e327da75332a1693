/** Programs that tests start on loopback, and that end with the test's process however it ends. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Starts the program that the arguments name and waits until its standard input ends, which it does when the test's process
 * does, even by SIGKILL. The first line of its output is the program's process id.
 */
const GUARD = '"$@" </dev/null >"$LOG" 2>&1 & echo $!; cat >/dev/null; kill -s "$STOP" $! 2>/dev/null; wait $!';

/** How long a program may take to start or to stop, in milliseconds: machines of CI are slow. */
const PATIENCE = 60_000;

/** A folder of its own below the system's temporary one. */
export interface TemporaryFolder {
  readonly path: string;
  remove(): void;
}

export function temporaryFolder(): TemporaryFolder {
  const path = mkdtempSync(join(tmpdir(), 'lanewise-cluster-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** A port of loopback that nothing listens at. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

export interface ProgramOptions {
  /** The program and its arguments. */
  readonly command: readonly string[];
  /** Where its output goes. */
  readonly log: string;
  /** Throws as long as the program does not answer. */
  readonly ready: () => Promise<unknown>;
  readonly env?: Readonly<Record<string, string>>;
  /** The signal that ends it in good order: SIGTERM unless given. */
  readonly stopSignal?: 'TERM' | 'INT';
}

export interface Program {
  readonly pid: number;
  /** Its output. */
  log(): string;
  /** Ends it in good order; may be called again. */
  stop(): Promise<void>;
  /** Ends it by SIGKILL, or by another signal that gives it no time. */
  kill(signal?: 'SIGQUIT'): Promise<void>;
}

/** Starts a program and waits until it answers. Throws with its output if it ends before that. */
export async function startProgram({ command, log, ready, env, stopSignal }: ProgramOptions): Promise<Program> {
  const guard = spawn('/bin/sh', ['-c', GUARD, 'sh', ...command], {
    env: { ...process.env, ...env, LOG: log, STOP: stopSignal ?? 'TERM' },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const ended = once(guard, 'exit');
  const [line] = (await once(guard.stdout, 'data')) as [Buffer];
  const pid = Number.parseInt(line.toString());
  guard.stdout.destroy();
  const alive = (): boolean => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  const output = (): string => readFileSync(log, 'utf8');
  const end = async (signal?: 'SIGKILL' | 'SIGQUIT'): Promise<void> => {
    if (signal !== undefined && alive()) process.kill(pid, signal);
    guard.stdin.end();
    const late = setTimeout(() => alive() && process.kill(pid, 'SIGKILL'), PATIENCE);
    await ended;
    clearTimeout(late);
  };
  const deadline = performance.now() + PATIENCE;
  for (;;) {
    try {
      await ready();
      return { pid, log: output, stop: () => end(), kill: (signal) => end(signal ?? 'SIGKILL') };
    } catch (error) {
      if (!alive() || performance.now() > deadline) {
        await end('SIGKILL');
        throw new Error(`${command[0]} did not start:\n${output().slice(-2000)}`, { cause: error });
      }
      await sleep(20);
    }
  }
}
