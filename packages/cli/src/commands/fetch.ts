/** `lanewise fetch`: a file from any server, proven against its BLAKE3 hash before it is written. */
import { randomAccess, type RandomAccess } from 'lanewise/stream.js';
import { HELP, readFetchOptions, type FetchOptions } from '../bao/fetch-options.ts';
import { Fetching } from '../bao/fetching.ts';
import { withPart, type Part } from '../bao/part-file.ts';
import { about } from '../bao/proven.ts';
import { Failure, UsageError } from '../command.ts';
import type { Path } from '../disk/storage.ts';
import type { Argument } from '../command-line.ts';
import { openFileOf, withInput } from '../hash/input.ts';
import { checkOutput, refuseSame, standardOutput, withFile, type Output } from '../output/output.ts';
import { placeOf } from '../output/place.ts';
import { meterOn, type ResizableMeter } from '../progress.ts';
import { print, printable, printableOnTerminal } from '../terminal.ts';

export { HELP, options } from '../bao/fetch-options.ts';

/** As far as the user's mask allows. */
const MODE = 0o666;

/** The last part of a URL, as the name of a file in this folder. */
function nameFrom(url: URL): string {
  const last = url.pathname.slice(url.pathname.lastIndexOf('/') + 1);
  let name = '';
  try {
    name = decodeURIComponent(last);
  } catch {
    // Not UTF-8.
  }
  // Characters that aren't part of a name on some systems, and those that act on a terminal.
  if (!name || /^[-.]|[/\\:*?"<>|\p{Cc}]/u.test(name))
    throw new UsageError('the URL ends with no name for a file: -o FILE tells one, - is standard output');
  return name;
}

/** Fetches into an output whose bytes can't be had again, so every run begins at the start. */
async function fetchOnce(options: FetchOptions, tree: RandomAccess | undefined, output: Output, meter: ResizableMeter) {
  await new Fetching(options, tree, meter).write(options.range.from ?? 0, output);
}

/** Where a run that was interrupted is continued; undefined if it isn't, as for an encoding: its tree comes with its bytes only. */
function continuedAt({ outboard, range }: FetchOptions, name: string): Path | undefined {
  if (outboard === undefined || range.from !== undefined || name === '-') return undefined;
  const place = placeOf(name);
  return place.kind === 'file' ? place.path : undefined;
}

async function fetchTo(
  options: FetchOptions,
  tree: RandomAccess | undefined,
  name: string,
  meter: ResizableMeter,
): Promise<void> {
  if (name === '-') {
    await fetchOnce(options, tree, standardOutput, meter);
    return;
  }
  const replace = options.output !== undefined;
  const target = continuedAt(options, name);
  if (target === undefined) {
    await withFile(name, MODE, (its) => fetchOnce(options, tree, its, meter), replace);
    return;
  }
  const fetchRest = async (part: Part): Promise<number> => {
    const fetching = new Fetching(options, tree, meter);
    const from = await fetching.provenIn(part, part.size);
    return await fetching.write(from, part.from(from));
  };
  await withPart(target, options.hash, fetchRest, replace);
}

/** With the file of `--outboard`, if it is one. */
async function withTree(outboard: FetchOptions['outboard'], use: (tree?: RandomAccess) => Promise<void>) {
  if (typeof outboard !== 'string') {
    await use();
    return;
  }
  const its = async (): Promise<void> =>
    withInput(outboard, async ({ descriptor, size }) => {
      if (size === undefined) throw new Failure(`${printable(outboard)}: not a regular file`);
      await use(randomAccess(openFileOf(descriptor)));
    });
  await its().catch((error: unknown) => {
    throw about(printable(outboard), error);
  });
}

export async function run(given: readonly Argument[]): Promise<number> {
  const options = readFetchOptions(given);
  if (options === 'help') {
    await print(HELP);
    return 0;
  }
  const { urls, outboard, output } = options;
  const name = output ?? nameFrom(urls[0]);
  if (name !== '-') {
    if (typeof outboard === 'string') await refuseSame(name, [outboard]);
    await checkOutput(name).catch((error: unknown) => {
      throw about(printable(name), error);
    });
  }
  const meter = meterOn(process.stderr, { endsProcess: name === '-' || continuedAt(options, name) !== undefined });
  meter.start(printable(name === '-' ? urls[0].host + urls[0].pathname : name), undefined);
  try {
    await withTree(outboard, (tree) => fetchTo(options, tree, name, meter));
  } finally {
    meter.stop();
  }
  if (output === undefined) await print(`${printableOnTerminal(name)}: OK\n`);
  return 0;
}
