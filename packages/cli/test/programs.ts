/** Runs `lanewise hash`, and b3sum where it is installed, in a folder of their own. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll } from 'vitest';

export const main = join(dirname(import.meta.dirname), 'src', 'main.ts');
export const folder = mkdtempSync(join(tmpdir(), 'lanewise-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

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

function run(program: string, values: readonly string[], input: string | Uint8Array): Result {
  const env = { ...process.env, NO_COLOR: '1', RUST_BACKTRACE: '0' };
  const options = { cwd: folder, input, env, timeout: 60_000, maxBuffer: 2 ** 28 };
  const { stdout, stderr, status, error } = spawnSync(program, values, options);
  // A program need not read all that it is given.
  if (error && (error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
  return { stdout, stderr: stderr.toString(), status };
}

export const lanewise = (values: readonly string[], input: string | Uint8Array = ''): Result =>
  run(process.execPath, [main, ...values], input);

export const hash = (values: readonly string[], input: string | Uint8Array = ''): Result =>
  lanewise(['hash', ...values], input);

/** Another b3sum than the one of the path, to compare with several versions. */
export const b3sumProgram = process.env['B3SUM'] ?? 'b3sum';

export const b3sum = (values: readonly string[], input: string | Uint8Array = ''): Result =>
  run(b3sumProgram, values, input);

/** A shell script in the folder; `$@` is the program, and `values` follow. */
export const shell = (script: string, ...values: readonly string[]): Result =>
  run('/bin/sh', ['-c', script, 'sh', ...values], '');

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
