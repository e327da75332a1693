/** Files as objects: versions, ranges, and drafts that get their name when they are complete. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { ObjectChanged, ObjectError, ObjectMissing, readerOf, uploadOf } from '../src/objects/index.ts';
import { bytesOf, patterned } from './bytes.ts';

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
if (!isRoot) console.log('SKIPPED: uploads by two users, which only root can be');
const root = mkdtempSync(join(tmpdir(), 'lanewise-files-'));
afterAll(() => rmSync(root, { recursive: true }));
let folder: string;
let number = 0;
beforeEach(() => {
  folder = join(root, `${number++}`);
  mkdirSync(folder);
});
const path = (name: string): string => join(folder, name);
const url = (name: string): string => pathToFileURL(path(name)).href;
const reader = (name: string) => readerOf(url(name), { attempts: 2, timeout: 5000 });
const thrown = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('reading', () => {
  test('a file that was written in place, and whose time was set back, is another version', async () => {
    const time = new Date(1_600_000_000_000);
    writeFileSync(path('file'), 'one');
    utimesSync(path('file'), time, time);
    const object = await reader('file').look();
    writeFileSync(path('file'), 'two');
    utimesSync(path('file'), time, time);
    expect((await reader('file').look()).etag).not.toBe(object.etag);
    expect(await thrown(bytesOf(reader('file').read(object, 0, 3)))).toBeInstanceOf(ObjectChanged);
  });

  test('ranges of a file are its bytes, in pieces of at most 1 MiB', async () => {
    const content = patterned((2 << 20) + 5);
    writeFileSync(path('a file %#?'), content);
    const object = await reader('a file %#?').look();
    const { mtimeNs, ctimeNs, ino } = statSync(path('a file %#?'), { bigint: true });
    expect(object).toEqual({
      url: url('a file %#?'),
      size: content.length,
      etag: `"${content.length}-${mtimeNs}-${ctimeNs}-${ino}"`,
    });
    for (const [offset, length] of [
      [0, content.length],
      [1, 1 << 20],
      [content.length - 1, 1],
      [3, 0],
    ]) {
      const read = await bytesOf(reader('a file %#?').read(object, offset, length));
      expect(Buffer.compare(read, content.subarray(offset, offset + length))).toBe(0);
    }
    for await (const piece of reader('a file %#?').read(object, 0, object.size))
      expect(piece.length).toBeLessThanOrEqual(1 << 20);
  });

  test.each([
    ['written to', () => writeFileSync(path('file'), patterned(3 << 20), { flag: 'r+' })],
    ['made shorter', () => truncateSync(path('file'), 100)],
    ['made longer', () => writeFileSync(path('file'), 'x', { flag: 'a' })],
    [
      'replaced by another of the same size and time',
      () => {
        const { atime, mtime } = statSync(path('file'));
        writeFileSync(path('other'), patterned(3 << 20));
        utimesSync(path('other'), atime, mtime);
        renameSync(path('other'), path('file'));
      },
    ],
  ])('a file that is %s after it was looked up is an error', async (_what, change) => {
    writeFileSync(path('file'), patterned(3 << 20));
    const long = new Date(2020, 1);
    utimesSync(path('file'), long, long);
    const object = await reader('file').look();
    change();
    const error = await thrown(reader('file').read(object, 0, object.size)[Symbol.asyncIterator]().next());
    expect(error).toBeInstanceOf(ObjectChanged);
    expect(error).toMatchObject({
      message: `${url('file')}: the object has changed since it was looked up`,
      temporary: false,
    });
  });

  test.each([
    ['written to', () => writeFileSync(path('file'), 'x', { flag: 'r+' })],
    ['cut off', () => truncateSync(path('file'), 100)],
  ])('a file that is %s while it is read is an error before its last bytes', async (_what, change) => {
    writeFileSync(path('file'), patterned(3 << 20));
    const object = await reader('file').look();
    const pieces = reader('file').read(object, 0, object.size)[Symbol.asyncIterator]();
    await pieces.next();
    change();
    const rest = (async () => {
      while ((await pieces.next()).done !== true);
    })();
    expect(await thrown(rest)).toBeInstanceOf(ObjectChanged);
  });

  test('a folder, a pipe, nothing, and a file without permission', async () => {
    mkdirSync(path('folder'));
    expect(await thrown(reader('folder').look())).toMatchObject({
      message: `${url('folder')}: this is no regular file`,
    });
    expect(await thrown(reader('none').look())).toBeInstanceOf(ObjectMissing);
    expect(await thrown(reader('none').look())).toMatchObject({
      message: `${url('none')}: there is no such file (ENOENT)`,
    });
    expect(await thrown(reader('none/none').look())).toBeInstanceOf(ObjectMissing);
    if (process.platform !== 'win32') {
      execFileSync('mkfifo', [path('pipe')]);
      expect(await thrown(reader('pipe').look())).toMatchObject({ message: `${url('pipe')}: this is no regular file` });
      symlinkSync(path('circle'), path('circle'));
      expect(await thrown(reader('circle').look())).toMatchObject({ code: 'ELOOP', temporary: false });
    }
  });
});

describe('writing', () => {
  const upload = (name: string) => uploadOf(url(name), { attempts: 2, timeout: 5000 });
  const openToAll = (): void => {
    for (const place of [root, folder]) chmodSync(place, 0o777);
  };
  /** A call of an upload by another user, if this one may become one; gives its result, or its error as text. */
  const as = (uid: number, method: string, ...values: readonly unknown[]): string => {
    const script = `import { uploadOf } from ${JSON.stringify(new URL('../src/objects/index.ts', import.meta.url).href)};
      const values = JSON.parse(process.argv[1]).map((value) => (Array.isArray(value) && !value[0]?.etag ? Uint8Array.from(value) : value));
      process.stdout.write(String(await uploadOf(${JSON.stringify(url('target'))}, { attempts: 2 })[${JSON.stringify(method)}](...values).catch(String)));`;
    const given = ['--input-type=module', '-e', script, '--', JSON.stringify(values)];
    return execFileSync(process.execPath, given, { ...(isRoot && { uid, gid: uid }), encoding: 'utf8', cwd: folder });
  };
  const hidden = (): string[] => readdirSync(folder).filter((name) => name.startsWith('.'));

  test('parts in any order make a file, which has its name at the end only', async () => {
    const content = patterned(100_000);
    const id = await upload('target').begin();
    expect(hidden()).toHaveLength(1);
    const last = await upload('target').part(id, 2, 60_000, content.subarray(60_000));
    const wrong = await upload('target').part(
      id,
      1,
      0,
      content.subarray(0, 60_000).map((byte) => ~byte),
    );
    const first = await upload('target').part(id, 1, 0, content.subarray(0, 60_000));
    expect(wrong).toBe(first);
    expect(readdirSync(folder)).toEqual(hidden());
    const parts = [
      { number: 1, etag: first },
      { number: 2, etag: last },
    ];
    const etag = await upload('target').complete(id, parts);
    expect(Buffer.compare(readFileSync(path('target')), content)).toBe(0);
    expect(hidden()).toEqual([]);
    expect(await reader('target').look()).toMatchObject({ size: 100_000, etag });
    // A worker that died after that does it again; giving up comes too late.
    expect(await upload('target').complete(id, parts)).toBe(etag);
    await upload('target').abort(id);
    expect(Buffer.compare(readFileSync(path('target')), content)).toBe(0);
  });

  test('an empty part makes an empty file', async () => {
    const id = await upload('target').begin();
    const etag = await upload('target').part(id, 1, 0, new Uint8Array());
    await upload('target').complete(id, [{ number: 1, etag }]);
    expect(statSync(path('target')).size).toBe(0);
  });

  test('giving up leaves nothing, and what was there before', async () => {
    writeFileSync(path('target'), 'before');
    const id = await upload('target').begin();
    await upload('target').part(id, 1, 0, patterned(10));
    await upload('target').abort(id);
    await upload('target').abort(id);
    expect(readdirSync(folder)).toEqual(['target']);
    expect(readFileSync(path('target'), 'utf8')).toBe('before');
    expect(await thrown(upload('target').part(id, 1, 0, patterned(10)))).toBeInstanceOf(ObjectMissing);
    expect(await thrown(upload('target').complete(id, [{ number: 1, etag: '"0-10-7"' }]))).toBeInstanceOf(
      ObjectMissing,
    );
  });

  test('gaps, parts that were never written, and ids of others are refused', async () => {
    const id = await upload('target').begin();
    const etag = await upload('target').part(id, 1, 0, patterned(10));
    const [, inode] = /-(\d+)"$/.exec(etag)!;
    const complete = (parts: readonly { number: number; etag: string }[]) =>
      thrown(upload('target').complete(id, parts));
    expect(await complete([])).toMatchObject({ message: '"parts" expected at least one part, got length=0' });
    expect(
      await complete([
        { number: 1, etag },
        { number: 2, etag: `"11-5-${inode}"` },
      ]),
    ).toMatchObject({
      message: `"parts" expected part 2 to begin at 10, got "11-5-${inode}"`,
    });
    expect(
      await complete([
        { number: 1, etag },
        { number: 1, etag: `"10-5-${inode}"` },
      ]),
    ).toMatchObject({
      message: '"number" expected parts in ascending order, got 1 after 1',
    });
    expect(
      await complete([
        { number: 1, etag },
        { number: 2, etag: '"10-5-7"' },
      ]),
    ).toMatchObject({ message: `"parts" expected part 2 in the draft ${inode} of the others, got "10-5-7"` });
    expect(
      await complete([
        { number: 1, etag },
        { number: 2, etag: `"10-5-${inode}"` },
      ]),
    ).toMatchObject({
      message: `${url('target')}: the draft has 10 bytes, and its parts have 15`,
    });
    for (const other of ['../../etc/passwd', '', 7 as never, `${'0'.repeat(32)}.1/..`, `${'0'.repeat(32)}/..`])
      expect(await thrown(upload('target').part(other, 1, 0, patterned(1)))).toMatchObject({
        message: '"id" expected an id of begin()',
      });
    for (const wrong of [0, 10_001, 1.5])
      expect(await thrown(upload('target').part(id, wrong, 0, patterned(1)))).toBeInstanceOf(RangeError);
    expect(await thrown(upload('target').part(id, 1, -1, patterned(1)))).toBeInstanceOf(RangeError);
    expect(await thrown(upload('target').part(id, 1, 0, 'x' as never))).toBeInstanceOf(TypeError);
    expect(readdirSync(folder)).toEqual(hidden());
  });

  test('who may read the target stays as it was; a link stays a link', async () => {
    writeFileSync(path('real'), 'before');
    chmodSync(path('real'), 0o600);
    symlinkSync(path('real'), path('target'));
    const id = await upload('target').begin();
    const etag = await upload('target').part(id, 1, 0, patterned(3));
    await upload('target').complete(id, [{ number: 1, etag }]);
    expect(statSync(path('real')).mode & 0o777).toBe(0o600);
    expect(readFileSync(path('real'))).toEqual(Buffer.from(patterned(3)));
    expect(readdirSync(folder).sort()).toEqual(['real', 'target']);
  });

  test('a target that is read-only, or one of several names, is refused before any work', async () => {
    if (process.platform === 'win32') {
      console.log('SKIPPED: names and modes: Windows has others');
      return;
    }
    writeFileSync(path('target'), 'kept');
    linkSync(path('target'), path('other'));
    expect(await thrown(upload('target').begin())).toMatchObject({
      message: `${url('target')}: the file has 2 names (hard links), of which an upload would replace one: remove this one first`,
    });
    rmSync(path('other'));
    chmodSync(path('target'), 0o444);
    if (isRoot) chownSync(path('target'), NOBODY, NOBODY);
    openToAll();
    expect(as(NOBODY, 'begin')).toMatch(/the system denies access \(EACCES\)/);
    expect(readdirSync(folder)).toEqual(['target']);
    expect(readFileSync(path('target'), 'utf8')).toBe('kept');
  });

  test('a draft may be read by its owner only, and the file by whom the mask says', async () => {
    const id = await upload('target').begin();
    const etag = await upload('target').part(id, 1, 0, patterned(10));
    const [draft] = readdirSync(join(folder, hidden()[0]));
    expect(statSync(join(folder, hidden()[0], draft)).mode & 0o777).toBe(0o600);
    await upload('target').complete(id, [{ number: 1, etag }]);
    writeFileSync(path('usual'), '');
    expect(statSync(path('target')).mode).toBe(statSync(path('usual')).mode);
    expect(readdirSync(folder).sort()).toEqual(['target', 'usual']);
  });

  test('a part that comes when the upload has been given up makes no draft again', async () => {
    const id = await upload('target').begin();
    const parts = Array.from({ length: 20 }, (_, i) => thrown(upload('target').part(id, i + 1, i * 10, patterned(10))));
    await upload('target').abort(id);
    expect((await Promise.all(parts)).every((error) => error === undefined || error instanceof ObjectMissing)).toBe(
      true,
    );
    expect(readdirSync(folder)).toEqual([]);
  });

  test.each(['the draft', 'the draft, to nothing', 'the folder of the draft'])(
    'a symbolic link in place of %s leads nowhere',
    async (what) => {
      const elsewhere = path('elsewhere');
      mkdirSync(elsewhere);
      const kept = join(elsewhere, 'draft');
      if (!what.endsWith('nothing')) writeFileSync(kept, 'kept', { mode: 0o600 });
      const id = await upload('target').begin();
      const own = path(hidden()[0]);
      if (what.startsWith('the draft')) symlinkSync(kept, join(own, 'draft'));
      else {
        rmdirSync(own);
        symlinkSync(elsewhere, own);
      }
      const limited = () => uploadOf(url('target'), { attempts: 1 }, [url('target')]);
      expect(await thrown(limited().part(id, 1, 0, patterned(4)))).toBeInstanceOf(ObjectError);
      const inode = existsSync(kept) ? statSync(kept).ino : 1;
      expect(await thrown(limited().complete(id, [{ number: 1, etag: `"0-4-${inode}"` }]))).toBeInstanceOf(ObjectError);
      await thrown(limited().abort(id));
      expect(readdirSync(elsewhere)).toEqual(what.endsWith('nothing') ? [] : ['draft']);
      if (existsSync(kept)) expect(readFileSync(kept, 'utf8')).toBe('kept');
      if (existsSync(kept)) expect(statSync(kept).mode & 0o777).toBe(0o600);
      expect(readdirSync(folder)).not.toContain('target');
    },
  );

  test('a symbolic link in place of the file by which the mask is known is not followed', async () => {
    const id = await upload('target').begin();
    const etag = await upload('target').part(id, 1, 0, patterned(4));
    writeFileSync(path('other'), 'kept');
    symlinkSync(path('other'), join(folder, hidden()[0], 'mode'));
    await upload('target').complete(id, [{ number: 1, etag }]);
    expect(readFileSync(path('other'), 'utf8')).toBe('kept');
    expect(readdirSync(folder).sort()).toEqual(['other', 'target']);
  });

  describe.skipIf(!isRoot)('caller and workers as two users', () => {
    test('the draft and the file are of the workers', async () => {
      openToAll();
      const id = await upload('target').begin();
      const etag = as(NOBODY, 'part', id, 1, 0, [1, 2, 3]);
      expect(etag).toMatch(/^"0-3-\d+"$/);
      expect(as(NOBODY, 'complete', id, [{ number: 1, etag }])).toMatch(/^"3-/);
      expect(statSync(path('target'))).toMatchObject({ uid: NOBODY, size: 3 });
      expect(readdirSync(folder)).toEqual(['target']);
      // And the other way round; whichever gave up, nothing is left.
      const other = as(NOBODY, 'begin');
      await upload('target').part(other, 1, 0, patterned(3));
      as(NOBODY, 'abort', other);
      const third = await upload('target').begin();
      as(NOBODY, 'part', third, 1, 0, [1]);
      await upload('target').abort(third);
      expect(readdirSync(folder)).toEqual(['target']);
      expect(readFileSync(path('target'))).toEqual(Buffer.of(1, 2, 3));
    });

    test('workers as two users, or without permission in the folder: the message names draft and owner', async () => {
      openToAll();
      const id = await upload('target').begin();
      await upload('target').part(id, 1, 0, patterned(3));
      expect(as(NOBODY, 'part', id, 2, 3, [1])).toBe(
        `NotAllowed: ${url('target')}: the system denies user ${NOBODY} the draft (EACCES): ${join(folder, hidden()[0])}/draft belongs to user 0, group 0, mode 600; all workers need one user, who may write to the folder of the target`,
      );
      await upload('target').abort(id);
      chmodSync(folder, 0o755);
      const own = await upload('target').begin();
      expect(as(NOBODY, 'part', own, 1, 0, [1])).toBe(
        `NotAllowed: ${url('target')}: the system denies user ${NOBODY} the draft (EACCES): ${join(folder, hidden()[0])} belongs to user 0, group 0, mode 755; all workers need one user, who may write to the folder of the target`,
      );
      await upload('target').abort(own);
    });
  });

  test('a folder as target, and a folder that is not there', async () => {
    mkdirSync(path('folder'));
    expect(await thrown(upload('folder').begin())).toBeInstanceOf(ObjectError);
    expect(await thrown(upload('none/target').begin())).toMatchObject({ code: 'ENOENT' });
    expect(readdirSync(folder)).toEqual(['folder']);
  });

  test('a prefix that is the target itself permits its draft', async () => {
    const own = uploadOf(url('target'), {}, [url('target')]);
    const id = await own.begin();
    const etag = await own.part(id, 1, 0, patterned(3));
    await own.complete(id, [{ number: 1, etag }]);
    expect(readdirSync(folder)).toEqual(['target']);
  });
});
