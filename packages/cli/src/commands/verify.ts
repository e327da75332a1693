/** `lanewise verify`: proves a file, or a range of it, against its BLAKE3 hash. */
import { verified, type VerifiedOptions } from 'lanewise/bao.js';
import { about, copy, explained, nowhere } from '../bao/proven.ts';
import { HELP, readVerifyOptions, type VerifyOptions } from '../bao/verify-options.ts';
import { Failure } from '../command.ts';
import type { Argument } from '../command-line.ts';
import { openFileOf, piecesOf, withInput, type Input } from '../hash/input.ts';
import { checkOutput, refuseSame, standardOutput, withFile, type Output } from '../output/output.ts';
import { meterOn } from '../progress.ts';
import { print, printable, printableOnTerminal } from '../terminal.ts';

export { HELP, options } from '../bao/verify-options.ts';

/** As far as the user's mask allows. */
const MODE = 0o666;

const nameOf = ({ path, text }: Argument): string => (path === '-' ? 'standard input' : printable(text));

/** Opens a file. Errors of opening it name it; those of `use` do so by themselves. */
async function opened<Result>(file: Argument, use: (input: Input) => Promise<Result>): Promise<Result> {
  try {
    return await withInput(file.path, use);
  } catch (error) {
    throw about(nameOf(file), error);
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
