/** Encrypted files with headers and tags when power is cut: after each single operation of the store, and again after that. */
import { describe, expect, test } from 'vitest';
import { xchacha20poly1305 } from '../../src/chacha.ts';
import { authenticatedPages, encryptedFile, type SynchronousFile } from '../../src/disk.ts';
import { decode, encode } from '../support/authenticated-file.ts';
import { concat, expectBytes, refusal, sample } from '../support/bytes.ts';
import { Failed, fates, Medium, PowerCut, type Fate } from '../support/power.ts';

const PAGE = 512;
const CONTENT = PAGE - 40;
const PAGES = 8192;
const key = sample(32, 1);
const cipher = authenticatedPages(xchacha20poly1305, key);
const seed = Number(process.env['LANEWISE_SEED'] ?? Date.now() % 2 ** 31);
console.log(`disk-authenticated-power: LANEWISE_SEED=${seed}`);

/** Numbers from 0 to 1, the same for the same seed: xorshift. */
function generator(state: number): () => number {
  state = state * 2 + 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

const openFile = (medium: Medium): SynchronousFile => encryptedFile(medium, cipher, { pageSize: PAGE, create: true });

/** Contents of the file, oldest first: the first is certain to be on the medium, the last may not have been written yet. */
interface History {
  versions: Uint8Array[];
}

/** Random operations until power is cut or one fails, or to the end. */
function work(file: SynchronousFile, history: History, random: () => number, count: number): void {
  const below = (most: number): number => Math.floor(random() * most);
  try {
    for (let n = 0; n < count; n++) {
      const before = history.versions.at(-1)!;
      const place = random() < 0.4 ? below(7) * CONTENT : below(7 * CONTENT);
      const kind = random();
      if (kind < 0.2) {
        file.flush();
        history.versions = [before];
        continue;
      }
      const after = new Uint8Array(kind < 0.4 ? place : Math.max(before.length, place + 1 + below(2 * CONTENT)));
      after.set(before.subarray(0, after.length));
      if (kind < 0.4) {
        history.versions.push(after);
        file.truncate(place);
      } else {
        const data = sample(1 + below(after.length - place), below(2 ** 30));
        const end = Math.max(before.length, place + data.length);
        after.set(data, place);
        history.versions.push(after.slice(0, end));
        file.write(data, place);
      }
    }
  } catch (error) {
    if (!(error instanceof PowerCut || error instanceof Failed)) throw error;
  }
}

/** A page of a version, with zeros after the end of that. */
function pageOf(version: Uint8Array, page: number): Uint8Array {
  const content = new Uint8Array(CONTENT);
  content.set(version.subarray(page * CONTENT, (page + 1) * CONTENT));
  return content;
}

/** Whether the file is as old or as new as it may be, page by page; torn pages are errors, and can be written over. */
function recover(
  file: SynchronousFile,
  history: History,
  what: string,
  isFlushed = true,
): { content: Uint8Array; torn: number } {
  const size = file.size();
  const lengths = history.versions.map(({ length }) => length);
  expect(lengths, `${what}: the length`).toContain(size);
  const content = new Uint8Array(size);
  let torn = 0;
  for (let at = 0, page = 0; at < size; at += CONTENT, page++) {
    const part = content.subarray(at, at + CONTENT);
    const error = refusal(() => file.read(part, at));
    if (error !== 'nothing was refused') {
      expect(error, what).toBe(`Error: cannot read page ${page} of the file: invalid tag`);
      torn++;
      file.write(sample(part.length, page), at);
      part.set(sample(part.length, page));
    } else {
      const may = history.versions.map((version) => pageOf(version, page).subarray(0, part.length));
      if (!may.some((version) => Buffer.compare(version, part) === 0))
        expect.fail(`${what}: page ${page} of ${size} bytes is none of ${may.length} versions`);
    }
  }
  const back = new Uint8Array(size);
  expect(file.read(back, 0)).toBe(size);
  expectBytes(back, content, `${what}: after repair`);
  if (isFlushed) file.flush();
  return { content, torn };
}

test('whenever power is cut the file opens, and each page is old, new, or an error', () => {
  let cuts = 0;
  let torn = 0;
  let lost = 0;
  for (let script = 0; script < 6; script++) {
    /** Runs the operations of the script, which are the same each time, until power is cut. */
    const run = (cutAt: number): { medium: Medium; history: History } => {
      const medium = new Medium();
      const history = { versions: [new Uint8Array()] };
      medium.cutAt = cutAt;
      work(openFile(medium), history, generator(seed + script), 12);
      return { medium, history };
    };
    const { operations } = run(Infinity).medium;
    for (let cutAt = 1; cutAt <= operations + 1; cutAt++) {
      const { medium, history } = run(cutAt);
      for (const fate of [...fates, 'anything', 'anything'] as Fate[]) {
        const random = generator(seed + 1000 * cutAt + cuts++);
        const what = `seed ${seed}, script ${script}, cut ${cutAt}, ${fate}`;
        const after = medium.restart(fate, random);
        const first = recover(openFile(after), history, what);
        torn += first.torn;
        if (history.versions.length > 1 && first.content.length === history.versions[0].length) lost++;
        // The operations start again from there.
        const next = { versions: [first.content] };
        after.cutAt = after.operations + 1 + Math.floor(random() * 20);
        work(openFile(after), next, random, 6);
        const last = fates[Math.floor(random() * fates.length)];
        torn += recover(openFile(after.restart(last, random)), next, `${what}, then ${last}`).torn;
      }
    }
  }
  console.log(`disk-authenticated-power: ${2 * cuts} cuts, ${torn} torn pages, ${lost} times at the last flush`);
  // Some page must have been torn, or the test shows nothing.
  expect(torn).toBeGreaterThan(50);
  expect(lost).toBeGreaterThan(50);
});

test('whichever operation of the store fails, the file goes on: each page is old, new, or an error', () => {
  let torn = 0;
  let headers = 0;
  for (let script = 0; script < 8; script++) {
    const run = (failAt: number, tear: number): { medium: Medium; file: SynchronousFile; history: History } => {
      const medium = new Medium();
      const file = openFile(medium);
      const history = { versions: [new Uint8Array()] };
      medium.failAt = failAt;
      // Of a header, which has 96 bytes, any beginning; pages are torn in their midst.
      medium.torn = ({ at, bytes }) => {
        if (at >= PAGES) return bytes.length / 2;
        headers++;
        return tear;
      };
      work(file, history, generator(seed + script), 12);
      return { medium, file, history };
    };
    const { operations } = run(Infinity, 0).medium;
    for (let failAt = 1; failAt <= operations; failAt++) {
      for (const tear of [0, 20, 60, 96]) {
        const random = generator(seed + 100 * failAt + tear);
        const { medium, file, history } = run(failAt, tear);
        const what = `seed ${seed}, script ${script}, failure ${failAt}, torn after ${tear} bytes`;
        // The process lives, and knows the operations before the one that failed.
        expect(
          history.versions.slice(-2).map(({ length }) => length),
          what,
        ).toContain(file.size());
        // Another file over the same handle learns it.
        const other = random() < 0.3 ? openFile(medium) : file;
        const isFlushed = random() < 0.5;
        const found = recover(other, history, what, isFlushed);
        torn += found.torn;
        if (isFlushed) expectBytes(decode(medium.bytes, key), found.content, `${what}: the store`);
        const next = { versions: isFlushed ? [found.content] : [...history.versions, found.content] };
        if (random() < 0.5) medium.cutAt = medium.operations + 1 + Math.floor(random() * 12);
        work(other, next, random, 4);
        const isCut = medium.operations >= medium.cutAt;
        medium.cutAt = Infinity;
        const after = isCut ? openFile(medium.restart('anything', random)) : file;
        const allowed = isCut ? next : { versions: next.versions.slice(-1) };
        const end = recover(after, allowed, `${what}, then ${isCut ? 'cut' : 'on'}`);
        if (!isCut) expect(end.torn).toBe(0);
      }
    }
  }
  expect(torn).toBeGreaterThan(0);
  expect(headers).toBeGreaterThan(50);
});

describe('one at a time', () => {
  const content = sample(6 * CONTENT, 3);
  const id = sample(16, 2);
  let nonces = 50;
  const model = (pages: number, generations: readonly [number | undefined, number | undefined]) =>
    encode({
      key,
      id,
      pageSize: PAGE,
      content: content.subarray(0, pages * CONTENT),
      generations,
      nonce: () => sample(24, nonces++),
    });

  test('after flush both headers are on the medium', () => {
    const medium = new Medium();
    const file = openFile(medium);
    for (const length of [100, 2000, 3000]) {
      file.write(content.subarray(0, length), 0);
      file.flush();
      expectBytes(decode(medium.restart('nothing', () => 0).bytes, key), content.subarray(0, length), 'the store');
    }
    file.truncate(500);
    expectBytes(decode(medium.restart('nothing', () => 0).bytes, key), content.subarray(0, 500), 'the store');
  });

  test('pages behind the end are cut off when the file grows within its last page', () => {
    const bytes = model(3, [5, 5]);
    bytes.set(model(2, [7, 7]).subarray(0, PAGES));
    const medium = new Medium(bytes);
    openFile(medium).truncate(2 * CONTENT - 9);
    const longer = concat(medium.bytes, bytes.subarray(medium.bytes.length));
    expect(longer.length).toBe(PAGES + 3 * PAGE);
    const again = new Medium(longer);
    openFile(again).write(content.subarray(0, 3), 2 * CONTENT - 9);
    expect(again.restart('nothing', () => 0).bytes.length).toBe(PAGES + 2 * PAGE);
  });

  test.each(['the file', 'another file over the handle'])('a torn header is written again by %s', (by) => {
    for (const tear of [16, 41, 60, 95, 96, -16, -41, -60, -95, -96]) {
      const medium = new Medium();
      const file = openFile(medium);
      file.write(content, 0);
      // Then the older copy is torn, and the newer one stays.
      if (tear < 0) file.flush();
      medium.failAt = medium.operations + 2;
      medium.torn = () => Math.abs(tear);
      expect(refusal(() => file.write(sample(10, 4), content.length))).toBe('Error: EIO');
      expect(file.size()).toBe(content.length);
      if (by === 'another file over the handle') {
        const back = new Uint8Array(content.length);
        openFile(medium).read(back, 0);
        expectBytes(back, content, 'the content');
      } else file.write(content.subarray(0, 1), 0);
      // Were the process to end now, the store would say as much.
      expect(openFile(new Medium(medium.bytes)).size()).toBe(content.length);
      file.write(sample(10, 5), 0);
      file.flush();
      expectBytes(decode(medium.bytes, key), concat(sample(10, 5), content.subarray(10)), 'the store');
    }
  });

  test.each([
    ['the flush of a cut', (file: SynchronousFile) => file.truncate(CONTENT), 2],
    ['pages behind others', (file: SynchronousFile) => file.write(sample(300 * CONTENT, 8), CONTENT), 2],
    ['the header behind pages', (file: SynchronousFile) => file.write(content, CONTENT), 2],
  ])('what is behind the end after a failure of %s does not come back', (what, fail, nth) => {
    const start = what === 'the flush of a cut' ? content : content.subarray(0, CONTENT);
    for (let n = 0; n < 40; n++) {
      const medium = new Medium();
      const file = openFile(medium);
      file.write(start, 0);
      file.flush();
      medium.failAt = medium.operations + nth;
      expect(refusal(() => fail(file))).toBe('Error: EIO');
      expect(file.size()).toBe(CONTENT);
      file.flush();
      file.write(sample(6 * CONTENT, 9), CONTENT);
      const after = openFile(medium.restart('anything', generator(seed + n)));
      const page = new Uint8Array(CONTENT);
      for (let at = CONTENT; at < after.size(); at += CONTENT)
        if (refusal(() => after.read(page, at)) === 'nothing was refused')
          expectBytes(page, sample(6 * CONTENT, 9).subarray(at - CONTENT, at), `page at ${at}`);
    }
  });

  test.each(['the file', 'another file over the handle'])(
    'when the flush of a cut fails, %s keeps the pages until no header on the medium has them',
    (by) => {
      for (let cutAt = 1; cutAt <= 8; cutAt++)
        for (let n = 0; n < 20; n++) {
          const medium = new Medium();
          const file = openFile(medium);
          file.write(content, 0);
          file.flush();
          medium.failAt = medium.operations + 2;
          expect(refusal(() => file.truncate(CONTENT))).toBe('Error: EIO');
          medium.cutAt = medium.operations + cutAt;
          refusal(() => (by === 'the file' ? file : openFile(medium)).write(content.subarray(0, 5), 2 * CONTENT));
          const after = openFile(medium.restart('anything', generator(seed + n)));
          expect([CONTENT, 2 * CONTENT + 5, content.length], `seed ${seed + n}, cut ${cutAt}`).toContain(after.size());
        }
    },
  );

  test('bytes of a write that failed do not appear behind the end of the file', () => {
    for (let cutAt = 1; cutAt <= 8; cutAt++)
      for (let n = 0; n < 20; n++) {
        const medium = new Medium();
        const file = openFile(medium);
        file.write(content.subarray(0, 10), 0);
        file.flush();
        medium.failAt = medium.operations + 2;
        medium.torn = () => 0;
        expect(refusal(() => file.write(content.subarray(10, 300), 10))).toBe('Error: EIO');
        file.flush();
        medium.cutAt = medium.operations + cutAt;
        refusal(() => file.write(content.subarray(0, 5), 3 * CONTENT));
        const after = openFile(medium.restart('anything', generator(seed + n)));
        const page = new Uint8Array(Math.min(CONTENT, after.size()));
        if (refusal(() => after.read(page, 0)) !== 'nothing was refused') continue;
        const expected = new Uint8Array(page.length);
        expected.set(content.subarray(0, 10));
        expectBytes(page, expected, `seed ${seed + n}, cut ${cutAt}`);
      }
  });

  test('a header whose pages were lost does not come back when the store has grown', () => {
    const bytes = model(1, [5, undefined]);
    bytes.set(model(3, [undefined, 6]).subarray(4096, PAGES), 4096);
    for (let cutAt = 1; cutAt <= 8; cutAt++) {
      const medium = new Medium(bytes.slice());
      medium.cutAt = cutAt;
      const file = openFile(medium);
      expect(file.size()).toBe(CONTENT);
      refusal(() => file.write(content, 0));
      const size = openFile(medium.restart('killed', () => 0)).size();
      expect([CONTENT, 6 * CONTENT], `cut ${cutAt}`).toContain(size);
    }
  });
});
