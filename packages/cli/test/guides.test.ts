/** The shell commands of the guides and of the READMEs that name a file, as they stand: each block in a folder of its own. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { main } from './programs.ts';

const workspace = join(import.meta.dirname, '../../..');
/** Guides whose shell blocks are about the command. */
const GUIDES = ['docs/guide/files-and-bodies.md', 'docs/guide/passwords.md', 'docs/guide/verified-streaming.md'];

const folder = mkdtempSync(join(tmpdir(), 'lanewise-guides-'));
afterAll(() => rmSync(folder, { recursive: true }));

const hasShell = process.platform !== 'win32';
if (!hasShell) console.log('SKIPPED: the shell commands of the guides: there is no sh on Windows');

const blocks = GUIDES.flatMap((file) =>
  [...readFileSync(join(workspace, file), 'utf8').matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, code], i) => ({
    name: `${file}, block ${i + 1}`,
    code,
  })),
);

it('finds them', () => expect(blocks.length).toBeGreaterThan(1));

describe.runIf(hasShell)('in a shell', () => {
  it.each(blocks)('$name', ({ name, code }) => {
    const its = join(folder, name.replaceAll('/', '-'));
    mkdirSync(its);
    const program = join(its, 'lanewise');
    writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`);
    chmodSync(program, 0o755);
    const content = new Uint8Array(300_000).fill(7);
    for (const file of ['backup.tar', 'diary.txt']) writeFileSync(join(its, file), content);
    const { status, stderr } = spawnSync('sh', ['-euc', code], {
      cwd: its,
      encoding: 'utf8',
      env: {
        ...process.env,
        PATH: `${its}${delimiter}${process.env['PATH']}`,
        AGE_PASSPHRASE: 'five random words are enough',
        AGE_PASSPHRASE_WORK_FACTOR: '8',
      },
    });
    expect(status, stderr).toBe(0);
    // The decrypted files equal the originals, under the names in the guides.
    for (const [, again] of code.matchAll(/ -o (\S+-again\S*)/g))
      expect(readFileSync(join(its, again)).equals(content), again).toBe(true);
    for (const [, length, part] of code.matchAll(/ --length (\d+) .*> (\w+)/g))
      expect(readFileSync(join(its, part)).length, part).toBe(Number(length));
  });
});
