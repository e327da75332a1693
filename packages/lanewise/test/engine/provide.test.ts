/** Modules that the host has compiled, on a host that compiles nothing else. */
// Needs WebAssembly: compiles the modules that it provides.
import { xchacha20poly1305 as noble } from '@noble/ciphers/chacha.js';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { room as blake3Room } from '../../src/blake3/room.ts';
import { room as chachaRoom } from '../../src/chacha/room.ts';
import { room as salsaRoom } from '../../src/salsa/room.ts';
import { lanesOf, type Form, type Room } from '../../src/engine/description.ts';
import { expectBytes, refusal, sample } from '../support/bytes.ts';

const Host = WebAssembly;
const NO_RELAXED = 'this host has no relaxed vectors';
afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

const [key, nonce, message] = [sample(32, 1), sample(24, 2), sample(5000, 3)];
const bytesOf = ({ modules }: Room, form: Form = 'swizzle'): Uint8Array<ArrayBuffer> =>
  modules[0].make(lanesOf(form)).bytes();
const compiled = (bytes: Uint8Array<ArrayBuffer>): WebAssembly.Module => new Host.Module(bytes);

/** The library, loaded anew where nothing may be compiled, and the instances that it makes. */
async function loaded() {
  const instances: WebAssembly.Instance[] = [];
  function Module(): never {
    throw new Host.CompileError('nothing may be compiled');
  }
  function Instance(module: WebAssembly.Module): WebAssembly.Instance {
    const made = new Host.Instance(module);
    instances.push(made);
    return made;
  }
  Instance.prototype = Host.Instance.prototype;
  vi.stubGlobal('WebAssembly', { Module, Instance, Memory: Host.Memory });
  vi.resetModules();
  const [chacha, blake3, engine] = await Promise.all([
    import('../../src/chacha.ts'),
    import('../../src/blake3.ts'),
    import('../../src/engine.ts'),
  ]);
  return { ...chacha, ...blake3, ...engine, instances };
}
type Library = Awaited<ReturnType<typeof loaded>>;

function expectRight({ xchacha20poly1305 }: Library): void {
  for (const length of [0, 1, 64, 65, 1000, 5000]) {
    const part = message.subarray(0, length);
    const sealed = noble(key, nonce).encrypt(part);
    expectBytes(xchacha20poly1305(key, nonce).encrypt(part), sealed, `${length} bytes`);
    expectBytes(xchacha20poly1305(key, nonce).decrypt(sealed), part, `${length} bytes, back`);
  }
}

describe('a module that the host has compiled', () => {
  test.for(['swizzle', 'relaxed'] as const)('runs from then on: %s', async (form, context) => {
    if (!Host.validate(bytesOf(chachaRoom, form))) context.skip(NO_RELAXED);
    const library = await loaded();
    expect(library.describe()).toMatchObject({
      engine: 'js',
      reason: expect.stringContaining('nothing may be') as string,
    });
    library.provide(compiled(bytesOf(chachaRoom, form)));
    expectRight(library);
    expect(library.describe()).toEqual({
      engine: 'simd',
      relaxed: false,
      reason: 'of provided modules only: nothing may be compiled',
    });
    // Kernels that were not provided go on, on an engine that works.
    expect(library.blake3(message).length).toBe(32);
    library.provide(compiled(bytesOf(blake3Room)));
    expect(library.blake3(message).length).toBe(32);
    expectRight(library);
  });

  test('steps back for an engine that is selected', async () => {
    const library = await loaded();
    library.provide(compiled(bytesOf(chachaRoom)));
    library.select('js');
    expect(library.describe().engine).toBe('js');
    expectRight(library);
    library.select('simd');
    expectRight(library);
    expect(refusal(() => library.blake3(message))).toContain('nothing may be compiled');
    library.select('auto');
    expectRight(library);
    expect(library.describe().engine).toBe('simd');
  });

  test('becomes wrong, is found out, and is no longer used', async (context) => {
    // The other form has no masks in memory.
    if (!Host.validate(bytesOf(chachaRoom, 'relaxed'))) context.skip(NO_RELAXED);
    const library = await loaded();
    library.provide(compiled(bytesOf(chachaRoom, 'relaxed')));
    expectRight(library);
    // Its masks are in memory, before the area that is wiped.
    for (const { exports } of library.instances)
      new Uint8Array((exports['memory'] as WebAssembly.Memory).buffer).fill(0, 0, 32);
    for (let i = 0; i < 300; i++) library.xchacha20poly1305(key, nonce).encrypt(message.subarray(0, 10));
    expect(library.describe()).toMatchObject({
      engine: 'js',
      reason: expect.stringContaining('no simd: the provided module gave a wrong answer') as string,
    });
    expectRight(library);
  });
});

describe('refuses', () => {
  test('what is no compiled module, before any work', async () => {
    const { provide } = await loaded();
    for (const [wrong, type] of [
      [undefined, 'undefined'],
      [null, 'null'],
      ['chacha.wasm', 'string'],
      [bytesOf(chachaRoom), 'Uint8Array'],
      [{}, 'Object'],
      [Promise.resolve(), 'Promise; did you forget await?'],
    ] as const)
      expect(refusal(() => provide(wrong as unknown as object))).toBe(
        `TypeError: "module" expected WebAssembly.Module, got type=${type}`,
      );
    const extra = provide as (...values: unknown[]) => void;
    expect(refusal(() => extra(compiled(bytesOf(chachaRoom)), 1))).toMatch(
      /^TypeError: "arguments" expected at most 1/,
    );
  });

  test('modules of nothing that is imported, and others', async () => {
    const library = await loaded();
    const none = /^Error: "module" expected a kernel of a primitive that is imported, which gives right answers$/;
    const empty = new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);
    for (const bytes of [bytesOf(salsaRoom), empty])
      expect(refusal(() => library.provide(compiled(bytes)))).toMatch(none);
    expect(library.describe().engine).toBe('js');
    expectRight(library);
  });

  test('modules that give wrong answers', async () => {
    const library = await loaded();
    const wrong = Buffer.from(bytesOf(chachaRoom));
    const from = Buffer.from([0x41, 20, 0xfd, 0xad, 0x01]);
    // Each is half of a rotation of vectors by 12. One alone may be in code that the known answers of some kernel do not reach.
    let places = 0;
    for (let at = -1; (at = wrong.indexOf(from, at + 1)) >= 0; places++) wrong[at + 1] = 19;
    expect(places).toBeGreaterThan(0);
    expect(refusal(() => library.provide(compiled(Uint8Array.from(wrong))))).toContain('right answers');
    expect(library.describe().engine).toBe('js');
    expectRight(library);
  });
});
