/** The program of the README as it stands, but for the queue's address and the folders. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bytesFor } from './objects-on-disk.ts';
import { hasServer } from './servers/available.ts';
import { temporaryFolder } from './servers/process.ts';
import { startRedis } from './servers/redis.ts';

const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8');
const programs = [...readme.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code]) => code);

describe.skipIf(!hasServer('redis-server'))('the README', () => {
  it('has a program that prints what it says', async () => {
    expect(programs.length).toBe(1);
    const folder = temporaryFolder();
    const redis = await startRedis();
    // Beside the tests, because a program finds packages from where it lies.
    const program = join(import.meta.dirname, `readme-${process.pid}.mjs`);
    try {
      for (const name of ['data', 'keys']) mkdirSync(join(folder.path, name));
      writeFileSync(join(folder.path, 'data/archive.tar'), bytesFor('archive', 200_000));
      const here = programs[0].replaceAll('/srv/', `${folder.path}/`).replaceAll('redis://127.0.0.1:6379', redis.url);
      writeFileSync(program, here);
      const printed = execFileSync(process.execPath, [program], { encoding: 'utf8', timeout: 120_000 });
      const [, promised] = /\/\/ prints (.*)/.exec(programs[0])!;
      expect(printed.trim()).toBe(promised);
    } finally {
      rmSync(program, { force: true });
      await redis.stop();
      folder.remove();
    }
  });
});
