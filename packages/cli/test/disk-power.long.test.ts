/** `lanewise disk` when power is cut, or an operation fails: after each single one, and again in the recovery. */
import { adiantum } from 'lanewise/disk.js';
import { describe, expect, test, vi } from 'vitest';
import { Failure } from '../src/command.ts';
import { convertInPlace, recover } from '../src/disk/in-place.ts';
import type { Operation, Settings } from '../src/disk/options.ts';
import { journalOf } from '../src/disk/run-files.ts';
import { Sectors } from '../src/disk/sectors.ts';
import { convertToFile } from '../src/disk/to-file.ts';
import { Disk, fates, PowerCut } from './failing-storage.ts';
import { generator } from './random.ts';

const SECTOR = 512;
/** Four batches, and one that is shorter. */
const BATCH = 2 * SECTOR;
const SIZE = 9 * SECTOR;
/** Operations of a run, when about half is done, and when the last batch is left. */
const HALFWAY = 20;
const NEARLY_ALL = 28;
const IMAGE = 'image';
const JOURNAL = journalOf(IMAGE) as string;
const actions = ['resume', 'undo'] as const;

const seed = Number(process.env['LANEWISE_SEED'] ?? Date.now() % 2 ** 31);
console.log(`disk-power: LANEWISE_SEED=${seed}`);
const random = generator(seed);

const key = Uint8Array.from({ length: 32 }, (_, i) => 7 * i);
const settings: Settings = { cipher: 'adiantum', rounds: 12, sectorSize: SECTOR, tweak: 'index64', first: 5n };
const plaintext = Uint8Array.from({ length: SIZE }, (_, i) => i ^ (i >> 8));
const ciphertext = adiantum(key).encryptPages(plaintext.slice(), { pageSize: SECTOR, tweak: 'index64', first: 5 });
const images = { encrypt: [plaintext, ciphertext], decrypt: [ciphertext, plaintext] } as const;

const below = (count: number): number => Math.floor(random() * count);
const meter = { start() {}, advance() {}, stop() {} };
const place = (storage: Disk) => ({ storage, image: IMAGE, size: SIZE, key, meter, force: false });
const convert = (disk: Disk, operation: Operation) => convertInPlace(place(disk), operation, settings, BATCH);
const same = (a: Uint8Array | undefined, b: Uint8Array): boolean => a !== undefined && Buffer.from(a).equals(b);

/** Until power is cut, or to the end. */
async function withCut(work: Promise<unknown>): Promise<'cut' | 'done'> {
  try {
    await work;
    return 'done';
  } catch (error) {
    if (error instanceof PowerCut) return 'cut';
    throw error;
  }
}

/** Recovers, and checks the image: it must be whole, and in the requested state if there was a journal. */
async function finish(disk: Disk, operation: Operation, action: (typeof actions)[number]): Promise<void> {
  const [before, after] = images[operation];
  const begun = disk.get(JOURNAL) !== undefined;
  const found = await recover(place(disk), action);
  if (begun) {
    expect(found).toBe(operation);
    expect(same(disk.get(IMAGE), action === 'resume' ? after : before)).toBe(true);
  } else {
    expect(['not begun', 'nothing']).toContain(found);
    const image = disk.get(IMAGE);
    expect(same(image, before) || (found === 'nothing' && same(image, after))).toBe(true);
  }
  expect(disk.names).toEqual([IMAGE]);
}

/** As `finish`, with power cut at any operation of it, and `finish` after that. */
async function finishWithCuts(disk: Disk, operation: Operation): Promise<void> {
  for (const action of actions) {
    const whole = disk.copy();
    await finish(whole, operation, action);
    for (let cut = 0; cut < whole.operations && disk.get(JOURNAL); cut++) {
      const again = disk.copy();
      again.cutAt = cut;
      await withCut(recover(place(again), action));
      const found = again.restart(fates[below(fates.length)], random);
      await finish(found, operation, actions[below(2)]);
    }
  }
}

