/** The host of the client, and its features. */
import type { Family, Features, Place } from './messages.ts';

interface Globals {
  readonly navigator?: { readonly userAgent?: string; readonly hardwareConcurrency?: number };
  readonly process?: {
    readonly versions?: Readonly<Record<string, string | undefined>>;
    getBuiltinModule?(name: string): unknown;
  };
  readonly Deno?: { readonly version: Readonly<Record<string, string>> };
  readonly WorkerGlobalScope?: unknown;
  readonly Worker?: unknown;
  readonly crossOriginIsolated?: boolean;
}
const globals = globalThis as unknown as Globals;

const agent = globals.navigator?.userAgent ?? '';

export function place(): Place {
  if (agent.includes('Cloudflare-Workers')) return 'workerd';
  if (globals.Deno) return 'deno';
  if (globals.process?.versions?.['bun'] !== undefined) return 'bun';
  if (globals.process?.versions?.['node'] !== undefined) return 'node';
  return typeof globals.WorkerGlobalScope === 'function' ? 'worker' : 'page';
}

const families: Readonly<Partial<Record<Place, Family>>> = { node: 'v8', deno: 'v8', workerd: 'v8', bun: 'jsc' };

export function family(): Family {
  const known = families[place()];
  if (known) return known;
  // Chromium also contains "AppleWebKit", and without a window calls itself HeadlessChrome.
  if (agent.includes('Firefox/')) return 'spidermonkey';
  if (/Chrom(e|ium)\//.test(agent)) return 'v8';
  return agent.includes('AppleWebKit/') ? 'jsc' : 'unknown';
}

/** The processors that the host lets a program use. */
export const cores = (): number =>
  (
    globals.process?.getBuiltinModule?.('node:os') as Partial<typeof import('node:os')> | undefined
  )?.availableParallelism?.() ??
  globals.navigator?.hardwareConcurrency ??
  1;

export const userAgent = (): string => agent || place();

/** Versions of the runtime and its parts. */
export function runtimeVersions(): Record<string, string> {
  const versions: Record<string, string> = { ...globals.Deno?.version };
  for (const name of ['node', 'bun', 'v8', 'webkit', 'openssl', 'boringssl']) {
    const version = globals.process?.versions?.[name];
    if (version !== undefined) versions[name] ??= version;
  }
  return versions;
}

/** Whether a function of this code compiles and can be instantiated. WebAssembly core specification §5.5 */
function compiles(code: readonly number[]): boolean {
  try {
    const body = [0, ...code, 0x0b];
    const header = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 4, 1, 0x60, 0, 0, 3, 2, 1, 0];
    const bytes = Uint8Array.of(...header, 10, body.length + 2, 1, body.length, ...body);
    return new WebAssembly.Instance(new WebAssembly.Module(bytes)) instanceof WebAssembly.Instance;
  } catch {
    return false;
  }
}

const DROP = 0x1a;
const VECTOR = [0xfd, 0x0c, ...new Uint8Array(16)];
const I64_ZERO = [0x42, 0];

function canShareMemory(): boolean {
  try {
    return new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true }).buffer.byteLength > 0;
  } catch {
    return false;
  }
}

export const features = (): Features => ({
  wasm: compiles([]),
  simd: compiles([...VECTOR, DROP]),
  // i8x16.relaxed_swizzle
  relaxed: compiles([...VECTOR, ...VECTOR, 0xfd, 0x80, 2, DROP]),
  // i64.mul_wide_u
  wide: compiles([...I64_ZERO, ...I64_ZERO, 0xfc, 0x16, DROP, DROP]),
  threads: canShareMemory(),
  workers: typeof globals.Worker === 'function' || place() === 'node',
  ...(globals.crossOriginIsolated !== undefined && { isolated: globals.crossOriginIsolated }),
  ...(globals.navigator?.hardwareConcurrency !== undefined && { concurrency: globals.navigator.hardwareConcurrency }),
});
