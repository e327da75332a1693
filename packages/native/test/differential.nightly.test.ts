/** Runs in Node only: random cases on native code against WebAssembly, under AddressSanitizer and UndefinedBehaviorSanitizer. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { compilerHere } from '../src/compiler.ts';
import { lanesHere } from '../src/kernels.ts';
import { addon, compiledWith } from './support/compiled.ts';

const program = join(import.meta.dirname, 'support/differential.ts');

/** The libraries of the sanitizers, which have to be in Node before the addon is: those of GCC on Linux. */
function librariesHere(): readonly string[] {
  const compiler = compilerHere();
  if (process.platform !== 'linux' || !compiler) return [];
  const [command, ...before] = compiler;
  return ['libasan.so', 'libubsan.so'].map((name) =>
    execFileSync(command, [...before, `-print-file-name=${name}`], { encoding: 'utf8' }).trim(),
  );
}
const libraries = librariesHere();
const isHere = addon !== undefined && libraries.length > 0 && libraries.every((file) => existsSync(file));
if (!isHere) console.log('no random cases under sanitizers: they need Linux and GCC with their libraries');

const SANITIZED = ['-O1', '-fsanitize=address,undefined', '-fno-sanitize-recover=all', '-g'];
// LANEWISE_CASES makes it longer; LANEWISE_SEED repeats a run.
const CASES = process.env['LANEWISE_CASES'] ?? '360';
const SEED = process.env['LANEWISE_SEED'] ?? `${Date.now() % 2 ** 31}`;

/** V8 has handlers of its own for faults of WebAssembly, and leaves memory at its end. */
const OPTIONS = 'detect_leaks=0:handle_segv=0:allow_user_segv_handler=1:abort_on_error=0';

describe.skipIf(!isHere).each(addon ? lanesHere(addon) : [])('%i lanes', (lanes) => {
  const run = (flags: readonly string[], cases: string) => {
    const env = { ...process.env, LD_PRELOAD: libraries.join(':'), ASAN_OPTIONS: OPTIONS, NODE_OPTIONS: '' };
    const operands = [program, compiledWith([...SANITIZED, ...flags]), `${lanes}`, SEED, cases];
    const { status, stdout, stderr } = spawnSync(process.execPath, operands, { encoding: 'utf8', env });
    return { status, stdout, stderr };
  };

  test(`random cases are the same as in WebAssembly, and no sanitizer objects: LANEWISE_SEED=${SEED}`, () => {
    const { status, stdout, stderr } = run([], CASES);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain(`${lanes} lanes: ${CASES} cases`);
  });
});
