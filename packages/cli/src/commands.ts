/** The subcommands. Each is a file in commands/, which is loaded only if it is used. */
import type { Command } from './command.ts';

export interface Entry {
  readonly summary: string;
  readonly load: () => Promise<Command>;
}

export const commands: ReadonlyMap<string, Entry> = new Map([
  ['hash', { summary: 'print or check BLAKE3 checksums, as b3sum does', load: () => import('./commands/hash.ts') }],
  [
    'verify',
    {
      summary: 'prove a file, or a range of it, against its BLAKE3 hash',
      load: () => import('./commands/verify.ts'),
    },
  ],
  [
    'fetch',
    {
      summary: 'fetch a file from any server, proven against its BLAKE3 hash',
      load: () => import('./commands/fetch.ts'),
    },
  ],
  [
    'encrypt',
    {
      summary: 'encrypt files to people or with a passphrase, as age does',
      load: () => import('./commands/encrypt.ts'),
    },
  ],
  ['decrypt', { summary: 'decrypt files of age', load: () => import('./commands/decrypt.ts') }],
  [
    'keygen',
    {
      summary: 'make an identity, which decrypts what is encrypted to you',
      load: () => import('./commands/keygen.ts'),
    },
  ],
  ['inspect', { summary: 'say what a file of age tells without a key', load: () => import('./commands/inspect.ts') }],
  [
    'worker',
    { summary: 'take work from a queue: one object, many machines', load: () => import('./commands/worker.ts') },
  ],
  ['jobs', { summary: 'show, wait for or cancel work in a queue', load: () => import('./commands/jobs.ts') }],
  [
    'sqlite',
    {
      summary: 'encrypt SQLite databases, decrypt them, change their keys, check every page',
      load: () => import('./commands/sqlite.ts'),
    },
  ],
  ['info', { summary: 'say which engine computes here, and why', load: () => import('./commands/info.ts') }],
  ['disk', { summary: 'encrypt or decrypt images of disks and databases', load: () => import('./commands/disk.ts') }],
]);