describe.each(['encrypt', 'decrypt'] as const)('%s in place', (operation) => {
  const [before, after] = images[operation];
  const fresh = (hardLinks = true): Disk => Object.assign(new Disk().put(IMAGE, before), { hardLinks });

  test('is done for good when it says so', async () => {
    const disk = fresh();
    await convert(disk, operation);
    const found = disk.restart('nothing', random);
    expect(same(found.get(IMAGE), after)).toBe(true);
    expect(await recover(place(found), 'resume')).toBe('nothing');
    expect(found.names).toEqual([IMAGE]);
  });

  test('the journal holds no plaintext', async () => {
    const disk = fresh();
    await convert(disk, operation);
    const journalled = Buffer.concat(disk.log.flatMap(({ name, bytes }) => (name === IMAGE ? [] : [bytes])));
    for (let at = 0; at < SIZE; at += SECTOR) {
      expect(journalled.indexOf(plaintext.subarray(at + 16, at + 48))).toBe(-1);
      expect(journalled.indexOf(ciphertext.subarray(at + 16, at + 48))).toBeGreaterThan(0);
    }
    expect(journalled.indexOf(key)).toBe(-1);
  });

  const cases = [...fates.map((fate) => [fate, 'with'] as const), ['anything', 'without'] as const];
  test.each(cases)(
    'power is cut at any operation; %s that was not flushed is there; %s hard links',
    async (fate, has) => {
      const rehearsal = fresh(has === 'with');
      await convert(rehearsal, operation);
      // Five batches, each with two writes and two flushes at least.
      expect(rehearsal.operations).toBeGreaterThan(20);
      let journals = 0;
      for (let cut = 0; cut < rehearsal.operations; cut++) {
        const disk = fresh(has === 'with');
        disk.cutAt = cut;
        expect(await withCut(convert(disk, operation))).toBe('cut');
        const found = disk.restart(fate, random);
        if (found.get(JOURNAL)) journals++;
        await finishWithCuts(found, operation);
      }
      expect(journals).toBeGreaterThan(15);
    },
  );

  test('any operation fails', async () => {
    const rehearsal = fresh();
    await convert(rehearsal, operation);
    for (let fail = 0; fail < rehearsal.operations; fail++) {
      const disk = fresh();
      disk.failAt = fail;
      await expect(convert(disk, operation)).rejects.toThrow(Failure);
      disk.failAt = Infinity;
      await finish(disk.nextProcess(), operation, actions[fail % 2]);
    }
  });

  test('while there is a journal, nothing else is begun', async () => {
    const disk = fresh();
    disk.cutAt = HALFWAY;
    await withCut(convert(disk, operation));
    const found = disk.restart('everything', () => 1);
    await expect(convert(found.copy(), operation)).rejects.toThrow(/image\.lanewise-journal is there: .*resume.*undo/);
    const other = { ...place(found), key: key.toReversed() };
    await expect(recover(other, 'resume')).rejects.toThrow('the image was begun with another key');
    const longer = found.copy().put(IMAGE, new Uint8Array(SIZE + SECTOR));
    const recovery = recover({ ...place(longer), size: SIZE + SECTOR }, 'undo');
    await expect(recovery).rejects.toThrow('image: 5120 bytes long, and had 4608 when');
    expect(found.log).toEqual([]);
    expect(longer.log).toEqual([]);
    expect(found.names).toEqual([IMAGE, JOURNAL]);
  });

  test('a damaged journal changes nothing', async () => {
    const disk = fresh();
    disk.cutAt = HALFWAY;
    await withCut(convert(disk, operation));
    const found = disk.restart('everything', () => 1);
    const journal = found.get(JOURNAL)!;
    const damaged = async (change: (bytes: Uint8Array) => void): Promise<string> => {
      const bytes = journal.slice();
      change(bytes);
      const other = found.copy().put(JOURNAL, bytes);
      const recovery = recover(place(other), 'undo');
      const message = await recovery.then(String, (error: unknown) => (error as Failure).message);
      expect(other.log).toHaveLength(0);
      return message;
    };
    const one = /damaged: its header does not add up/;
    for (const at of [0, 40, 200, 300]) expect(await damaged((bytes) => (bytes[at] ^= 1))).toMatch(one);
    expect(await damaged((bytes) => bytes.fill(0))).toMatch(one);
    expect(await damaged((bytes) => bytes.fill(0, 4096))).toMatch(/damaged: no record is whole/);
    // A record of another journal, whose batch is far ahead, is none of this one.
    const stranger = fresh();
    stranger.cutAt = NEARLY_ALL;
    await withCut(convert(stranger, operation));
    const records = stranger
      .restart('everything', () => 1)
      .get(JOURNAL)!
      .subarray(4096);
    expect(await damaged((bytes) => bytes.set(records, 4096))).toMatch(/damaged: no record is whole/);
  });
});

