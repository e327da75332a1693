/**
 * The cases of SQLite's own speedtest1: the SQL that `speedtest1 --script` writes.
 *
 * Its source is `test/speedtest1.c` of SQLite; it isn't kept here. A file that is named is taken; otherwise apt fetches Debian's source
 * package of SQLite once, into a cache folder. A C compiler and the library (libsqlite3-dev) make the program, which runs once for a size.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { failureOf } from '../../runtimes/src/failure.ts';
import type { Step } from './workload.ts';

const CACHE = join(dirname(dirname(import.meta.dirname)), '.cache/speedtest1');
const HOW = 'give the file test/speedtest1.c of SQLite by --source FILE';

/** Runs a program in a folder; its failure says which package or file is missing. */
function call(program: string, options: readonly string[], folder: string, missing: string): string {
  try {
    return execFileSync(program, options, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    throw new Error(`speedtest1: ${missing} (${failureOf(error, 0, 2)})`, { cause: error });
  }
}

/** Does `work` in a new folder, and gives one file of it its name in the cache when it is complete. */
function cached(name: string, work: (folder: string) => string): string {
  const path = join(CACHE, name);
  if (existsSync(path)) return path;
  mkdirSync(CACHE, { recursive: true });
  const folder = mkdtempSync(join(CACHE, 'partial-'));
  try {
    renameSync(work(folder), path);
  } finally {
    rmSync(folder, { recursive: true });
  }
  return path;
}

/** From Debian's source package. apt keeps its lists in the folder, so that those of the system stay as they are. */
function fetchSource(folder: string): string {
  const missing = `apt cannot fetch the source package of SQLite: ${HOW}`;
  const format = '$(ORIGIN) deb-src $(REPO_URI) $(CODENAME) $(COMPONENT)';
  const lines = call('apt-get', ['indextargets', '--format', format, 'Created-By: Packages'], folder, missing).split(
    '\n',
  );
  const sources = lines.filter((line) => /^(Debian|Ubuntu) /.test(line)).map((line) => line.replace(/^\w+ /, ''));
  if (sources.length === 0) throw new Error(`speedtest1: apt knows no server of Debian or Ubuntu: ${HOW}`);
  writeFileSync(join(folder, 'sources.list'), sources.join('\n'));
  mkdirSync(join(folder, 'lists/partial'), { recursive: true });
  mkdirSync(join(folder, 'archives/partial'), { recursive: true });
  const settings = {
    'Dir::Etc::sourcelist': join(folder, 'sources.list'),
    'Dir::Etc::sourceparts': '-',
    'Dir::State::lists': join(folder, 'lists'),
    'Dir::Cache': folder,
    'APT::Sandbox::User': '',
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
  call('apt-get', [...options, 'update'], folder, missing);
  call('apt-get', [...options, 'source', '--download-only', 'sqlite3'], folder, missing);
  const archive = readdirSync(folder).find((name) => /\.orig\.tar\.\w+$/.test(name));
  if (archive === undefined) throw new Error(`speedtest1: there is no archive in the source package: ${HOW}`);
  const inside = ['--strip-components=2', '--wildcards', '*/test/speedtest1.c'];
  call('tar', ['-xf', archive, ...inside], folder, `there is no test/speedtest1.c in ${archive}: ${HOW}`);
  return join(folder, 'speedtest1.c');
}

/** The script for a size, 100 in SQLite's own figures. */
function scriptFor(size: number, given?: string): string {
  const source = given ?? cached('speedtest1.c', fetchSource);
  if (!existsSync(source)) throw new Error(`speedtest1: there is no file ${source}: ${HOW}`);
  const hash = createHash('sha256').update(readFileSync(source)).digest('hex').slice(0, 16);
  const path = cached(`${hash}-${size}.sql`, (folder) => {
    const missing = 'a C compiler, or the library: apt-get install gcc libsqlite3-dev';
    call('cc', ['-O1', '-o', join(folder, 'speedtest1'), source, '-lsqlite3'], CACHE, missing);
    call('./speedtest1', ['--size', `${size}`, '--script', 'script.sql', 'made.db'], folder, 'it does not run');
    return join(folder, 'script.sql');
  });
  return readFileSync(path, 'utf8');
}

/** The cases of a script, and before them its settings. */
export function casesOf(script: string): Step[] {
  const [settings, ...parts] = script.split(/^-- begin test /m);
  const cases = parts.map((part): Step => {
    const [, name, sql] = /^(.+)\n([^]*?)^-- end test/m.exec(part)!;
    return [name, sql];
  });
  return [['settings', settings], ...cases];
}

/** The cases for a size: its first tables have `500 * size` rows. */
export const speedtest1 = (size: number, source?: string): Step[] => casesOf(scriptFor(size, source));
