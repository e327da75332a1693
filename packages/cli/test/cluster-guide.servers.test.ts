/** The shell commands and the programs of docs/guide/cluster.md, as they stand but for addresses and folders, with servers of this machine. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasServer } from '../../cluster/test/servers/available.ts';
import { startRedis, type RedisServer } from '../../cluster/test/servers/redis.ts';
import { startS3, type S3Server } from '../../cluster/test/servers/s3.ts';
import { bytes, hash, main } from './programs.ts';

/** Milliseconds after which a command is taken to hang. */
const PATIENCE = 200_000;

const workspace = join(import.meta.dirname, '../../..');
const guide = readFileSync(join(workspace, 'docs/guide/cluster.md'), 'utf8');
const blocks = (language: string): string[] =>
  [...guide.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(([, code]) => code);

describe.skipIf(!(hasServer('redis-server') && hasServer('versitygw')))(
  'docs/guide/cluster.md',
  { concurrent: false },
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'lanewise-guide-'));
    const [data, keys] = ['data', 'keys'].map((name) => join(folder, name));
    const content = bytes(2_000_000);
    let redis: RedisServer;
    let s3: S3Server;

    /** With the addresses of this machine. */
    const here = (code: string): string =>
      code
        .replaceAll('/srv/data', data)
        .replaceAll('/srv/keys', keys)
        .replaceAll('redis://127.0.0.1:6379', redis.url)
        .replaceAll('http://127.0.0.1:7070', s3.endpoint)
        .replace(/AWS_ACCESS_KEY_ID=\S+/, `AWS_ACCESS_KEY_ID=${s3.options.accessKeyId}`)
        .replace(/AWS_SECRET_ACCESS_KEY=\S+/, `AWS_SECRET_ACCESS_KEY=${s3.options.secretAccessKey}`);

    async function run(
      command: string,
      values: readonly string[],
    ): Promise<{ status: number; stdout: string; stderr: string }> {
      const PATH = `${folder}${delimiter}${process.env['PATH']}`;
      const child = spawn(command, values, {
        cwd: folder,
        env: { ...process.env, PATH },
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: true,
      });
      let [stdout, stderr] = ['', ''];
      child.stdout.on('data', (text: Buffer) => (stdout += text.toString()));
      child.stderr.on('data', (text: Buffer) => (stderr += text.toString()));
      const closed = once(child, 'close');
      const late = setTimeout(() => child.kill(), PATIENCE);
      const [status] = (await once(child, 'exit')) as [number];
      clearTimeout(late);
      try {
        // The workers that a shell has left run in its process group.
        process.kill(-child.pid!, 'SIGKILL');
      } catch {
        // It has left none.
      }
      await closed;
      return { status, stdout, stderr };
    }

    beforeAll(async () => {
      [redis, s3] = await Promise.all([startRedis(), startS3()]);
      for (const path of [data, keys]) mkdirSync(path);
      writeFileSync(join(data, 'archive.tar'), content);
      writeFileSync(join(data, 'notes.txt'), 'notes');
      await s3.put('archive.tar', Uint8Array.from(content));
      const program = join(folder, 'lanewise');
      writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`);
      chmodSync(program, 0o755);
      symlinkSync(join(workspace, 'node_modules'), join(folder, 'node_modules'), 'junction');
    });
    afterAll(async () => {
      await Promise.all([redis?.stop(), s3?.stop()]);
      rmSync(folder, { recursive: true });
    });

    it('the shell commands, one after the other', async () => {
      const script = blocks('sh').map(here).join('\n');
      const { status, stdout, stderr } = await run('sh', ['-euc', script]);
      expect(status, stdout + stderr).toBe(0);
      const get = (name: string): string => readFileSync(join(folder, name), 'utf8');
      // The same object, in a file and in the store, by workers and by one machine.
      const [digest] = hash(['--no-names', join(data, 'archive.tar')])
        .stdout.toString()
        .split('\n');
      for (const name of [`file://${data}/archive.tar`, 's3://objects/archive.tar'])
        expect(stdout).toContain(`${digest}  ${name}\n`);
      expect(get('by-workers.txt').split(' ')[0]).toBe(get('by-one.txt').split(' ')[0]);
      expect(get('by-one.txt')).not.toContain(digest);
      for (const name of ['archive-again.tar', 'archive-by-all.tar'])
        expect(readFileSync(join(data, name)).equals(content), name).toBe(true);
    });

    it('the programs', async () => {
      const [first, second] = blocks('ts').map(here);
      const program = (name: string, code: string): string => {
        writeFileSync(join(folder, name), code);
        return join(folder, name);
      };
      const worker = spawn(process.execPath, [main, 'worker', '--allow', `file://${data}/`, '--queue', redis.url], {
        stdio: 'ignore',
      });
      const hashed = await run(process.execPath, [program('hash.ts', first)]);
      worker.kill();
      expect(hashed.stdout, hashed.stderr).toBe(
        `${hash(['--no-names', join(data, 'archive.tar')])
          .stdout.toString()
          .trim()} ${content.length}\n`,
      );
      const started = await run(process.execPath, [program('worker.ts', second)]);
      expect(started.stdout, started.stderr).toBe('ready\n');
      expect(started.status).toBe(0);
    });
  },
);
