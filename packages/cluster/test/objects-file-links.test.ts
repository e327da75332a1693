/** Another user who may write to the folder of a target puts a link in place of the folder of a draft, as soon as it is made. */
import { mkdirSync, mkdtempSync, readdirSync, rmdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import type * as Files from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test, vi } from 'vitest';
import { NotAllowed, uploadOf } from '../src/objects/index.ts';
import { thrown } from './bytes.ts';

const root = mkdtempSync(join(tmpdir(), 'lanewise-links-'));
afterAll(() => rmSync(root, { recursive: true }));
const victim = join(root, 'victim');
let replace = (_folder: string): void => {};

vi.mock('node:fs/promises', async (original) => {
  const files = await original<typeof Files>();
  return {
    ...files,
    async mkdir(folder: string) {
      await files.mkdir(folder);
      replace(folder);
    },
  };
});

test.each([
  ['a folder', () => mkdirSync(victim)],
  ['a file', () => writeFileSync(victim, 'rights')],
])('a link to %s: it keeps its rights, and nothing is begun', async (_, make) => {
  rmSync(victim, { recursive: true, force: true });
  make();
  const folder = join(root, 'shared');
  mkdirSync(folder, { recursive: true, mode: 0o777 });
  const before = statSync(victim);
  replace = (its) => {
    rmdirSync(its);
    symlinkSync(victim, its);
  };
  const upload = uploadOf(pathToFileURL(join(folder, 'target')).href, { attempts: 1, timeout: 5000 });
  const error = await thrown(upload.begin());
  expect(error).toBeInstanceOf(NotAllowed);
  expect(String(error)).toContain('a symbolic link lies in place of the folder of its draft');
  const { mode, uid, gid, ctimeMs } = statSync(victim);
  expect({ mode, uid, gid, ctimeMs }).toEqual({
    mode: before.mode,
    uid: before.uid,
    gid: before.gid,
    ctimeMs: before.ctimeMs,
  });
  rmSync(folder, { recursive: true });
});

test('without one, the folder has the rights of the one it is in', async () => {
  replace = () => {};
  const folder = join(root, 'plain');
  mkdirSync(folder, { mode: 0o750 });
  const upload = uploadOf(pathToFileURL(join(folder, 'target')).href, { attempts: 1, timeout: 5000 });
  await upload.begin();
  const [draft] = readdirSync(folder);
  expect(statSync(join(folder, draft)).mode).toBe(statSync(folder).mode);
});
