/** The test page's questions to age, b3sum and the machine. */
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { agePath, b3sum, judge, type Opener } from './age.ts';
import { memoryOfChildren } from './memory.ts';
import { downloaded, type Answers } from './server.ts';

const DOWNLOAD_MILLISECONDS = 60_000;

const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Text that is random enough for files. */
const content = (lines: number): string =>
  Array.from({ length: lines }, (_, i) => `line ${i} ${digestOf(Buffer.from(String(i)))}\n`).join('');

export function judges(folder: string, downloads: string): Answers {
  const path = (name: string): string => join(folder, name);
  const keyFile = (identity: string): string => {
    writeFileSync(path('identity.txt'), `${identity}\n`);
    return path('identity.txt');
  };
  let memory: ReturnType<typeof memoryOfChildren> | undefined;
  return {
    /** Waits for a download, and puts it among the test files. */
    async downloaded(name: string) {
      renameSync(await downloaded(downloads, name, DOWNLOAD_MILLISECONDS), path(name));
    },
    /** Downloads whose names begin so. */
    strays: (beginnings: readonly string[]) =>
      readdirSync(downloads).filter((name) => beginnings.some((beginning) => name.startsWith(beginning))),
    /** The SHA-256 of the judge's plaintext. */
    ageOpens: async ({ name, ...opener }: { name: string } & Opener) =>
      digestOf(await judge.decrypt(path(name), opener)),
    /** The BLAKE3 hash of age's plaintext, which is too large for memory. */
    async ageOpensLarge({ name, identity }: { name: string; identity: string }) {
      const opening = spawn(join(agePath!, 'age'), ['-d', '-i', keyFile(identity), path(name)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const hashing = spawn('b3sum', ['--no-names'], { stdio: [opening.stdout, 'pipe', 'inherit'] });
      let text = '';
      hashing.stdout.setEncoding('utf8').on('data', (some: string) => (text += some));
      const [[code]] = (await Promise.all([once(opening, 'exit'), once(hashing, 'close')])) as [[number], unknown];
      return code === 0 ? text.trim() : `age failed with ${code}`;
    },
    /** A file that the judge encrypts for a new key. */
    async ageMakes(name: string) {
      const { identity, recipient } = await judge.makeKey();
      writeFileSync(path(name), content(5000));
      await judge.encrypt(path(name), path(`${name}.age`), { recipient });
      return { identity, digest: digestOf(readFileSync(path(name))) };
    },
    /** A file that the judge encrypts with a passphrase. */
    async ageLocks({ name, passphrase }: { name: string; passphrase: string }) {
      writeFileSync(path(name), content(5000));
      await judge.encrypt(path(name), path(`${name}.age`), { passphrase });
    },
    b3sum: (name: string) => b3sum(path(name)),
    /** The output of b3sum for a checksum file. */
    b3sumChecks: (name: string) =>
      execFileSync('b3sum', ['--check', name], { cwd: folder }).toString().trim().split('\n'),
    /** How many megabytes the browser took more between the beginning and the end, at the most. */
    memory(which: 'begin' | 'end') {
      if (which === 'end') return memory!.stop();
      memory = memoryOfChildren();
      return 0;
    },
  };
}
