/** A kernel as C, compiled and run by valgrind with undefined memory: a branch or an address that depends on it is an error of memcheck. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Kernel, MapRange } from '../../kernels.ts';
import { randomCalls, type Call } from '../../mutations/calls.ts';
import type { Tools } from './tools.ts';

export interface Checked {
  /** Calls of the kernel's functions. */
  readonly calls: number;
  /** Of the kernel's object code. */
  readonly instructions: number;
  readonly divisions: number;
  /** The share of the C's lines in the kernel's functions that the calls run; each has one instruction or less of WebAssembly. */
  readonly reached: number;
  /** The reports of memcheck, each with the function: no bytes but the kernel's are undefined. */
  readonly errors: readonly string[];
}

/** wasm2c knows no relaxed instructions. Of swizzles only the opcode changes: with indices in range both do the same. */
function withoutRelaxedSwizzles(bytes: Uint8Array): Uint8Array {
  const plain = bytes.slice();
  for (let i = 0; i + 2 < plain.length; i++)
    if (plain[i] === 0xfd && plain[i + 1] === 0x80 && plain[i + 2] === 2) plain.set([0x8e, 0], i + 1);
  return plain;
}

/** Memory that is public although most of it is secret: gcc makes branches of the carry of CTR's counter, which goes up from an IV. */
const PUBLIC: Readonly<Record<string, readonly string[]>> = { 'serpent-ctr': ['COUNTER'] };

const callOf = ({ name, parameters }: Call): string =>
  `CALL(${[name, ...parameters.map((value) => `${value >>> 0}u`)].join(', ')})`;

const ERROR =
  /^==\d+== ((?:Conditional jump|Use of uninitialised|Invalid|Jump to|Process terminating).*)\n(?:==\d+==\s+at 0x[\dA-F]+: (\S+))?/gm;

interface Counted {
  readonly files: readonly {
    readonly lines: readonly { readonly function_name?: string; readonly count: number }[];
  }[];
}

/** The share of lines that the same program runs, as gcov counts them; other compilers get gcc's. */
function reachedBy(folder: string, options: readonly string[]): number {
  const cwd = join(folder, 'counted');
  mkdirSync(cwd);
  execFileSync('gcc', [...options, '--coverage', '-o', 'counted'], { cwd });
  execFileSync(join(cwd, 'counted'), { cwd });
  const text = execFileSync('gcov', ['--json-format', '--stdout', 'counted-kernel.gcda'], { cwd, maxBuffer: 2 ** 28 });
  const lines = (JSON.parse(text.toString()) as Counted).files.flatMap((file) => file.lines);
  const own = lines.filter(({ function_name: name }) => name?.startsWith('w2c_k_'));
  return own.filter(({ count }) => count > 0).length / own.length;
}

export function memchecked(kernel: Kernel, { wasm2c, include }: Tools, compiler: string, times: number): Checked {
  const folder = mkdtempSync(join(tmpdir(), 'memcheck-'));
  const here = (name: string): string => join(folder, name);
  try {
    writeFileSync(here('kernel.wasm'), withoutRelaxedSwizzles(kernel.bytes));
    execFileSync(wasm2c, [here('kernel.wasm'), '-n', 'k', '-o', here('kernel.c')]);
    const calls = [...randomCalls(kernel, times)].map(callOf);
    const isPublic = ({ name }: MapRange): boolean => PUBLIC[kernel.family]?.includes(name) ?? false;
    const known = kernel.map.filter(isPublic).map(({ from, to }) => `DEFINED(${from}, ${to - from})`);
    writeFileSync(here('public.h'), known.join('\n'));
    writeFileSync(here('calls.h'), calls.join('\n'));
    // Bounds are guarded by pages, as in engines: comparing them would be branches that these don't have.
    const options = ['-O2', '-march=x86-64-v2', '-DWASM_RT_USE_MMAP=1', '-DWASM_RT_MEMCHECK_GUARD_PAGES=1', '-w'];
    const compile = [...options, '-I', folder, ...include.flatMap((path) => ['-I', path])];
    execFileSync(compiler, [...compile, '-c', here('kernel.c'), '-o', here('kernel.o')]);
    const harness = join(import.meta.dirname, 'harness.c');
    execFileSync(compiler, [...compile, harness, here('kernel.o'), '-lm', '-o', here('kernel')]);
    const code = execFileSync('objdump', ['-d', '--no-show-raw-insn', here('kernel.o')], { encoding: 'utf8' });
    const { status, stderr } = spawnSync('valgrind', ['--error-limit=no', '--error-exitcode=9', here('kernel')], {
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
    });
    const errors = [...stderr.matchAll(ERROR)].map(([, what, where]) => `${what}: ${where}`);
    if (status !== 0 && errors.length === 0) throw new Error(`${kernel.name} ends with ${status}: ${stderr}`);
    const reached = reachedBy(folder, [...compile, '-O0', here('kernel.c'), harness, '-lm']);
    const instructions = code.match(/^ +[\da-f]+:\t/gm)?.length ?? 0;
    const divisions = code.match(/\ti?div/g)?.length ?? 0;
    return { calls: calls.length, instructions, divisions, reached, errors };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
