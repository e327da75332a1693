#!/usr/bin/env node
/** The `lanewise` command: runs a subcommand and sets the exit code. */
import { readFileSync } from 'node:fs';
import { Failure, UsageError, VersionAsked } from './command.ts';
import { commands } from './commands.ts';
import { commandLine } from './command-line.ts';
import { isSystemError, systemMessage } from './system-errors.ts';
import { endOnClosedOutput, print, printable, say } from './terminal.ts';

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
  const command = await entry.load();
  try {
    return await command.run(rest);
  } catch (error) {
    if (!(error instanceof VersionAsked)) throw error;
    await print(`lanewise ${version()}\n`);
    return 0;
  }
}

/** The system can run out of files or memory anywhere, also where a subcommand is loaded. */
const EXHAUSTED: readonly string[] = ['EMFILE', 'ENFILE', 'ENOMEM'];

let who = 'lanewise';
endOnClosedOutput(who);
try {
  process.exitCode = await main();
} catch (error) {
  if (isSystemError(error) && EXHAUSTED.includes(error.code ?? '')) say(who, systemMessage(error));
  else if (error instanceof UsageError || error instanceof Failure) say(who, error.message);
  else throw error;
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
