/** The addon of this system: that of its package, or that which `npx lanewise-native` compiled. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ADDON, folderOf, systemName } from './place.ts';

/** A function of a kernel: at most eight whole numbers, and as the ninth bytes that stand for those in the stage. */
export type NativeFunction = (
  a?: number,
  b?: number,
  c?: number,
  d?: number,
  e?: number,
  f?: number,
  g?: number,
  h?: number,
  input?: Uint8Array,
) => number | undefined;

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
  /** Undefined if this machine can't run the kernel in that width. */
  create(kernel: number, lanes: number, memory: Uint8Array): NativeFunctions | undefined;
}

const require = createRequire(import.meta.url);

/** The path of a system's addon: compiled here, or else that of the system's own package, which npm installs beside this one. */
function found(system: string): string | undefined {
  const compiled = join(folderOf(system), ADDON);
  if (existsSync(compiled)) return compiled;
  try {
    return require.resolve(`@lanewise/native-${system}`);
  } catch {
    return undefined;
  }
}

/** Loads the addon, or says why there is none. It never throws: the library goes on without. */
export function load(): { readonly addon: Addon } | { readonly reason: string } {
  const system = systemName();
  const file = found(system);
  if (file === undefined) return { reason: `nothing is compiled for ${system}: run npx lanewise-native` };
  try {
    return { addon: require(file) as Addon };
  } catch (error) {
    const [line] = (error as Error).message.split('\n', 1);
    return { reason: `the addon for ${system} can't be loaded: ${line}` };
  }
}