describe('into another file', () => {
  const sectors = new Sectors(settings, key);
  const copy = (storage: Disk, force: boolean) => ({
    storage,
    image: IMAGE,
    size: SIZE,
    output: 'output',
    mode: 0o600,
    force,
    sectorSize: SECTOR,
    convert: (bytes: Uint8Array, at: number) => sectors.encrypt(bytes, at),
    most: BATCH,
    advance() {},
  });
  const old = new Uint8Array(100).fill(1);

  const cases = [false, true].flatMap((force) => [true, false].map((hardLinks) => ({ force, hardLinks })));
  test.each(cases)('power is cut at any operation: %o', async ({ force, hardLinks }) => {
    const fresh = (): Disk => {
      const disk = Object.assign(new Disk().put(IMAGE, plaintext), { hardLinks });
      return force ? disk.put('output', old) : disk;
    };
    const rehearsal = fresh();
    await convertToFile(copy(rehearsal, force));
    expect(same(rehearsal.restart('nothing', random).get('output'), ciphertext)).toBe(true);
    for (const fate of fates)
      for (let cut = 0; cut < rehearsal.operations; cut++) {
        const disk = fresh();
        disk.cutAt = cut;
        expect(await withCut(convertToFile(copy(disk, force)))).toBe('cut');
        const found = disk.restart(fate, random);
        expect(same(found.get(IMAGE), plaintext)).toBe(true);
        const output = found.get('output');
        expect(force ? same(output, old) || same(output, ciphertext) : !output || same(output, ciphertext)).toBe(true);
        // The next run in the folder leaves nothing of this one.
        await convertToFile({ ...copy(found, true), output: 'another' });
        expect(found.names).toEqual(output ? ['another', IMAGE, 'output'] : ['another', IMAGE]);
      }
  });

  test('an image in a folder that cannot be listed or written to has no lock, and a change is noticed', async () => {
    const denied = (): Promise<never> =>
      Promise.reject(new Failure('', { cause: Object.assign(new Error(), { code: 'EACCES', errno: -13 }) }));
    for (const changed of [false, true]) {
      const disk = new Disk().put(IMAGE, plaintext);
      const [create, list] = [disk.create.bind(disk), disk.list.bind(disk)];
      let lists = 0;
      vi.spyOn(disk, 'create').mockImplementation((path) => (/image/.test(path as string) ? denied() : create(path)));
      // The folder of the output, which is looked at twice, before that of the image.
      vi.spyOn(disk, 'list').mockImplementation(() => (++lists > 2 ? denied() : list()));
      const convert = (bytes: Uint8Array, at: number): void => {
        if (changed && at > 0) disk.touch(IMAGE);
        sectors.encrypt(bytes, at);
      };
      const work = convertToFile({ ...copy(disk, false), convert });
      if (changed) await expect(work).rejects.toThrow('image: was changed while it was read; there is no output');
      else await work;
      expect(disk.names).toEqual(changed ? [IMAGE] : [IMAGE, 'output']);
    }
  });

  test('any operation fails: nothing is left behind, or the whole output', async () => {
    const rehearsal = new Disk().put(IMAGE, plaintext);
    await convertToFile(copy(rehearsal, false));
    for (let fail = 0; fail < rehearsal.operations; fail++) {
      const disk = new Disk().put(IMAGE, plaintext);
      disk.failAt = fail;
      await expect(convertToFile(copy(disk, false))).rejects.toThrow(Failure);
      const output = disk.get('output');
      expect(!output || same(output, ciphertext)).toBe(true);
      expect(disk.names.filter((name) => name.includes('draft'))).toEqual([]);
      disk.failAt = Infinity;
      await convertToFile(copy(disk.nextProcess(), output !== undefined));
      expect(disk.names).toEqual([IMAGE, 'output']);
    }
    expect(process.listenerCount('SIGINT')).toBe(0);
  });
});
