#!/usr/bin/env node
/** The `lanewise` command: runs a subcommand and sets the exit code. */
import { readFileSync } from 'node:fs';
import { Failure, UsageError, type Command } from './command.ts';
import { commandLine } from './command-line.ts';
import { endOnClosedOutput, print, printable, say } from './terminal.ts';

interface Entry {
  readonly summary: string;
  load(): Promise<Command>;
}

/** Each subcommand is a file in commands/, which is loaded only if the subcommand is used. */
const commands: ReadonlyMap<string, Entry> = new Map([
  ['hash', { summary: 'print or check BLAKE3 checksums, as b3sum does', load: () => import('./commands/hash.ts') }],
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
  ['disk', { summary: 'encrypt or decrypt images of disks and databases', load: () => import('./commands/disk.ts') }],
]);

const help = (): string => `lanewise COMMAND [OPTIONS]

Commands:
${[...commands].map(([name, { summary }]) => `  ${name.padEnd(10)} ${summary}\n`).join('')}
  lanewise COMMAND --help   what a command takes
  lanewise --help           this text
  lanewise --version        the version

Exit codes: 0 all is right; 1 a mismatch, or something could not be read or written; 2 wrong arguments.
`;

/** package.json is one folder above both the source and the build output. */
function version(): string {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };
  return manifest.version;
}

async function main(): Promise<number> {
  const [first, ...rest] = commandLine();
  if (!first) throw new UsageError('no command given; lanewise --help lists the commands');
  if (first.text === '--help' || first.text === '-h') {
    await print(help());
    return 0;
  }
  if (first.text === '--version' || first.text === '-V') {
    await print(`lanewise ${version()}\n`);
    return 0;
  }
  const entry = commands.get(first.text);
  if (!entry) {
    const kind = first.text.startsWith('-') ? 'option' : 'command';
    throw new UsageError(`unknown ${kind} '${printable(first.text)}'; lanewise --help lists the commands`);
  }
  who = `lanewise ${first.text}`;
  return await (await entry.load()).run(rest);
}

let who = 'lanewise';
endOnClosedOutput(who);
try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof UsageError || error instanceof Failure)) throw error;
  say(who, error.message);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
