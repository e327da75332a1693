/** `#packages` for programs of Node; a bundle for browsers takes ../packages.ts instead. */
import type { NativeCode } from 'lanewise/engine.js';
import { versionOf } from '../../host.ts';
import { PACKAGES } from '../package-names.ts';
import type { NodeContestants } from '../node-contestants.ts';
import type { Blake3Wasm, Fuzdev, Hacl } from '../package-types.ts';

const known: Readonly<Record<string, string>> = Object.fromEntries(PACKAGES.map((name) => [name, versionOf(name)]));

export const versions = (): Readonly<Record<string, string>> => known;
export const version = (name: string): string | undefined => known[name];

export const fuzdev = (): Promise<Fuzdev> => import('@fuzdev/blake3_wasm');

export async function blake3Wasm(): Promise<Blake3Wasm> {
  const { default: wasm } = await import('blake3-wasm');
  return {
    createHash: () => wasm.createHash(),
    createKeyed: (key) => wasm.createKeyed(Buffer.from(key.buffer, key.byteOffset, key.byteLength)),
  };
}

export async function hacl(): Promise<Hacl> {
  const { default: module } = await import('hacl-wasm');
  return (await module.getInitializedHaclModule()) as Hacl;
}

/** The code that `@lanewise/native` offers to every copy of the library in this thread, in one width if it is named, or why there is none. */
export async function nativeCode(lanes?: number): Promise<NativeCode> {
  const { useLanes } = await import('@lanewise/native');
  if (lanes !== undefined) useLanes(lanes);
  return (globalThis as unknown as Record<symbol, NativeCode>)[Symbol.for('@lanewise/native')];
}

export async function nodeContestants(): Promise<NodeContestants> {
  const [crypto, native, bcrypto, file] = await Promise.all([
    import('./node-crypto.ts'),
    import('./native.ts'),
    import('./bcrypto.ts'),
    import('./file.ts'),
  ]);
  return { ...crypto, ...native, ...bcrypto, ...file };
}
