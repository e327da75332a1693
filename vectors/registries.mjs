// Packages of registries, each fetched once by that registry's own client, at a pinned version.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Thrown where the client of a registry is not here. */
export class Skip extends Error {}
export const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');
/** Where packages are put; who runs this removes it. */
export const temporary = mkdtempSync(join(tmpdir(), 'lanewise-vectors-'));

function run(command, args, options = {}) {
  try {
    return execFileSync(command, args, {
      encoding: 'utf8',
      maxBuffer: 1 << 26,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...options,
    });
  } catch (error) {
    if (error.code === 'ENOENT') throw new Skip(`${command} is not installed`);
    throw new Error(`${command} ${args.join(' ')} failed:\n${error.stderr ?? error}`, { cause: error });
  }
}
/** A file as text, if it has this SHA-256. */
export function pinned(path, wanted) {
  const bytes = readFileSync(path);
  if (sha256(bytes) !== wanted) throw new Error(`${path} has SHA-256 ${sha256(bytes)}, not ${wanted}`);
  return bytes.toString('utf8');
}
const fetched = new Map();
/** Fetches a package once and answers the folder its files are in, or fails as it failed before. */
function folder(key, fetch) {
  if (!fetched.has(key)) {
    const dir = join(temporary, key.replace(/\W+/g, '-'));
    mkdirSync(dir);
    try {
      fetched.set(key, fetch(dir));
    } catch (error) {
      fetched.set(key, error);
    }
  }
  const result = fetched.get(key);
  if (result instanceof Error) throw result;
  return result;
}

export const crate = (name, version) =>
  folder(`crate ${name}`, (dir) => {
    mkdirSync(join(dir, 'src'));
    writeFileSync(join(dir, 'src', 'lib.rs'), '');
    writeFileSync(
      join(dir, 'Cargo.toml'),
      `[package]\nname = "fetch"\nversion = "0.0.0"\nedition = "2021"\n[dependencies]\n${name} = "=${version}"\n[workspace]\n`,
    );
    const { packages } = JSON.parse(run('cargo', ['metadata', '--format-version', '1'], { cwd: dir }));
    return dirname(packages.find((p) => p.name === name && p.version === version).manifest_path);
  });
export const wheel = (name, version, sha) =>
  folder(`wheel ${name}`, (dir) => {
    run('python3', [
      '-m',
      'pip',
      'download',
      '--quiet',
      '--no-deps',
      '--only-binary',
      ':all:',
      '--dest',
      dir,
      `${name}==${version}`,
    ]);
    const file = join(
      dir,
      readdirSync(dir).find((f) => f.endsWith('.whl')),
    );
    pinned(file, sha);
    run('python3', ['-m', 'zipfile', '-e', file, join(dir, 'out')]);
    return join(dir, 'out');
  });
/** The sources of a package of PyPI. Its metadata are made to find its dependencies, which takes what builds it. */
export const sdist = (name, version, sha) =>
  folder(`sdist ${name}`, (dir) => {
    const from = ['--no-binary', name, '--dest', dir, `${name}==${version}`];
    run('python3', ['-m', 'pip', 'download', '--quiet', '--no-deps', ...from]);
    const file = join(
      dir,
      readdirSync(dir).find((f) => f.endsWith('.tar.gz')),
    );
    pinned(file, sha);
    run('python3', ['-m', 'tarfile', '-e', file, join(dir, 'out')]);
    return join(dir, 'out', `${name}-${version}`);
  });
export const debian = (name, version) =>
  folder(`deb ${name}`, (dir) => {
    run('dpkg', ['--version']);
    try {
      run('apt-get', ['download', `${name}=${version}`], { cwd: dir });
    } catch (error) {
      if (!/was not found|Unable to locate/.test(error.message)) throw error;
      throw new Skip(`this system's apt-get does not offer ${name} ${version}`, { cause: error });
    }
    run('dpkg', [
      '-x',
      join(
        dir,
        readdirSync(dir).find((f) => f.endsWith('.deb')),
      ),
      join(dir, 'out'),
    ]);
    return join(dir, 'out');
  });
export const maven = (group, name, version, classifier, sha) =>
  folder(`maven ${name}`, (dir) => {
    const artifact = [group, name, version, 'jar', classifier].join(':');
    run('mvn', ['-q', 'dependency:copy', `-Dartifact=${artifact}`, `-DoutputDirectory=${dir}`], { cwd: dir });
    const file = join(dir, `${name}-${version}-${classifier}.jar`);
    pinned(file, sha);
    run('python3', ['-m', 'zipfile', '-e', file, join(dir, 'out')]);
    return join(dir, 'out');
  });

export const goModule = (path, version) =>
  folder(`go ${path}`, (dir) => {
    writeFileSync(join(dir, 'go.mod'), 'module fetch\n');
    return JSON.parse(run('go', ['mod', 'download', '-json', `${path}@${version}`], { cwd: dir })).Dir;
  });
