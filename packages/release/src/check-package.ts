/**
 * `npm run check:package`: checks the packages that are published as users get them: packed, and installed in an empty folder from a
 * registry on this machine. The rules for all are in `check/rules.ts`, and `check/rows.ts` has a row for each package. Packages are packed
 * twice, unless `npm run release` has done it (`LANEWISE_TARBALLS`). `-- NAME…` checks those whose name or version contains one of these.
 */
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { publint } from 'publint';
import { tarballOf } from '../../lanewise/scripts/tarballs.ts';
import { runProgram } from './check/programs.ts';
import { rows, type Row } from './check/rows.ts';
import { faultsOf } from './check/rules.ts';
import { packFresh } from './pack.ts';
import { serveRegistry } from './registry.ts';
import { filesBelow } from './sums.ts';
import { User } from './user.ts';

const labelOf = ({ published: { name, version } }: Row): string => `${name}@${version}`;

const asked = process.argv.slice(2);
const chosen = rows.filter((row) => asked.length === 0 || asked.some((name) => labelOf(row).includes(name)));
const unknown = asked.find((name) => !rows.some((row) => labelOf(row).includes(name)));
if (unknown !== undefined) {
  console.error(`no package has "${unknown}" in its name; there are: ${rows.map(labelOf).join(', ')}`);
  process.exit(2);
}

/** For a package with ES modules that are named as its CommonJS modules are: publint may say that, and nothing else. */
async function lintMixed(folder: string): Promise<void> {
  const { messages } = await publint({ pkgDir: folder, pack: false, strict: true });
  const others = messages.filter(({ type, code }) => type !== 'suggestion' && code !== 'FILE_INVALID_FORMAT');
  if (others.length > 0) throw new Error(`publint: ${JSON.stringify(others)}`);
}

async function check(row: Row, user: User, tarballs: string): Promise<void> {
  const { published, as = published.name, files: needed, only, alone, types, programs = [], uses } = row;
  const tarball = join(tarballs, tarballOf(published));
  const dependencies = { [as]: `npm:${published.name}@${published.version}` };
  await user.write('package.json', { name: 'user', private: true, type: 'module', dependencies });
  await user.npm('install');
  const folder = join(user.folder, 'node_modules', as);
  const files = (await filesBelow(user.folder, join('node_modules', as))).map((path) =>
    path.slice(`node_modules/${as}/`.length),
  );
  const bytes = readFileSync(tarball);
  console.log(`${createHash('sha256').update(bytes).digest('hex')}  ${tarballOf(published)}`);
  console.log(
    `${bytes.length} bytes, ${files.length} files, ${files.reduce((sum, file) => sum + statSync(join(folder, file)).size, 0)} bytes unpacked`,
  );

  const rules = [...(await faultsOf({ published, as, folder, files }, row))];
  for (const path of needed) if (!files.includes(path)) rules.push(`${path} is missing from the package`);
  const expected = ['README.md', 'LICENSE', 'package.json', ...needed];
  for (const path of files)
    if (only && !expected.includes(path)) rules.push(`${path} does not belong into the package`);
  const installed = Object.keys((JSON.parse(await user.read('package-lock.json')) as { packages: object }).packages);
  if (alone && installed.length !== 2) rules.push(`expected no other package, got ${installed.slice(1).join(', ')}`);
  if (rules.length > 0) throw new Error(rules.join('\n'));

  if (row.mixed) await lintMixed(folder);
  else await user.run('publint', 'run', tarball, '--strict');
  console.log('publint: nothing to say');
  if (types) {
    // An error has the whole table.
    await user.run('attw', ...types, '--format', 'ascii', '--no-color', '--no-emoji', tarball);
    console.log('the types are right');
  }
  for (const program of programs) await runProgram(user, program);
  if (uses) {
    await uses(user);
    console.log('its uses are right');
  }
}

const scratch = await mkdtemp(join(tmpdir(), 'lanewise-package-'));
try {
  let tarballs = process.env['LANEWISE_TARBALLS'];
  if (tarballs === undefined) {
    tarballs = join(scratch, 'tarballs');
    await packFresh(tarballs);
  }
  const registry = await serveRegistry(tarballs);
  try {
    for (const row of chosen) {
      console.log(`\n== ${labelOf(row)}`);
      try {
        await check(row, await User.in(join(scratch, tarballOf(row.published)), registry.url), tarballs);
      } catch (error) {
        console.error(`FAILED: ${labelOf(row)}: ${(error as Error).message}`);
        process.exitCode = 1;
      }
    }
  } finally {
    await registry.close();
  }
} finally {
  await rm(scratch, { recursive: true, force: true });
}
