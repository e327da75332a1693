/** The contests of the catalogue; catalogue.nightly.test.ts has the answers of contestants. */
import { describe, expect, test } from 'vitest';
import { catalogue, contests, plans } from '../src/client/catalogue.ts';
import type { Axis, Kind, Place } from '../src/client/messages.ts';
import { kernelForms, operations, studyForms } from '../src/client/rooms.ts';
import { kernelModules } from '../src/kernel-modules.ts';

const ids = (kind: Kind, place: Place = 'node') => catalogue(kind, place).map(({ id }) => id);
const axes: readonly Axis[] = [
  'platforms',
  'length',
  'alignment',
  'keys',
  'many',
  'streams',
  'parallel',
  'context',
  'direction',
  'cold',
  'boundary',
  'kernels',
];

describe('the catalogue', () => {
  test('has each id once, and plans for each kind', () => {
    expect(new Set(contests.map(({ id }) => id)).size).toBe(contests.length);
    expect(Object.keys(plans)).toEqual(['quick', 'default', 'full']);
  });

  test('measures more, the more thorough it is', () => {
    const [quick, usual, full] = (['quick', 'default', 'full'] as const).map((kind) => new Set(ids(kind)));
    expect(quick.size).toBeGreaterThan(10);
    for (const id of quick) expect(usual).toContain(id);
    for (const id of usual) expect(full).toContain(id);
    expect(full.size).toBeGreaterThan(usual.size + 8000);
  });

  test('has every axis', () => {
    expect(new Set(catalogue('default', 'page').map(({ axis }) => axis))).toEqual(new Set(axes));
  });

  test('has the contests of the tables, under stable names', () => {
    const usual = ids('default', 'page');
    for (const length of [65536, 16384, 256]) expect(usual).toContain(`platforms/chacha20/encrypt/${length}`);
    for (const length of [96, 512, 1024, 32768, 65536, 262144, 1048576]) {
      expect(usual).toContain(`platforms/blake3/hash/${length}`);
    }
    for (const length of [65536, 16384, 1024])
      for (const mode of ['ctr/encrypt', 'cbc/decrypt']) expect(usual).toContain(`platforms/serpent-${mode}/${length}`);
    for (const length of [8, 64, 576, 1536, 4096, 65536])
      for (const id of ['chacha20/encrypt', 'salsa20/encrypt', 'secretbox/seal', 'serpent-ctr/encrypt'])
        expect(usual).toContain(`length/${id}/${length}`);
    for (const length of [
      0, 1, 2, 3, 8, 16, 31, 32, 33, 63, 64, 65, 1023, 1024, 1025, 8192, 16384, 1048576, 16777216,
    ]) {
      expect(usual).toContain(`length/blake3/hash/${length}`);
    }
  });

  test('has a short and a long message for pools, where there are workers', () => {
    const pools = (kind: Kind, place: Place) => ids(kind, place).filter((id) => id.startsWith('parallel/pool/'));
    expect(pools('quick', 'page')).toContain(`parallel/pool/blake3/hash/${2 ** 26}`);
    expect(pools('full', 'worker')).toContain(`parallel/pool/blake3/hash/${2 ** 28}`);
    expect(pools('default', 'bun').some((id) => id.endsWith(`/${2 ** 28}`))).toBe(false);
    expect(pools('full', 'workerd')).toEqual([]);
  });

  test('knows where there are workers', () => {
    const workers = (place: Place) => ids('default', place).filter((id) => id.includes('worker')).length;
    expect(workers('page')).toBe(3);
    expect(workers('workerd')).toBe(0);
  });
});

describe('operations', () => {
  test.each(operations)('$id: the reference gives the known answer', async (operation) => {
    const { key, nonce, data, expected, room } = operation.knownAnswer;
    // The input of an operation differs from the message when a sealed one is opened; then the message is the output.
    const message = operation.id.endsWith('/open')
      ? expected
      : operation.id === 'blake3/output'
        ? new Uint8Array(expected.length)
        : data;
    if (operation.id.endsWith('/reject')) {
      expect(expected).toEqual(Uint8Array.of(1));
      return;
    }
    const work = await operation.work(message, key, nonce);
    expect(work.data).toEqual(data);
    expect(work.expected).toEqual(expected);
    expect(work.room).toBe(room);
  });
});

test('all modules can be brought from outside', async () => {
  const modules = await kernelModules();
  for (const { moduleName } of [...(await kernelForms()), ...(await studyForms())]) {
    expect(modules[moduleName], moduleName).toBeInstanceOf(Uint8Array);
  }
  for (const [name, bytes] of Object.entries(modules)) expect(WebAssembly.validate(bytes), name).toBe(true);
});
