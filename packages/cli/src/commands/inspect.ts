/** `lanewise inspect`: the facts that an age file reveals without a key. */
import { inspect, type Inspection } from '@lanewise/age/files.js';
import { eachTarget, targetsOf } from '../age/targets.ts';
import { UsageError } from '../command.ts';
import type { Argument } from '../command-line.ts';
import { piecesOf } from '../hash/input.ts';
import { COMMON, parseOptions } from '../parse-options.ts';
import { print, printable } from '../terminal.ts';

export const HELP = `lanewise inspect [--json] [INPUT…]

Says what age files tell without a key: recipients, sizes. Without INPUT, or for -, reads standard input.
      --json     one line of JSON for each file
  -h, --help     this text
  -V, --version  the version of lanewise
`;

export const options = { ...COMMON, json: { type: 'boolean' } } as const;

const QUANTUM = { true: 'yes', false: 'no', undefined: 'unknown' } as const;

function described(name: string, found: Inspection): string {
  const rows = [
    ['armored', found.armored ? 'yes' : 'no'],
    ['recipients', found.recipients.map(printable).join(', ')],
    ...(found.workFactor === undefined ? [] : [['work factor', `2^${found.workFactor}`]]),
    ['post-quantum', QUANTUM[`${found.postQuantum}`]],
    ['header', `${found.headerSize} bytes`],
    ['file', `${found.size} bytes${found.armored ? ' without armor' : ''}`],
    ['plaintext', found.plaintextSize === undefined ? 'the file is truncated' : `${found.plaintextSize} bytes`],
  ];
  return `${name}\n${rows.map(([label, value]) => `  ${label.padEnd(13)} ${value}\n`).join('')}`;
}

export async function run(given: readonly Argument[]): Promise<number> {
  const parsed = parseOptions(given, options);
  if (parsed === 'help') {
    await print(HELP);
    return 0;
  }
  const { values, operands } = parsed;
  if (operands.some(({ text }) => text === '')) throw new UsageError('an input has no name');
  const inputs = operands.length ? operands : [{ text: '-', path: '-' }];
  const targets = await targetsOf(inputs, undefined, (name) => name, []);
  return eachTarget('lanewise inspect', targets, async ({ name }, { descriptor, meter }) => {
    const found = await inspect(piecesOf(descriptor, meter));
    meter.stop();
    await print(values.json ? `${JSON.stringify({ name, ...found })}\n` : described(name, found));
  });
}
