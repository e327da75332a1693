/**
 * Native code: `@lanewise/native`, which npm installs with the command where it can. It is loaded before the first long work, as that takes
 * 15 ms and saves about one for each MiB; never for help or short work.
 */
import type { Spawn } from '@lanewise/native';
import { UsageError } from './command.ts';
import { printable } from './terminal.ts';

export const NATIVE_VARIABLE = 'LANEWISE_NATIVE';

/** The option of all commands that use native code. */
export const nativeOptions = { 'no-native': { type: 'boolean' } } as const;

/** Whether native code may be used: unless --no-native is given, or the variable says `off`. */
export function nativeFrom(values: { readonly 'no-native'?: boolean | undefined }): boolean {
  const given = process.env[NATIVE_VARIABLE] ?? '';
  if (!['', 'on', 'off'].includes(given))
    throw new UsageError(`${NATIVE_VARIABLE} is on or off, not '${printable(given)}'`);
  return !values['no-native'] && given !== 'off';
}

/** Native code that is loaded, or the reason against it. */
export type Native =
  | {
      /** Starts a worker of a pool that loads it, too. */
      readonly spawn: Spawn;
    }
  | {
      /** Why it is not used. */
      readonly reason: string;
    };

/** In the words of Node and of Bun: other messages are of a package that is there, and broken. */
const NOT_INSTALLED = /^Cannot find (?:package|module) ['"]@lanewise\/native['"]/;

/** Loads it. Where that fails, `describe()` of the library says why, and the work goes on in WebAssembly. */
export async function loadNative(): Promise<Native> {
  const { describe, offerNative } = await import('lanewise/engine.js');
  try {
    const { spawn } = await import('@lanewise/native');
    const { engine, reason = '' } = describe();
    if (engine === 'native') return { spawn };
    const its = /^no native: (.*)$/.exec(reason)?.[1];
    return { reason: its ?? 'it belongs to another copy of lanewise than this command' };
  } catch (error) {
    // A package can throw anything.
    const [line] = String((error as Error | undefined)?.message ?? error).split('\n', 1);
    if (NOT_INSTALLED.test(line)) return { reason: '@lanewise/native is not installed' };
    const reason = `@lanewise/native cannot be loaded: ${line}`;
    offerNative({ reason });
    return { reason };
  }
}
