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
    // Clang rotates by whole bytes in two instructions unless it tunes for a processor that has AVX2.
    8: ['-mavx2', '-maes', '-mtune=haswell'],
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
  // GCC would put pairs of words into a vector for one store, and wait for it where Poly1305 needs them again at once.
  '-fno-tree-slp-vectorize',
  ...['-Wall', '-Wextra', '-Wno-psabi', '-DNDEBUG'],
];

/** Commands, each a program with its arguments, and the path of the addon that they make. */
export interface Commands {
  readonly commands: readonly (readonly string[])[];
  readonly addon: string;
}

/** The commands that compile the addon. */
export function compilation(its: Compilation): Commands {
  // Paths of this machine stay out of the objects, and two builds are the same bytes.
  const map = `-ffile-prefix-map=${root}=.`;
  const before = [...its.compiler, ...FLAGS, map, ...(its.flags ?? [])];
  const include = ['-I', its.generated, '-I', source];
  const objectOf = (name: string): string => join(its.folder, `${name}.o`);
  const compiled = (file: string, name: string, flags: readonly string[]): readonly string[] => [
    ...[...before, ...flags, ...include],
    ...['-c', join(source, file), '-o', objectOf(name)],
  ];
  const widths = Object.entries(widthsOf(its.arch));
  const objects = [...widths.map(([lanes]) => `width-${lanes}`), 'widths', 'addon'].map(objectOf);
  const addon = join(its.folder, its.addon);
  const commands = [
    ...widths.map(([lanes, flags]) => compiled('width.c', `width-${lanes}`, [`-DLANES=${lanes}`, ...flags])),
    compiled('widths.c', 'widths', []),
    compiled('addon.c', 'addon', []),
    [...its.compiler, '-shared', '-o', addon, ...objects, ...(its.linked ?? ['-s'])],
  ];
  return { commands, addon };
}

/** Compiles the addon, and returns its path. */
export function compile(its: Compilation): string {
  mkdirSync(its.folder, { recursive: true });
  const { commands, addon } = compilation(its);
  for (const [program, ...operands] of commands)
    execFileSync(program, operands, { stdio: ['ignore', 'inherit', 'inherit'] });
  return addon;
}
