/** Bytes proved are bytes instantiated: kernels.ts lists every module that the library makes, and no other. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ModuleTexts } from '../../lanewise/src/engine/bytes.ts';
import { makePlain } from '../../lanewise/src/engine/plain.ts';
import { sha256 } from '../src/golden.ts';
import { kernels, type Form } from '../src/kernels.ts';
import { decode } from '../src/wasm/decode.ts';

const source = join(import.meta.dirname, '../../lanewise/src');
const nameOf = new Map(kernels.map(({ name, bytes }) => [sha256(bytes), name]));
const named = (bytes: Uint8Array): string => nameOf.get(sha256(bytes)) ?? `unlisted, of ${bytes.length} bytes`;
const sorted = (names: Iterable<string>): string[] => [...new Set(names)].sort();
const listed = (forms: readonly Form[]) =>
  sorted(kernels.filter(({ form }) => forms.includes(form)).map(({ name }) => name));

afterEach(() => {
  vi.doUnmock('../../lanewise/src/engine/instance.ts');
  vi.unstubAllGlobals();
  vi.resetModules();
});

it('is what the families define', async () => {
  interface Defined {
    readonly texts: ModuleTexts;
    readonly pages: number;
  }
  const defined: Defined[] = [];
  vi.resetModules();
  vi.doMock('../../lanewise/src/engine/instance.ts', async (original) => ({
    ...(await original<object>()),
    instantiated: (kernel: Defined) => void defined.push(kernel),
  }));
  for (const file of readdirSync(source)) if (file.endsWith('.ts')) await import(join(source, file));

  expect(defined.length).toBeGreaterThan(4);
  const modules = defined.flatMap(({ texts: { vectors, scalar }, pages }) => {
    const all = [scalar, ...(vectors ? [vectors, vectors] : [])].map((text) => Buffer.from(text, 'hex'));
    if (vectors) makePlain(all[2], all[2].length);
    for (const bytes of all) expect(decode(bytes).memory?.minimum).toBe(pages);
    return all;
  });
  expect(sorted(modules.map(named))).toEqual(sorted(nameOf.values()));
});

/** What `swizzle` has: an engine before relaxed SIMD. */
const usesRelaxed = (bytes: Uint8Array): boolean =>
  decode(bytes).functions.some(({ code }) => code.some(({ op }) => op === 'i8x16.relaxed_swizzle'));

/** Records the modules that are compiled; with `relaxed` false those with relaxed instructions are refused. */
function recordModules(relaxed: boolean): Uint8Array[] {
  const seen: Uint8Array[] = [];
  class Recorded extends WebAssembly.Module {
    constructor(bytes: Uint8Array<ArrayBuffer>) {
      if (!relaxed && usesRelaxed(bytes)) throw new WebAssembly.CompileError('no relaxed instructions here');
      super(bytes);
      seen.push(bytes.slice());
    }
  }
  vi.stubGlobal('WebAssembly', Object.create(WebAssembly, { Module: { value: Recorded } }));
  return seen;
}

/** Everything that a caller can do, with messages for the short kernels and for the long ones. */
async function exercise(load: (entry: string) => Promise<unknown>, engine: 'simd' | 'scalar'): Promise<void> {
  const { select } = (await load('engine')) as typeof import('../../lanewise/src/engine.ts');
  select(engine);
  const chacha = (await load('chacha')) as typeof import('../../lanewise/src/chacha.ts');
  const { poly1305 } = (await load('poly1305')) as typeof import('../../lanewise/src/poly1305.ts');
  const blake3 = (await load('blake3')) as typeof import('../../lanewise/src/blake3.ts');
  const salsa = (await load('salsa')) as typeof import('../../lanewise/src/salsa.ts');
  const serpent = (await load('serpent')) as typeof import('../../lanewise/src/serpent.ts');
  const disk = (await load('disk')) as typeof import('../../lanewise/src/disk.ts');
  const key = new Uint8Array(32).fill(1);
  for (const length of [0, 1, 64, 65, 1000, 2049, 5000, 200_000]) {
    const message = new Uint8Array(length).fill(2);
    chacha.chacha20(key, key.subarray(0, 12), message);
    chacha.xchacha20(key, key.subarray(0, 24), message);
    for (const [aead, nonce] of [
      [chacha.chacha20poly1305, 12],
      [chacha.xchacha20poly1305, 24],
    ] as const) {
      const seal = aead(key, key.subarray(0, nonce), message);
      expect(aead(key, key.subarray(0, nonce), message).decrypt(seal.encrypt(message))).toEqual(message);
    }
    for (const box of [salsa.secretbox, salsa.secretbox_xchacha20poly1305]) {
      const sealed = box(key, key.subarray(0, 24)).seal(message);
      expect(box(key, key.subarray(0, 24)).open(sealed)).toEqual(message);
    }
    const [iv, short] = [key.subarray(0, 16), key.subarray(0, 15)];
    expect(serpent.ctr(key, iv).decrypt(serpent.ctr(key, iv).encrypt(message))).toEqual(message);
    expect(serpent.cbc(key, iv).decrypt(serpent.cbc(key, iv).encrypt(message))).toEqual(message);
    expect(serpent.ocb(key, short).decrypt(serpent.ocb(key, short).encrypt(message))).toEqual(message);
    if (length >= 64) disk.hpolyc(key).decrypt(disk.adiantum(key).encrypt(message, key), key);
    poly1305(message, key);
    blake3.blake3(message);
    blake3.blake3(message, { key, dkLen: length + 1 });
    blake3.blake3
      .create()
      .update(message)
      .xof(length + 1);
    if (length > 0) blake3.hashMany([message, message, message]);
  }
}

describe.each([
  ['the sources', (entry: string) => import(join(source, `${entry}.ts`)) as Promise<unknown>],
  ['the built package', (entry: string) => import(join(source, '../dist', `${entry}.js`)) as Promise<unknown>],
])('%s', (_, load) => {
  it.each([
    ['simd', true, ['relaxed']],
    ['simd', false, ['swizzle']],
    ['scalar', true, ['scalar']],
  ] as const)('instantiates these kernels and no others: %s, relaxed %s', async (engine, relaxed, forms) => {
    vi.resetModules();
    const seen = recordModules(relaxed);
    await exercise(load, engine);
    // Before the first kernel, small modules that export no function ask what the engine knows.
    const compiled = seen.filter((bytes) => decode(bytes).exports.some(({ kind }) => kind === 'function'));
    // Kernels without lanes are the same on both engines.
    const laneless = ['poly1305 scalar', 'blake3 scalar'];
    // The vectors of Salsa20 and Serpent have no use for the relaxed instructions.
    const same =
      engine === 'simd' ? ['salsa long swizzle', 'salsa short swizzle', 'serpent swizzle', 'serpent-ctr swizzle'] : [];
    expect(sorted(compiled.map(named))).toEqual(sorted([...listed(forms), ...laneless, ...same]));
  });
});
