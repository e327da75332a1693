/** Compiles the addon: with the compiler of this machine, or for another system with zig. */
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of this package: the same from src/ and from dist/. */
export const root = fileURLToPath(new URL('..', import.meta.url));
const source = join(root, 'source');

/** The flags of each width, by the architecture as `process.arch` names it. */
const WIDTHS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  x64: {
    1: [],
    4: ['-mssse3'],
    8: ['-mavx2', '-maes'],
    16: ['-maes', '-mavx512f', '-mavx512vl', '-mavx512bw', '-mavx512dq', '-mprefer-vector-width=512'],
  },
  arm64: { 1: [], 4: [] },
};
const widthsOf = (arch: string): Readonly<Record<string, readonly string[]>> => WIDTHS[arch] ?? { 1: [] };

/** The flags for the instructions of a width. */
export const flagsOf = (arch: string, lanes: number): readonly string[] => widthsOf(arch)[lanes];

export interface Compilation {
  /** The compiler, and arguments that come before all others, such as a target. */
  readonly compiler: readonly string[];
  readonly arch: string;
  /** The folder with the generated headers. */
  readonly generated: string;
  /** The folder for compiled files, and the addon. */
  readonly folder: string;
  readonly addon: string;
  /** Additional flags of the compiler, and those of the linker. */
  readonly flags?: readonly string[];
  readonly linked?: readonly string[];
}

const FLAGS = [
  ...['-std=gnu17', '-O3', '-fPIC', '-fvisibility=hidden', '-fno-math-errno', '-fstack-protector-strong'],
  ...['-Wall', '-Wextra', '-Wno-psabi', '-DNDEBUG'],
];

/** Compiles one file, and returns the name of the object. */
function compiled(its: Compilation, file: string, name: string, flags: readonly string[]): string {
  const [compiler, ...before] = its.compiler;
  const object = join(its.folder, `${name}.o`);
  // Paths of this machine stay out of the object, and two builds are the same bytes.
  const map = `-ffile-prefix-map=${root}=.`;
  const include = ['-I', its.generated, '-I', source];
  execFileSync(
    compiler,
    [...before, ...FLAGS, map, ...(its.flags ?? []), ...flags, ...include, '-c', join(source, file), '-o', object],
    { stdio: ['ignore', 'inherit', 'inherit'] },
  );
  return object;
}

/** Compiles the addon, and returns its path. */
export function compile(its: Compilation): string {
  mkdirSync(its.folder, { recursive: true });
  const objects = [
    ...Object.entries(widthsOf(its.arch)).map(([lanes, flags]) =>
      compiled(its, 'width.c', `width-${lanes}`, [`-DLANES=${lanes}`, ...flags]),
    ),
    compiled(its, 'widths.c', 'widths', []),
    compiled(its, 'addon.c', 'addon', []),
  ];
  const [compiler, ...before] = its.compiler;
  const addon = join(its.folder, its.addon);
  execFileSync(compiler, [...before, '-shared', '-o', addon, ...objects, ...(its.linked ?? ['-s'])], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return addon;
}
