/** Runs `lanewise`, and b3sum where it is installed, in a folder of their own. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll } from 'vitest';
import { processes } from '../src/disk/process-identity.ts';

export const main = join(dirname(import.meta.dirname), 'src', 'main.ts');
export const folder = mkdtempSync(join(tmpdir(), 'lanewise-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const environment = { ...process.env, NO_COLOR: '1', RUST_BACKTRACE: '0' };

export const KEY = Buffer.from('whats the Elvish word for friend');

/** Bytes that say where they are. */
export const bytes = (length: number): Buffer => Buffer.from(Uint8Array.from({ length }, (_, i) => i % 251));

/** In the folder; the name may be bytes. */
export function file(name: string | Buffer, content: string | Uint8Array): void {
  const path = Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(name)]);
  if (typeof name === 'string' && name.includes('/')) mkdirSync(dirname(path.toString()), { recursive: true });
  writeFileSync(path, content);
}

export interface Result {
  readonly stdout: Buffer;
  readonly stderr: string;
  readonly status: number | null;
}

/** Variables of the environment. */
type Variables = Readonly<Record<string, string>>;

/** Any program. */
export function program(
  path: string,
  values: readonly string[],
  input: string | Uint8Array,
  variables: Variables = {},
): Result {
  const env = { ...environment, ...variables };
  const options = { cwd: folder, input, env, timeout: 60_000, maxBuffer: 2 ** 28 };
  const { stdout, stderr, status, error } = spawnSync(path, values, options);
  // A program need not read all that it is given.
  if (error && (error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
  return { stdout, stderr: stderr.toString(), status };
}

export const lanewise = (
  values: readonly string[],
  input: string | Uint8Array = '',
  variables: Variables = {},
): Result => program(process.execPath, [main, ...values], input, variables);

export const hash = (values: readonly string[], input: string | Uint8Array = ''): Result =>
  lanewise(['hash', ...values], input);

/** `lanewise hash` that takes standard output for a terminal. */
export const hashOnTerminal = (values: readonly string[], input: string | Uint8Array = ''): Result =>
  program(
    process.execPath,
    ['--import', 'data:text/javascript,process.stdout.isTTY = true', main, 'hash', ...values],
    input,
  );

/** Options of `lanewise disk` with sectors so small that there is time to do something meanwhile. */
export const SLOW = ['--cipher=hpolyc', '--rounds=20', '--sector-size=16', '--tweak=index64'];

export const disk = (...values: readonly string[]): Result => lanewise(['disk', ...values]);

/** `lanewise`, in the folder, while the test goes on. */
export const startCommand = (...values: readonly string[]): ChildProcess =>
  spawn(process.execPath, [main, ...values], {
    cwd: folder,
    env: environment,
    stdio: ['ignore', 'ignore', 'pipe'],
  });

export const startDisk = (...values: readonly string[]): ChildProcess => startCommand('disk', ...values);

export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(1);
}

export async function ended(
  child: ChildProcess,
): Promise<{ status: number | null; signal: string | null; stderr: string }> {
  let stderr = '';
  child.stderr!.on('data', (data: Buffer) => (stderr += data.toString()));
  const [status, signal] = (await once(child, 'close')) as [number | null, string | null];
  return { status, signal, stderr };
}

/** The identity of a run of this machine whose process has ended. */
export function identityOfEnded(): string {
  const { pid } = spawnSync(process.execPath, ['--version']);
  return processes.newIdentity().replace(/-\d+-(?=\d+-[^-]*$)/, `-${pid}-`);
}

/** Another b3sum than the one of the path, to compare with several versions. */
export const b3sumProgram = process.env['B3SUM'] ?? 'b3sum';

export const b3sum = (values: readonly string[], input: string | Uint8Array = ''): Result =>
  program(b3sumProgram, values, input);

/** A shell script in the folder; `$@` is the program, and `values` follow. */
export const shell = (script: string, ...values: readonly string[]): Result =>
  program('/bin/sh', ['-c', script, 'sh', ...values], '');

/** Old versions know less: that of Debian 12 is 1.2.0. */
function featuresOf() {
  const asked = spawnSync(b3sumProgram, ['--help'], { encoding: 'utf8' });
  if (asked.error) return undefined;
  const probe = 'probe\r';
  file(probe, '');
  return {
    seek: asked.stdout.includes('--seek'),
    tag: asked.stdout.includes('--tag'),
    warnings: b3sum(['--check'], 'x').stderr.includes('WARNING'),
    carriageReturns: b3sum([probe]).stdout.includes('\\r'),
  };
}

export const features = featuresOf();
if (!features) console.log('SKIPPED: comparisons with b3sum, which is not installed (apt-get install b3sum)');
else {
  const missing = Object.entries(features).flatMap(([name, has]) => (has ? [] : [name]));
  if (missing.length > 0) console.log(`SKIPPED: what this version of b3sum does not know: ${missing.join(', ')}`);
}
