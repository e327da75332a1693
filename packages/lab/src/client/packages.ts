/**
 * `#packages` in a bundle for browsers: packages that differ from host to host. Node takes node/packages.ts instead:
 * see `imports` in package.json.
 */
import fuzdevBytes from '@fuzdev/blake3_wasm/blake3_wasm_bg.wasm';
import blake3WasmBytes from 'blake3-wasm/dist/wasm/web/blake3_js_bg.wasm';
import type { NativeCode } from 'lanewise/engine.js';
import type { NodeContestants } from './node-contestants.ts';
import type { Blake3Wasm, Fuzdev, Hacl } from './package-types.ts';

/** Defined by the bundler. */
declare const LAB_VERSIONS: Readonly<Record<string, string>>;

export const versions = (): Readonly<Record<string, string>> => LAB_VERSIONS;
export const version = (name: string): string | undefined => LAB_VERSIONS[name];

export async function fuzdev(): Promise<Fuzdev> {
  const module = await import('@fuzdev/blake3_wasm');
  module.init_sync({ module: fuzdevBytes });
  return module;
}

export async function blake3Wasm(): Promise<Blake3Wasm> {
  // The package declares CommonJS, but this file is an ECMAScript module.
  const { default: load } = (await import('blake3-wasm/browser-async.js')) as unknown as {
    readonly default: (bytes: Uint8Array) => Promise<Blake3Wasm>;
  };
  return load(blake3WasmBytes);
}

const refuse = (reason: string) => (): Promise<never> => Promise.reject(new Error(reason));

export const hacl: () => Promise<Hacl> = refuse('its package reads its parts from files, and cannot be bundled');
export const nativeCode: (lanes?: number) => Promise<NativeCode> = refuse('programs of Node, Bun and Deno can load it');
export const nodeContestants: () => Promise<NodeContestants> = refuse('it comes with Node');
