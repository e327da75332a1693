/** Runs in Node only: no branch and no address depends on a secret, by valgrind, which knows vectors of up to 256 bits. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { compilerHere } from '../src/compiler.ts';
import { compiledWith } from './support/compiled.ts';

const isHere = process.arch === 'x64' && compilerHere() !== undefined && existsSync('/usr/include/valgrind/memcheck.h');
if (!isHere) console.log('constant time is not tested: it needs valgrind with its headers, a compiler, and x64');

describe.skipIf(!isHere).each([1, 4, 8])('%i lanes', (lanes) => {
  function run(...operands: readonly string[]): number | null {
    const folder = dirname(compiledWith([]));
    const program = join(folder, `secrets-${lanes}`);
    const [compiler, ...before] = compilerHere()!;
    execFileSync(compiler, [
      ...[...before, '-O1', `-DLANES=${lanes}`, '-I', join(folder, 'generated')],
      ...['-I', join(import.meta.dirname, '../source'), join(import.meta.dirname, 'support/secrets.c')],
      ...[join(folder, `width-${lanes}.o`), '-o', program],
    ]);
    return spawnSync('valgrind', ['-q', '--error-exitcode=9', program, ...operands], { stdio: 'ignore' }).status;
  }

  test('nothing depends on keys and messages', () => {
    expect(run()).toBe(0);
  });

  test('a branch that is planted is found', () => {
    expect(run('planted')).toBe(9);
  });
});
