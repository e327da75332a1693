/** `lanewise disk`: encrypts and decrypts images of disks and databases with Adiantum or HPolyC. */
import { existsSync, lstatSync, realpathSync } from 'node:fs';
import { clean } from 'lanewise/utils.js';
import { Failure, UsageError } from '../command.ts';
import type { Argument } from '../command-line.ts';
import { convertInPlace, recover } from '../disk/in-place.ts';
import { readKey } from '../disk/key.ts';
import { isMountPoint } from '../disk/mount-points.ts';
import { checkSize, HELP, readOptions, type Conversion, type Recovery } from '../disk/options.ts';
import { isRunFile, journalOf } from '../disk/run-files.ts';
import { Sectors } from '../disk/sectors.ts';
import { isSameFile, nameOf, system as storage, type Information, type Path } from '../disk/storage.ts';
import { convertToFile } from '../disk/to-file.ts';
import { placeOf } from '../output/place.ts';
import { meterOn, type Meter } from '../progress.ts';
import { onSignals } from '../signals.ts';
import { isSystemError, systemMessage } from '../system-errors.ts';
import { print, printable, say } from '../terminal.ts';
import { Threads } from '../threads.ts';

export { HELP, options } from '../disk/options.ts';

const WHO = 'lanewise disk';
const DONE = { encrypt: 'encrypted', decrypt: 'decrypted' } as const;

/** The image, and the output if there is one; symbolic links are resolved. */
interface Files {
  readonly name: string;
  readonly path: Path;
  readonly about: Information;
  readonly output: Path | undefined;
}

/** @returns a message about the outcome. */
async function convert(options: Conversion, { name, path, about, output }: Files, key: Uint8Array): Promise<string> {
  const { action, settings, force } = options;
  const { size, mode } = about;
  checkSize(name, size, settings);
  const meter = meterOn(process.stderr);
  if (output === undefined) {
    await interruptible(path, meter, () =>
      convertInPlace({ storage, image: path, size, key, meter, force }, action, settings),
    );
    return DONE[action];
  }
  const sectors = new Sectors(settings, key);
  const threads = new Threads(options.threads, 'worker', options.native);
  meter.start(name, size);
  try {
    const pool = await threads.poolFor(size);
    await convertToFile({
      storage,
      image: path,
      size,
      output,
      mode,
      force,
      sectorSize: settings.sectorSize,
      convert: (bytes, at) => sectors.convert(action, bytes, at),
      ...(pool && { convertFile: (files, advance) => sectors.convertOn(pool, action, files, advance) }),
      advance: (bytes) => meter.advance(bytes),
    });
    return `${DONE[action]} into ${printable(options.output ?? '')}`;
  } finally {
    meter.stop();
    sectors.destroy();
    await threads.close();
  }
}

/** @returns a message about the outcome. */
async function recovered(options: Recovery, { name, path, about }: Files, key: Uint8Array): Promise<string> {
  const { action, force } = options;
  const meter = meterOn(process.stderr);
  const place = { storage, image: path, size: about.size, key, meter, force };
  const found = await interruptible(path, meter, () => recover(place, action));
  if (found === 'not begun' && action === 'undo') return 'as it was';
  if (found === 'not begun') throw new Failure(`${name}: nothing to resume: nothing was changed yet`);
  if (found === 'nothing') throw new Failure(`${name}: nothing to ${action}: there is no journal`);
  return action === 'resume' ? DONE[found] : 'as it was';
}

/** If a signal ends the run, the user is told how to resume it or undo it. */
async function interruptible<Result>(image: Path, meter: Meter, work: () => Promise<Result>): Promise<Result> {
  const off = onSignals(() => {
    meter.stop();
    if (existsSync(journalOf(image))) say(WHO, 'interrupted; lanewise disk resume finishes it, undo takes it back');
  });
  try {
    return await work();
  } finally {
    off();
  }
}

export async function run(given: readonly Argument[]): Promise<number> {
  const options = readOptions(given);
  if (options === 'help') {
    await print(HELP);
    return 0;
  }
  const name = printable(options.image.text);
  const path = behindLinks(options.image.path);
  const about = await storage.look(path);
  if (!about) throw new Failure(`${name}: No such file or directory`);
  if (!about.regular) throw new Failure(`${name}: not a regular file; the command is for images of disks`);
  const output = 'settings' in options && options.output !== undefined ? outputAt(options.output) : undefined;
  await refuseMisuse(output ?? path, options.keyFile);
  const key = await readKey(options.keyFile);
  try {
    const files = { name, path, about, output };
    const did = 'settings' in options ? convert(options, files, key) : recovered(options, files, key);
    await print(`${name}: ${await did}\n`);
    return 0;
  } finally {
    clean(key);
  }
}

/** @throws UsageError for files that must not be changed or replaced. */
async function refuseMisuse(changed: Path, keyFile: string): Promise<void> {
  const name = nameOf(changed);
  if (isRunFile(changed)) throw new UsageError(`${name}: a file made by lanewise disk itself`);
  const about = await storage.look(changed);
  if (!about) return;
  if (keyFile !== '-' && isSameFile(about, await storage.look(keyFile))) throw new UsageError(`${name}: the key file`);
  if (isMountPoint(changed))
    throw new UsageError(`${name}: a mount point; a journal beside it would not be beside the file: mount its folder`);
}

const isSymbolicLink = (path: Path): boolean => {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
};

/** @throws UsageError for a stream, such as /dev/stdout where that is a file: it would be replaced, and not written to. */
function outputAt(path: Path): Path {
  const place = placeOf(path);
  if (place.kind !== 'file') throw new UsageError(`${nameOf(path)}: not a regular file`);
  return behindLinks(path);
}

/** Resolves symbolic links: locks, journals and outputs lie beside the file and not beside a link to it. */
function behindLinks(path: Path): Path {
  if (!isSymbolicLink(path)) return path;
  try {
    return realpathSync.native(path, { encoding: 'buffer' });
  } catch (error) {
    throw isSystemError(error) ? new Failure(`${nameOf(path)}: a symbolic link: ${systemMessage(error)}`) : error;
  }
}
