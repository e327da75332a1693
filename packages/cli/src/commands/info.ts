/** `lanewise info`: which engine computes here, and why not a quicker one. */
import { availableParallelism } from 'node:os';
import { describe } from 'lanewise/engine.js';
import { UsageError } from '../command.ts';
import type { Argument } from '../command-line.ts';
import { loadNative, NATIVE_VARIABLE, nativeFrom, nativeOptions } from '../native.ts';
import { COMMON, parseOptions } from '../parse-options.ts';
import { print, printable } from '../terminal.ts';

export const HELP = `lanewise info [--no-native] [--json]

Says which engine computes long works here, and why native code does not if that is so.
      --json       one line of JSON
      --no-native  without native code, as in the other commands; the variable ${NATIVE_VARIABLE}=off does the same for all
  -h, --help       this text
  -V, --version    the version of lanewise
`;

export const options = { ...COMMON, ...nativeOptions, json: { type: 'boolean' } } as const;

export async function run(given: readonly Argument[]): Promise<number> {
  const parsed = parseOptions(given, options);
  if (parsed === 'help') {
    await print(HELP);
    return 0;
  }
  const { values, operands } = parsed;
  if (operands.length > 0) throw new UsageError(`'${printable(operands[0].text)}': info takes options only`);
  const native = nativeFrom(values) ? await loadNative() : { reason: 'refused' };
  const { engine, lanes, instructions, relaxed, reason } = describe();
  const noNative = 'reason' in native ? native.reason : undefined;
  const threads = availableParallelism();
  if (values.json) {
    await print(`${JSON.stringify({ engine, lanes, instructions, relaxed, reason, noNative, threads })}\n`);
    return 0;
  }
  const vectors = lanes === undefined ? '' : `, ${lanes} lanes by ${instructions ?? 'C'}`;
  const by = relaxed ? ', with relaxed instructions' : vectors;
  // A reason about native code alone has its own row.
  const rows = [
    ['engine', `${engine}${by}`],
    ...(reason === undefined || reason.startsWith('no native: ') ? [] : [['reason', reason]]),
    ['native', noNative === undefined ? 'yes' : `no: ${noNative}`],
    ['threads', `${threads}`],
  ];
  await print(rows.map(([label, value]) => `${label.padEnd(8)} ${printable(value)}\n`).join(''));
  return 0;
}
