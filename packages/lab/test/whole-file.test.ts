/** What the lab writes is there whole, or not at all. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { writeWhole } from '../src/whole-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'lanewise-whole-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('a file that cannot get its name leaves nothing', () => {
  const path = join(folder, 'result.json');
  writeWhole(path, 'one');
  writeWhole(path, 'two');
  expect(readFileSync(path, 'utf8')).toBe('two');
  // A folder is not replaced.
  mkdirSync(join(folder, 'folder'));
  expect(() => writeWhole(join(folder, 'folder'), 'three')).toThrow('EISDIR');
  expect(readdirSync(folder).sort()).toEqual(['folder', 'result.json']);
});
