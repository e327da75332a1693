/** The maintained release lines of Node, Bun and Deno. */
import type { Engine } from './engine.ts';
import { BUN, DENO, nodePackage } from '../../../runtimes/src/fetched.ts';
import { FAST_MEMORIES, FAST_MEMORIES_REMARK } from '../../../runtimes/src/webkit.ts';
import { runtimeEngine, type Runtime } from './runtime.ts';

const [here] = process.versions.node.split('.').map(Number);

/** The version of Node that runs the lab is not fetched again. */
const node = (major: number): Runtime => ({
  id: `node${major}`,
  name: `Node ${major}`,
  origin: major === here ? { path: process.execPath } : { fetch: nodePackage(`${major}`) },
  settings: {},
});

const bun: Runtime = {
  id: 'bun',
  name: 'Bun',
  origin: { fetch: BUN },
  command: ['run', '--no-install'],
  settings: { environment: { BUN_JSC_maxNumWasmFastMemories: FAST_MEMORIES } },
  remarks: [FAST_MEMORIES_REMARK],
};

const deno: Runtime = {
  id: 'deno',
  name: 'Deno',
  origin: { fetch: DENO },
  // Deno uses the packages that npm installed; it looks nothing up, and writes nothing.
  command: ['run', '--quiet', '--no-config', '--no-lock', '--node-modules-dir=manual', '--allow-all'],
  settings: { environment: { DENO_NO_UPDATE_CHECK: '1' } },
  // Measured: with --v8-flags=--no-wasm-bounds-checks BLAKE3 is 1.5 times as fast here, as fast as in Node.
  remarks: ['Deno checks the bounds of each access to linear memory by instructions; other engines leave it to traps.'],
};

/** A program that runs a file in a process. */
export const programs: readonly Runtime[] = [node(20), node(22), node(24), node(26), bun, deno];
export const runtimes: readonly Engine[] = programs.map(runtimeEngine);
