/** The promise of `browser-async`, compared with the original's. */
import { afterEach, expect, test, vi } from 'vitest';
import { folders, load, wasmOf } from './pairs.ts';

type Init = (module?: unknown) => Promise<unknown>;
/** The original keeps its first promise, so this asks the module below. */
const initOf = async (folder: string): Promise<Init> =>
  (await load(folder, 'dist/wasm/web/blake3_js.js')).default as Init;

afterEach(() => vi.restoreAllMocks());

const wasm = wasmOf(folders.theirs);
const response = (): Response => new Response(wasm, { headers: { 'Content-Type': 'application/wasm' } });

const TAKEN: Readonly<Record<string, () => unknown>> = {
  bytes: () => wasm,
  'an ArrayBuffer': () => wasm.slice().buffer,
  'a module': () => new WebAssembly.Module(wasm),
  'a response': response,
  'a promise of bytes': () => Promise.resolve(wasm),
  'a promise of a response': () => Promise.resolve(response()),
};

test.each(Object.entries(TAKEN))('%s', async (_, make) => {
  const settled = async (folder: string): Promise<boolean> => {
    await (
      await initOf(folder)
    )(make());
    return true;
  };
  expect(await settled(folders.theirs)).toBe(true);
  expect(await settled(folders.ours)).toBe(true);
});

const REFUSED: Readonly<Record<string, () => unknown>> = {
  null: () => null,
  'a number': () => 5,
  'an object': () => ({}),
  'a promise of text': () => Promise.resolve('text'),
  'a rejected promise': () => Promise.reject(new TypeError('the network is down')),
  'a response that is read already': () => {
    const its = response();
    its.body?.getReader();
    return its;
  },
};
test.each(Object.entries(REFUSED))('%s is refused', async (_, make) => {
  for (const folder of [folders.theirs, folders.ours])
    await expect((await initOf(folder))(make())).rejects.toThrow(TypeError);
});

test.each([
  ['nothing', undefined],
  ['text', 'https://files.example/blake3.wasm'],
  ['a URL', new URL('https://files.example/blake3.wasm')],
  ['a request', new Request('https://files.example/blake3.wasm')],
])('%s asks no server', async (_, module) => {
  const fetch = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error('asked'));
  await (
    await initOf(folders.ours)
  )(module);
  expect(fetch).not.toHaveBeenCalled();
});

test('a response is used up', async () => {
  const its = response();
  await (
    await initOf(folders.ours)
  )(its);
  expect(its.bodyUsed).toBe(true);
});
