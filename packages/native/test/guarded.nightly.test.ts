/** Runs in Node only: native code between pages that can't be read or written, under AddressSanitizer and UndefinedBehaviorSanitizer. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { generate } from '../scripts/generate.ts';
import { kernels } from '../scripts/kernels.ts';
import { flagsOf } from '../src/compile.ts';
import { compilerHere } from '../src/compiler.ts';
import { lanesHere } from '../src/kernels.ts';
import { addon } from './support/compiled.ts';

const folder = mkdtempSync(join(tmpdir(), 'lanewise-guarded-'));
afterAll(() => rmSync(folder, { recursive: true }));

const SANITIZED = ['-fsanitize=address,undefined', '-fno-sanitize-recover=all', '-g'];

/** Whether the compiler has the sanitizers, and programs with them run here. */
function isSanitizerHere(): boolean {
  const [compiler, ...before] = compilerHere() ?? ['false'];
  const [source, program] = [join(folder, 'empty.c'), join(folder, 'empty')];
  writeFileSync(source, 'int main(void) { return 0; }\n');
  const made = spawnSync(compiler, [...before, ...SANITIZED, source, '-o', program], { stdio: 'ignore' });
  return made.status === 0 && spawnSync(program, { stdio: 'ignore' }).status === 0;
}

const isHere = process.platform === 'linux' && addon !== undefined && isSanitizerHere();
if (!isHere) console.log('guard pages and sanitizers are not tested: they need Linux and a compiler that has them');

/** Vectors of 128 bits are the same code as those of 256, and are used in tests only. */
const widths = addon ? lanesHere(addon).filter((lanes) => lanes !== 4) : [];

describe.skipIf(!isHere).each(widths)('%i lanes', (lanes) => {
  const program = join(folder, `guarded-${lanes}`);

  function made(): string {
    if (existsSync(program)) return program;
    const generated = join(folder, `generated-${lanes}`);
    mkdirSync(generated);
    generate(generated);
    const [compiler, ...before] = compilerHere()!;
    const source = join(import.meta.dirname, '../source');
    execFileSync(compiler, [
      ...[...before, '-std=gnu17', '-O1', '-Wno-psabi', ...SANITIZED, ...flagsOf(process.arch, lanes)],
      ...[`-DLANES=${lanes}`, `-DKERNELS=${kernels().length}`, '-I', generated, '-I', source],
      ...[join(import.meta.dirname, 'support/guarded.c'), join(source, 'width.c'), '-o', program],
    ]);
    return program;
  }
  const run = (...operands: readonly string[]) => {
    const { status, stderr } = spawnSync(made(), operands, { encoding: 'utf8' });
    return { status, stderr };
  };

  test('no function reads or writes past its memory, whatever its arguments are, and no behaviour is undefined', () => {
    expect(run()).toEqual({ status: 0, stderr: '' });
  });

  test('a read past the end that is planted is found', () => {
    expect(run('planted').status).not.toBe(0);
  });
});
