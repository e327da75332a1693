/** The addon of this system: of the package for its platform, or one that was compiled beside the sources. */
import { createRequire } from 'node:module';

/** A function of a kernel: whole numbers, and bytes that stand for those in the stage. */
export type NativeFunction = (...operands: readonly (number | Uint8Array)[]) => number | undefined;

/** The functions of a kernel over a memory, and the address of its stage. */
export interface NativeFunctions {
  readonly [name: string]: NativeFunction | number;
  readonly stage: number;
}

export interface Addon {
  /** In turns the lanes of a width and the name of its instructions, narrowest first. */
  readonly widths: readonly (number | string)[];
  /** The number of the kernel whose module has this text, or -1. */
  find(text: string): number;
  create(kernel: number, lanes: number, memory: ArrayBuffer): NativeFunctions;
}

const require = createRequire(import.meta.url);

/** glibc's version is in the report of Node; a system without it has musl. */
function isMusl(): boolean {
  const report = process.report as { getReport(): object; excludeNetwork?: boolean } | undefined;
  if (!report) return false;
  report.excludeNetwork = true;
  const { header } = report.getReport() as { header?: { glibcVersionRuntime?: string } };
  return header !== undefined && header.glibcVersionRuntime === undefined;
}

/** The package with the addon: its name ends in the system, the processor and, on Linux, the C library. */
const packageName = (libc = ''): string => `@lanewise/native-${process.platform}-${process.arch}${libc}`;

/** Where an addon may be: the published package, or the file that `npm run build:native` writes. */
function* candidates(): Generator<string> {
  yield `../build/${process.platform}-${process.arch}/lanewise.node`;
  if (process.platform !== 'linux') yield packageName();
  else yield packageName(isMusl() ? '-musl' : '-gnu');
}

/** Loads the addon, or says why there is none. It never throws: the library goes on without. */
export function load(): { readonly addon: Addon } | { readonly reason: string } {
  let last = '';
  for (const candidate of candidates())
    try {
      return { addon: require(candidate) as Addon };
    } catch (error) {
      const { code, message } = error as { code?: string; message: string };
      const [line] = message.split('\n', 1);
      if (code !== 'MODULE_NOT_FOUND') return { reason: `${candidate} can't be loaded: ${line}` };
      last = candidate;
    }
  return { reason: `${last} isn't installed` };
}
