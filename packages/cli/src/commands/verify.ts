/** `lanewise verify`: proves a file, or a range of it, against its BLAKE3 hash. */
import { verified, type VerifiedOptions } from 'lanewise/bao.js';
import { HELP, readVerifyOptions, type VerifyOptions } from '../bao/verify-options.ts';
import { Failure } from '../command.ts';
import type { Argument } from '../command-line.ts';
import { openFileOf, piecesOf, withInput, type Input } from '../hash/input.ts';
import { checkOutput, refuseSame, standardOutput, withFile, type Output } from '../output/output.ts';
import { meterOn, type Meter } from '../progress.ts';
import { isSystemError, systemMessage } from '../system-errors.ts';
import { print, printable, printableOnTerminal } from '../terminal.ts';

export { HELP, options } from '../bao/verify-options.ts';

/** As far as the user's mask allows. */
const MODE = 0o666;

/** An output that says nothing. */
const nowhere: Output = { write: () => Promise.resolve() };

const nameOf = ({ path, text }: Argument): string => (path === '-' ? 'standard input' : printable(text));

/** Names the file that an error of the system is about. */
function about(name: string, error: unknown): unknown {
  return isSystemError(error) ? new Failure(`${name}: ${systemMessage(error)}`, { cause: error }) : error;
}

/** Opens a file. Errors of opening it name it; those of `use` do so by themselves. */
async function opened<Result>(file: Argument, use: (input: Input) => Promise<Result>): Promise<Result> {
  try {
    return await withInput(file.path, use);
  } catch (error) {
    throw about(nameOf(file), error);
  }
}

const GROUPS = 'with groups of';
const OTHER_GROUPS = '; --group-length tells another length of groups';
const NO_OUTBOARD = '; --outboard FILE names the tree over a file that is not an encoding';
const isNoEncoding = (message: string): boolean => /^the header |^the source is truncated|encoding of/.test(message);

/** The library's error about a file, with the option that may be the reason. */
function explained(name: string, isApart: boolean, error: unknown): unknown {
  if (isSystemError(error)) return about(name, error);
  if (!(error instanceof Error) || ![Error, RangeError].includes(error.constructor as ErrorConstructor)) return error;
  const message = error.message.replace('"range"', '--range');
  const hint = !isApart && isNoEncoding(message) ? NO_OUTBOARD : message.includes(GROUPS) ? OTHER_GROUPS : '';
  return new Failure(`${name}: ${message}${hint}`, { cause: error });
}

/** Reads all of a stream; errors of the output are thrown as they are. */
async function copy(
  stream: ReadableStream<Uint8Array>,
  explain: (error: unknown) => unknown,
  output: Output,
  meter: Meter,
): Promise<void> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const step = await reader.read().catch((error: unknown) => {
        throw explain(error);
      });
      if (step.done) return;
      await output.write(step.value);
      meter.advance(step.value.length);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

async function prove(
  { file, hash, groupLength, range }: VerifyOptions,
  { descriptor, size }: Input,
  outboard: Input | undefined,
  output: Output,
): Promise<void> {
  const meter = meterOn(process.stderr, { endsProcess: output === nowhere });
  const source = size === undefined ? piecesOf(descriptor) : openFileOf(descriptor);
  const options: VerifiedOptions = {
    range,
    ...(groupLength !== undefined && { groupLength }),
    ...(outboard && { outboard: openFileOf(outboard.descriptor) }),
  };
  const { from = 0, to = size } = range;
  meter.start(nameOf(file), to === undefined ? undefined : Math.max(0, to - from));
  try {
    const explain = (error: unknown): unknown => explained(nameOf(file), outboard !== undefined, error);
    await copy(verified(source, hash, options), explain, output, meter);
  } finally {
    meter.stop();
  }
}

/** With the file of `--outboard`, if there is one. */
async function withOutboard(path: string | undefined, use: (outboard?: Input) => Promise<void>): Promise<void> {
  if (path === undefined) {
    await use();
    return;
  }
  const file = { text: path, path };
  await opened(file, async (input) => {
    if (input.size === undefined) throw new Failure(`${printable(path)}: not a regular file`);
    await use(input);
  });
}

export async function run(given: readonly Argument[]): Promise<number> {
  const options = readVerifyOptions(given);
  if (options === 'help') {
    await print(HELP);
    return 0;
  }
  const { file, outboard, output } = options;
  if (output !== undefined && output !== '-') {
    await refuseSame(output, outboard === undefined ? [file.path] : [file.path, outboard]);
    await checkOutput(output).catch((error: unknown) => {
      throw about(printable(output), error);
    });
  }
  await withOutboard(outboard, (tree) =>
    opened(file, async (input) => {
      const to = (its: Output): Promise<void> => prove(options, input, tree, its);
      if (output === undefined) {
        await to(nowhere);
        return;
      }
      if (output === '-') {
        await to(standardOutput);
        return;
      }
      await withFile(output, MODE, to).catch((error: unknown) => {
        throw about(printable(output), error);
      });
    }),
  );
  if (output === undefined) await print(`${printableOnTerminal(file.text)}: OK\n`);
  return 0;
}
