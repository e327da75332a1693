/** Bytes proved are bytes instantiated: kernels.ts lists every module that the library makes, and no other. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ModuleTexts } from '../../lanewise/src/engine/bytes.ts';
import { makePlain } from '../../lanewise/src/engine/plain.ts';
import { modules as all } from '../../lanewise/scripts/rooms.ts';
import { lanesOf } from '../../lanewise/src/engine/description.ts';
import { hasClaims } from '../src/unproven.ts';
import type { KernelModule } from '../../lanewise/src/engine/description.ts';
import type { Library } from '../src/claims/recorded.ts';
import { sha256 } from '../src/golden.ts';
import { rooms } from '../src/rooms.ts';
import { kernels, type Form } from '../src/kernels.ts';
import { decode } from '../src/wasm/decode.ts';

/** Those that have claims. */
const modules = all.filter(({ name }) => hasClaims(name));
const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');
/** The bytes of those that have none. */
const without: ReadonlySet<string> = new Set(
  all
    .filter(({ name }) => !hasClaims(name))
    .flatMap(({ forms, make }) => forms.map((form) => textOf(make(lanesOf(form)).bytes()))),
);

const source = join(import.meta.dirname, '../../lanewise/src');
const nameOf = new Map(kernels.map(({ name, bytes }) => [sha256(bytes), name]));
/** The section of the one memory of a module that may have another size: behind these bytes are its limits, of three bytes each. */
const MEMORY = Buffer.from([5, 8, 1, 1]);
/** Whether two modules differ in nothing but the limits of their memory. */
function sameButForLimits(x: Uint8Array, y: Uint8Array): boolean {
  const [one, other] = [Buffer.from(x), Buffer.from(y)];
  const from = one.indexOf(MEMORY) + MEMORY.length;
  const to = from + 6;
  return one.subarray(0, from).equals(other.subarray(0, from)) && one.subarray(to).equals(other.subarray(to));
}
/** Modules that have a memory for each call are compiled with its size, and proved with the smallest. */
const sizedKernel = (bytes: Uint8Array): string | undefined =>
  kernels.find((kernel) => kernel.mostMemoryBytes > kernel.memoryBytes && sameButForLimits(kernel.bytes, bytes))?.name;
const named = (bytes: Uint8Array): string =>
  nameOf.get(sha256(bytes)) ?? sizedKernel(bytes) ?? `unlisted, of ${bytes.length} bytes`;
const sorted = (names: Iterable<string>): string[] => [...new Set(names)].sort();
const listed = (forms: readonly Form[]) =>
  sorted(kernels.filter(({ form }) => forms.includes(form)).map(({ name }) => name));

/** The kernels of one form of some modules. */
const namesOf = (chosen: (module: KernelModule) => boolean, form: Form): string[] =>
  modules.filter((module) => chosen(module) && module.forms.includes(form)).map(({ name }) => `${name} ${form}`);

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
  // The door of workers has no kernels of its own, and is refused outside of them.
  for (const file of readdirSync(source))
    if (file.endsWith('.ts') && file !== 'worker.ts') await import(join(source, file));

  expect(defined.length).toBeGreaterThan(4);
  const found = defined.flatMap(({ texts: { decode: bytesOf, vectors, scalar }, pages }) => {
    const all = [scalar, ...(vectors ? [vectors, vectors] : [])].map((text) => bytesOf(text).slice());
    if (vectors) makePlain(all[2], all[2].length);
    for (const bytes of all) expect(decode(bytes).memory?.minimum).toBe(pages);
    return all;
  });
  const claimed = found.filter((bytes) => !without.has(textOf(bytes)));
  expect(sorted(claimed.map(named))).toEqual(sorted(nameOf.values()));
});

/** The features that `swizzle` kernels use: those of an engine without relaxed SIMD. */
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

/** The number of calls from each group of recorded calls; their lengths use short and long kernels. */
const OF_A_GROUP = 12;
const spread = <T>(list: readonly T[]): T[] =>
  list.filter((_, i) => i === list.length - 1 || i % Math.ceil(list.length / OF_A_GROUP) === 0);

/** Calls of every public module. */
async function exercise(load: (entry: string) => Promise<unknown>, engine: 'simd' | 'scalar'): Promise<void> {
  const { select } = (await load('engine')) as typeof import('../../lanewise/src/engine.ts');
  select(engine);
  const doors = rooms.flatMap(({ recorded }) => recorded.doors);
  const loaded = doors.map(async (door) => [door, await load(door)] as const);
  const library = Object.fromEntries(await Promise.all(loaded)) as unknown as Library;
  for (const { recorded } of rooms) {
    const scenarios = Object.values(Object.groupBy(recorded.scenarios(), ({ group }) => group));
    for (const { before, call, throws } of scenarios.flatMap((group) => spread(group!))) {
      const given = before?.(library) ?? new Uint8Array(0);
      if (throws) expect(() => call(library, given)).toThrow(throws);
      else call(library, given);
    }
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
    // The other modules test for the engine's features and export no function, or unpack the kernels.
    const compiled = seen.filter(
      (bytes) =>
        !without.has(textOf(bytes)) &&
        decode(bytes).exports.some(({ kind, name }) => kind === 'function' && name !== 'unpack'),
    );
    // Kernels without lanes are the same on both engines; BLAKE3 hashes short messages without them.
    const laneless = [...namesOf(({ forms }) => !forms.includes('swizzle'), 'scalar'), 'blake3 scalar'];
    // Vectors that have no use for the relaxed instructions.
    const same = engine === 'simd' ? namesOf(({ forms }) => !forms.includes('relaxed'), 'swizzle') : [];
    expect(sorted(compiled.map(named))).toEqual(sorted([...listed(forms), ...laneless, ...same]));
  });
});
