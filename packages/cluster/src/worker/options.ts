/** The options of a worker, checked when it starts: a mistake is an error then, and not the failure of every job. */
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Decrypter } from '@lanewise/age/files.js';
import { optionsOf } from '../calls.ts';
import { integerOf, stringOf, typeOf } from '../jobs/check.ts';
import { MOST_ID, readKey } from '../jobs/mode.ts';
import { noticesIn } from '../objects/ignored.ts';
import { allowed, checkPrefixes } from '../objects/index.ts';
import { objectOptionsOf, s3SettingsOf, settingsOf } from '../objects/settings.ts';
import { queueNameOf } from '../queue/address.ts';
import { identitiesOf } from '../sealing/identities.ts';
import type { LogLine, WorkerOptions } from '../types.ts';
import type { ThreadSettings } from './settings.ts';

/** After a worker's death its jobs are another's within this time. */
const LEASE_MS = 30_000;

export interface CheckedOptions {
  readonly name: string;
  readonly threads: number;
  readonly lease: number;
  /** The lines at the start. */
  readonly notices: readonly string[];
  readonly log: (line: LogLine) => void;
  readonly settings: ThreadSettings;
}

/** The most characters of a path. */
const MOST_PATH = 4096;

const KNOWN = 'name threads lease allow allowWrite keyFiles identityFile objects native log'.split(' ');

/** A key among the objects could be read by jobs: an attacker who can write to the queue could have it encrypted to a key of their own. */
function checkOutside(path: string, name: string, { allow, allowWrite = [] }: WorkerOptions): void {
  if (allowed(pathToFileURL(resolve(path)).href, [...allow, ...allowWrite]))
    throw new RangeError(
      `"${name}" expected a file outside of "allow" and "allowWrite", so that no job reads it, got one within`,
    );
}

/** Reads a file that an option names: an error names the option, as there may be many. */
async function readable<Result>(name: string, path: string, read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = code === undefined ? `${path}: ${message}` : `${code} of ${path}`;
    throw new Error(`"${name}" expected a file that can be used, got ${reason}`, { cause: error });
  }
}

async function checkFiles(options: WorkerOptions, keyFiles: Readonly<Record<string, string>>): Promise<void> {
  const { identityFile } = options;
  for (const [id, path] of Object.entries(keyFiles)) {
    if (id.length === 0 || id.length > MOST_ID)
      throw new RangeError(`"keyFiles" expected ids of 1 to ${MOST_ID} characters`);
    const name = `keyFiles.${id}`;
    checkOutside(stringOf(path, name, MOST_PATH), name, options);
    (await readable(name, path, () => readKey(keyFiles, id))).fill(0);
  }
  if (identityFile === undefined) return;
  checkOutside(stringOf(identityFile, 'identityFile', MOST_PATH), 'identityFile', options);
  await readable('identityFile', identityFile, async () => {
    const decrypter = new Decrypter();
    for (const identity of await identitiesOf(identityFile)) decrypter.addIdentity(identity);
  });
}

/** An error of a log is an uncaught exception: it neither is lost nor makes a job fail. */
const harmless =
  (log: (line: LogLine) => void) =>
  (line: LogLine): void => {
    try {
      log(line);
    } catch (error) {
      queueMicrotask(() => {
        throw error;
      });
    }
  };

export async function checkOptions(given: WorkerOptions): Promise<CheckedOptions> {
  const options = optionsOf(given, KNOWN);
  const { allow, allowWrite = [], identityFile, log = () => undefined } = options;
  const { objects: givenObjects = {}, keyFiles: givenFiles = {} } = options;
  checkPrefixes(allow, 'allow');
  const objects = objectOptionsOf(givenObjects);
  settingsOf(objects);
  if (allow.length === 0) throw new RangeError('"allow" expected at least one prefix of URLs, got none');
  checkPrefixes(allowWrite, 'allowWrite', true);
  const usesS3 = [...allow, ...allowWrite].some((prefix) => /^s3:/i.test(prefix));
  if (usesS3) s3SettingsOf(objects);
  if (typeof log !== 'function') throw new TypeError(`"log" expected function, got ${typeOf(log)}`);
  const { threads = availableParallelism(), lease = LEASE_MS, native = true } = options;
  if (typeof native !== 'boolean') throw new TypeError(`"native" expected boolean, got ${typeOf(native)}`);
  integerOf(threads, 'threads', 1, 1024);
  integerOf(lease, 'lease', 3000, 3_600_000);
  const name = queueNameOf(options.name);
  const keyFiles = optionsOf(givenFiles, undefined, 'keyFiles');
  await checkFiles(options, keyFiles);
  const notices = usesS3 ? noticesIn(process.env) : [];
  return {
    name,
    threads,
    lease,
    notices,
    log: harmless(log),
    settings: { allow, allowWrite, keyFiles, identityFile, objects, native },
  };
}
