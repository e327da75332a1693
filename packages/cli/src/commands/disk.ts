/** `lanewise disk`: images of disks and databases, encrypted or decrypted by Adiantum or HPolyC. */
import { existsSync, lstatSync, realpathSync } from 'node:fs';
import { clean } from 'lanewise/utils.js';
import { Failure } from '../command.ts';
import type { Argument } from '../command-line.ts';
import { convertInPlace, recover, removeDraft } from '../disk/in-place.ts';
import { journalOf, refuseJournal } from '../disk/journal.ts';
import { readKey } from '../disk/key.ts';
import { checkSize, HELP, readOptions, type Conversion, type Recovery } from '../disk/options.ts';
import { Sectors } from '../disk/sectors.ts';
import { onSignals } from '../disk/signals.ts';
import { system as storage, type Information, type Path } from '../disk/storage.ts';
import { convertToFile } from '../disk/to-file.ts';
import { meterOn, type Meter } from '../progress.ts';
import { print, printable, say } from '../terminal.ts';

const WHO = 'lanewise disk';
const DONE = { encrypt: 'encrypted', decrypt: 'decrypted' } as const;

interface Image {
  readonly name: string;
  readonly path: Path;
  readonly about: Information;
}

/** @returns what has come of the image. */
async function convert(options: Conversion, { name, path, about }: Image, key: Uint8Array): Promise<string> {
  const { action, settings, output, force } = options;
  const { size, mode } = about;
  checkSize(name, size, settings);
  await refuseJournal(storage, path);
  const meter = meterOn(process.stderr);
  if (output === undefined) {
    await interruptible(path, meter, () =>
      convertInPlace({ storage, image: path, size, key, meter }, action, settings),
    );
    return DONE[action];
  }
  const sectors = new Sectors(settings, key);
  meter.start(name, size);
  try {
    await convertToFile({
      ...{ storage, image: path, size, output: behindLinks(output), mode, force },
      sectorSize: settings.sectorSize,
      convert: (bytes, at) => (action === 'encrypt' ? sectors.encrypt(bytes, at) : sectors.decrypt(bytes, at)),
      advance: (bytes) => meter.advance(bytes),
    });
    return `${DONE[action]} into ${printable(output)}`;
  } finally {
    meter.stop();
    sectors.destroy();
  }
}

/** @returns what has come of the image. */
async function recovered(options: Recovery, { name, path, about }: Image, key: Uint8Array): Promise<string> {
  const { action, force } = options;
  if (!(await storage.look(journalOf(path)))) {
    const begun = await removeDraft(storage, path);
    if (action === 'undo' && begun) return 'as it was';
    throw new Failure(`${name}: nothing to ${action}: ${begun ? 'nothing was changed yet' : 'there is no journal'}`);
  }
  const meter = meterOn(process.stderr);
  const place = { storage, image: path, size: about.size, key, meter };
  const operation = await interruptible(path, meter, () => recover(place, action, force));
  return action === 'resume' ? DONE[operation] : 'as it was';
}

/** Ends by a signal at any time, and says what to do then. */
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
  const key = await readKey(options.keyFile);
  try {
    const image = { name, path, about };
    const did = 'settings' in options ? convert(options, image, key) : recovered(options, image, key);
    await print(`${name}: ${await did}\n`);
    return 0;
  } finally {
    clean(key);
  }
}

/** Journals and outputs are beside a file, not beside a link to it. */
function behindLinks(path: Path): Path {
  try {
    return lstatSync(path).isSymbolicLink() ? realpathSync(path, { encoding: 'buffer' }) : path;
  } catch {
    return path;
  }
}
