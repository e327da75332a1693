/** The run of page/provided.ts: the built package in workerd, with modules that workerd has compiled. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { serveWorkers } from '../../../runtimes/src/workerd-server.ts';
import { broken, type Provided, type Result } from './page/messages.ts';
import type { Runner } from './runs.ts';

const FILE = 'provided';
const dist = join(import.meta.dirname, '../../dist');
const MODULES = ['blake3', 'chacha', 'salsa'];

/** Seals in one request. */
const COUNT = 300;

async function asked(url: string, engine: string, count: number): Promise<[Provided, number]> {
  const started = performance.now();
  const response = await fetch(`${url}?engine=${engine}&count=${count}`);
  if (!response.ok) throw new Error((await response.text()).slice(0, 1000));
  return [(await response.json()) as Provided, performance.now() - started];
}

/** Milliseconds that a seal of 64 KiB takes: the least of several requests, minus the time of an empty request. */
async function millisecondsOf(url: string, engine: string): Promise<number> {
  const least = async (count: number): Promise<number> => {
    const times: number[] = [];
    for (let i = 0; i < 5; i++) times.push((await asked(url, engine, count))[1]);
    return Math.min(...times);
  };
  return ((await least(COUNT)) - (await least(0))) / COUNT;
}

function verdictsOf({ before, after, refused, same }: Provided): readonly (readonly [string, boolean])[] {
  return [
    ['before, js runs, because nothing may be compiled', before.engine === 'js' && before.reason !== undefined],
    ['bytes are refused', refused.bytes.startsWith('TypeError: "module" expected WebAssembly.Module, got type=Uint8')],
    ['a module of what is not imported is refused', refused.foreign.startsWith('Error: "module" expected a kernel')],
    ['then simd runs', after.engine === 'simd'],
    ['the reason says that other primitives go on', /^of provided modules only: ./.test(after.reason ?? '')],
    ['the answers are the same', same],
  ];
}

export const runProvided =
  (path: string): Runner =>
  async () => {
    const started = performance.now();
    const folder = mkdtempSync(join(tmpdir(), 'lanewise-provided-'));
    try {
      await build({
        entryPoints: [join(import.meta.dirname, 'page/provided.ts')],
        outfile: join(folder, 'worker.js'),
        bundle: true,
        format: 'esm',
        logLevel: 'error',
        plugins: [
          {
            name: 'modules that workerd compiles',
            setup(setup) {
              setup.onResolve({ filter: /\.wasm$/ }, ({ path: wanted }) => ({
                path: `./${wanted.split('/').at(-1)!}`,
                external: true,
              }));
            },
          },
        ],
      });
      const modules = MODULES.map((name) => ({
        name: `${name}.wasm`,
        file: join(dist, `wasm/${name}.wasm`),
        wasm: true,
      }));
      const worker = { name: FILE, modules: [{ name: 'worker.js', file: join(folder, 'worker.js') }, ...modules] };
      const serving = await serveWorkers(path, [worker]);
      try {
        const url = serving.urls.get(FILE)!;
        const verdicts = verdictsOf((await asked(url, 'simd', 0))[0]);
        const simd = await millisecondsOf(url, 'simd');
        const js = await millisecondsOf(url, 'js');
        const result: Result = {
          file: FILE,
          passed: verdicts.filter(([, holds]) => holds).length,
          failed: verdicts.filter(([, holds]) => !holds).map(([test]) => ({ test, error: 'it does not hold' })),
          skipped: [],
          note: `simd by provide(): 64 KiB sealed in ${(1000 * simd).toFixed(0)} µs, js ${(1000 * js).toFixed(0)} µs`,
          milliseconds: performance.now() - started,
        };
        return [result];
      } finally {
        await serving.stop();
      }
    } catch (error) {
      return [broken(FILE, String(error))];
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };
