/** `lanewise keygen`: makes identities of age, and shows their recipients. */
import { generateHybridIdentity, generateIdentity, identityToRecipient } from '@lanewise/age';
import { fstatSync } from 'node:fs';
import { identitiesIn } from '../age/keys.ts';
import { refuseSame, withFile } from '../output/output.ts';
import { Failure, UsageError } from '../command.ts';
import type { Argument } from '../command-line.ts';
import { nameOf, system as storage } from '../disk/storage.ts';
import { COMMON, parseOptions } from '../parse-options.ts';
import { print, say } from '../terminal.ts';

const WHO = 'lanewise keygen';
/** Only the owner may read an identity. */
const MODE = 0o600;
const READABLE_BY_ALL = 0o004;

export const HELP = `lanewise keygen [--pq] [-o OUTPUT]
lanewise keygen -y [-o OUTPUT] [INPUT]

Makes an identity of age, which decrypts what is encrypted to its recipient.
      --pq            a post-quantum identity, AGE-SECRET-KEY-PQ-1…
  -y, --convert       show the recipients of the identities in INPUT, or in standard input
  -o, --output FILE   write FILE, which must not be there, for its owner only
  -h, --help          this text
  -V, --version       the version of lanewise
`;

export const options = {
  ...COMMON,
  pq: { type: 'boolean' },
  convert: { type: 'boolean', short: 'y' },
  output: { type: 'string', short: 'o' },
} as const;

/** RFC 3339, in the time zone of the machine. */
function now(): string {
  const date = new Date();
  const zone = -date.getTimezoneOffset();
  const local = new Date(date.getTime() + zone * 60_000).toISOString().slice(0, 19);
  if (zone === 0) return `${local}Z`;
  const two = (value: number): string => String(Math.floor(value)).padStart(2, '0');
  return `${local}${zone < 0 ? '-' : '+'}${two(Math.abs(zone) / 60)}:${two(Math.abs(zone) % 60)}`;
}

async function write(text: string, output: string | undefined, replace: boolean): Promise<void> {
  if (output === undefined) {
    await print(text);
    return;
  }
  // Another program may have made the file since it was looked for.
  await withFile(output, MODE, (file) => file.write(Buffer.from(text)), replace);
}

export async function run(given: readonly Argument[]): Promise<number> {
  const parsed = parseOptions(given, options);
  if (parsed === 'help') {
    await print(HELP);
    return 0;
  }
  const { values, operands } = parsed;
  const output = values.output === '-' ? undefined : values.output;
  if (output === '') throw new UsageError('--output is empty');
  if (values.convert) {
    if (values.pq) throw new UsageError('-y shows recipients of identities that are there, and --pq makes one');
    if (operands.length > 1) throw new UsageError('one input at a time');
    const input = operands.at(0)?.text ?? '-';
    if (output !== undefined) await refuseSame(output, [input]);
    const recipients = await Promise.all((await identitiesIn(input)).map((identity) => identityToRecipient(identity)));
    await write(recipients.map((recipient) => `${recipient}\n`).join(''), output, true);
    return 0;
  }
  if (operands.length) throw new UsageError('an input is for -y only');
  if (output !== undefined && (await storage.look(output)))
    throw new Failure(`${nameOf(output)}: is there; identities are never replaced`);
  const identity = values.pq ? await generateHybridIdentity() : await generateIdentity();
  const recipient = await identityToRecipient(identity);
  const onFile = output === undefined && fstatSync(1).isFile();
  if (onFile && fstatSync(1).mode & READABLE_BY_ALL)
    say(WHO, 'warning: writing the secret key to a world-readable file');
  await write(`# created: ${now()}\n# public key: ${recipient}\n${identity}\n`, output, false);
  if (!process.stdout.isTTY || output !== undefined) say(WHO, `public key: ${recipient}`);
  return 0;
}
