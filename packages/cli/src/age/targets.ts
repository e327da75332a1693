/** Inputs with their outputs, checked before keys are read and passphrases asked for. */
import { basename, join } from 'node:path';
import { objectHint } from '../cluster/queue.ts';
import { Failure, UsageError } from '../command.ts';
import type { Argument } from '../command-line.ts';
import { nameOf, system as storage, type Path } from '../disk/storage.ts';
import { withInput } from '../hash/input.ts';
import { checkOutput, isFolder, refuseSame } from '../output/output.ts';
import { meterOn, type Meter } from '../progress.ts';
import { isSystemError, systemMessage } from '../system-errors.ts';
import { printable, say } from '../terminal.ts';

export interface Target {
  readonly input: Path;
  readonly name: string;
  /** Undefined for standard output. */
  readonly output: Path | undefined;
}

/** An input that is open. */
export interface Opened {
  readonly descriptor: number;
  /** Undefined for pipes. */
  readonly size: number | undefined;
  readonly meter: Meter;
}

/**
 * @param output - A file, or a folder; undefined for standard output.
 * @param rename - The name of the output in a folder.
 * @param others - Files that the output must not replace: identities and recipients.
 * @throws UsageError or Failure if an input is missing, or an output would replace an input or cannot be written.
 */
export async function targetsOf(
  inputs: readonly Argument[],
  output: Path | undefined,
  rename: (name: string) => string,
  others: readonly string[],
): Promise<readonly Target[]> {
  const folder = output !== undefined && (await isFolder(output)) ? output.toString() : undefined;
  if (inputs.length > 1 && output !== undefined && folder === undefined)
    throw new UsageError(`${nameOf(output)}: several inputs need a folder that is there`);
  const targets: Target[] = [];
  for (const { path, text } of inputs) {
    const name = path === '-' ? 'standard input' : printable(text);
    if (path !== '-' && !(await storage.look(path)))
      throw new Failure(`${name}: No such file or directory${objectHint(text)}`);
    if (folder !== undefined && path === '-')
      throw new UsageError(`${nameOf(folder)}: standard input needs the name of a file`);
    targets.push({ input: path, name, output: folder === undefined ? output : join(folder, rename(basename(text))) });
  }
  const named = targets.flatMap((target) => target.output ?? []).map(String);
  const twice = named.find((name, i) => named.indexOf(name) < i);
  if (twice !== undefined) throw new UsageError(`${printable(twice)}: is the output of two inputs`);
  const read = [...inputs.map(({ path }) => path), ...others];
  for (const { output: its } of targets) {
    if (its === undefined) continue;
    await refuseSame(its, read);
    await checkOutput(its);
  }
  return targets;
}

/** Runs `work` for each input. With several, a failure does not keep the others from being done. Returns the exit code. */
export async function eachTarget(
  who: string,
  targets: readonly Target[],
  work: (target: Target, opened: Opened) => Promise<void>,
): Promise<number> {
  let status = 0;
  for (const target of targets) {
    const meter = meterOn(process.stderr);
    try {
      await withInput(target.input, async ({ descriptor, size }) => {
        meter.start(target.name, size);
        await work(target, { descriptor, size, meter });
      });
    } catch (error) {
      meter.stop();
      const message = isSystemError(error)
        ? systemMessage(error)
        : error instanceof Error
          ? error.message
          : String(error);
      if (error instanceof UsageError) throw error;
      if (!(error instanceof Error) || isBug(error)) throw error;
      say(who, error instanceof Failure ? message : `${target.name}: ${message}`);
      status = 1;
    } finally {
      meter.stop();
    }
  }
  return status;
}

/** Errors of these classes are mistakes of this program; a RangeError tells of sizes, which files may have wrong. */
const isBug = (error: Error): boolean =>
  error instanceof TypeError || error instanceof ReferenceError || error instanceof SyntaxError;
