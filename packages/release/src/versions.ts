/**
 * `npm run versions`, after changesets have set the versions of the published packages: the workspaces that depend on these depend on
 * exactly these versions, and generated files and the lock file have them.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './run.ts';

const workspace = join(import.meta.dirname, '../../..');

interface Manifest {
  readonly name: string;
  version: string;
  readonly workspaces?: readonly string[];
  readonly dependencies?: Record<string, string>;
  readonly optionalDependencies?: Record<string, string>;
}

const read = (folder: string): Manifest => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;

/** The folders that the patterns of the root's manifest name: `packages/*` or a folder. */
const folders = (read(workspace).workspaces ?? []).flatMap((pattern) =>
  pattern.endsWith('/*')
    ? readdirSync(join(workspace, pattern.slice(0, -2)), { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => join(workspace, pattern.slice(0, -2), name))
    : [join(workspace, pattern)],
);

const VERSIONED = [
  'lanewise',
  '@lanewise/age',
  '@lanewise/cluster',
  '@lanewise/sqlite',
  '@lanewise/cli',
  '@lanewise/swap',
];
const versions = new Map(
  folders.map(read).flatMap(({ name, version }) => (VERSIONED.includes(name) ? [[name, version] as const] : [])),
);
// It is published with the library whose kernels it has.
const NATIVE = '@lanewise/native';
versions.set(NATIVE, versions.get('lanewise')!);
for (const folder of folders) {
  const manifest = read(folder);
  let isChanged = manifest.name === NATIVE;
  if (isChanged) manifest.version = versions.get(NATIVE)!;
  for (const its of [manifest.dependencies, manifest.optionalDependencies])
    for (const name of Object.keys(its ?? {}).filter((each) => versions.has(each))) {
      its![name] = versions.get(name)!;
      isChanged = true;
    }
  if (isChanged) writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
}
await run('npm', ['run', '--silent', 'generate'], workspace);
await run('npm', ['install', '--package-lock-only', '--no-audit', '--no-fund', '--loglevel', 'error'], workspace);
await run('npx', ['prettier', '--write', '--log-level', 'warn', '**/CHANGELOG.md', '**/package.json'], workspace);
console.log([...versions].map(([name, version]) => `${name} ${version}`).join('\n'));
