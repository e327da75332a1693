/** `lanewise sqlite`: encrypts SQLite databases, decrypts them, changes their keys, and checks them. */
import { Failure, UsageError } from '../command.ts';
import type { Argument } from '../command-line.ts';
import { isSameFile, system as storage, type Information } from '../disk/storage.ts';
import { refuseKind } from '../sqlite/kinds.ts';
import { keyOf, keyOfNew, nextKey, wipe, type Key } from '../sqlite/keys.ts';
import { call } from '../sqlite/library.ts';
import { HELP, readOptions, type Check, type Conversion, type Rekey } from '../sqlite/options.ts';
import { copyInto, targetOf } from '../sqlite/output.ts';
import { print, printable, say } from '../terminal.ts';

export { HELP, options } from '../sqlite/options.ts';

const WHO = 'lanewise sqlite';

async function encrypt({ file, keyFile, output, mode, pageSize, force }: Conversion, about: Information) {
  const target = await targetOf(output, file, force);
  await refuseKeyFile(output, keyFile);
  const key = await keyOfNew(keyFile);
  try {
    await copyInto(target, { file }, { key, mode, ...(pageSize !== undefined && { pageSize }) }, about.mode);
  } finally {
    wipe(key);
  }
  return `encrypted into ${printable(output)}`;
}

async function decrypt({ file, keyFile, output, mode, pageSize, force }: Conversion, about: Information) {
  const target = await targetOf(output, file, force);
  await refuseKeyFile(output, keyFile);
  const key = await keyOf(file, keyFile);
  try {
    await copyInto(target, { file, key, mode }, pageSize === undefined ? {} : { pageSize }, about.mode);
  } finally {
    wipe(key);
  }
  return `decrypted into ${printable(output)}`;
}

async function rekey({ file, keyFile, newKeyFile }: Rekey): Promise<string> {
  await storage.checkWritable(file);
  await refuseKeyFile(file, keyFile);
  await refuseKeyFile(file, newKeyFile);
  let key: Key | undefined;
  let next: Key | undefined;
  try {
    key = await keyOf(file, keyFile);
    next = await nextKey(newKeyFile);
    await call(file, 'rekey', { file, key, next });
  } finally {
    wipe(key, next);
  }
  return 'opens with the new key only; copies of it open with the old one';
}

/** @returns undefined if something is wrong, which was said. */
async function check({ file, keyFile, mode }: Check): Promise<string | undefined> {
  const key = await keyOf(file, keyFile);
  try {
    const { pages, problems } = await call(file, 'checkDatabase', { file, key, mode });
    if (problems.length === 0) return `OK, ${pages} ${pages === 1 ? 'page' : 'pages'}`;
    for (const problem of problems) say(WHO, `${printable(file)}: ${printable(problem)}`);
    return undefined;
  } finally {
    wipe(key);
  }
}

/** A key file is never replaced or changed. */
async function refuseKeyFile(changed: string, keyFile: string | undefined): Promise<void> {
  if (keyFile === undefined || keyFile === '-') return;
  const [found, its] = [await storage.look(changed), await storage.look(keyFile)];
  if (found && its && isSameFile(found, its)) throw new UsageError(`${printable(changed)}: the key file`);
}

function perform(options: Conversion | Rekey | Check, about: Information): Promise<string | undefined> {
  if (options.action === 'rekey') return rekey(options);
  if (options.action === 'check') return check(options);
  return options.action === 'encrypt' ? encrypt(options, about) : decrypt(options, about);
}

export async function run(given: readonly Argument[]): Promise<number> {
  const options = readOptions(given);
  if (options === 'help') {
    await print(HELP);
    return 0;
  }
  const { file, action } = options;
  const name = printable(file);
  const about = await storage.look(file);
  if (!about) throw new Failure(`${name}: No such file or directory`);
  if (!about.regular) throw new Failure(`${name}: not a regular file`);
  if (about.size === 0) throw new Failure(`${name}: is empty, and no database`);
  refuseKind(file, action);
  const done = await perform(options, about);
  if (done === undefined) return 1;
  await print(`${name}: ${done}\n`);
  return 0;
}
