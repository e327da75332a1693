/**
 * `npm run release` writes to `release/` all that is published: the tarballs, packed twice from fresh copies of the repository and
 * compared; their hashes; the hashes of the modules that were proved; and the list of components. Users then install them from a registry
 * on this machine. Native code is compiled for all systems where zig can be had; elsewhere it is left out, and the release says so. With
 * `--check`, the tarballs go through all checks of packages, bundlers and runtimes as well, which takes some minutes.
 * `--systems linux-x64-gnu,…` compiles native code for these alone, and `--once` packs one copy, as the checks of a change do.
 * `--repository git+https://HOST/OWNER/NAME.git` writes the address to all packages; without it there is no `PUBLISH`, because npm would
 * refuse the provenance of the first package that lacks it, after others are out.
 */
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { spawnSync } from 'node:child_process';
import { copyForJsr, copyJsrTool, dryRun } from './jsr.ts';
import { nativeCode, runNative, systemsOf, withSystems } from './native.ts';
import { packFresh } from './pack.ts';
import { tarballOf } from '../../lanewise/scripts/tarballs.ts';
import { published, workspace } from './packages.ts';
import { checkAddress, checkRepository } from './repository.ts';
import { serveRegistry } from './registry.ts';
import { run } from './run.ts';
import { filesBelow, provenSums, reproducible, sumsOf } from './sums.ts';
import { User } from './user.ts';
import { componentsOf, runCommand, runOriginals, runSwap } from './users.ts';

const { values } = parseArgs({
  options: {
    check: { type: 'boolean' },
    once: { type: 'boolean' },
    repository: { type: 'string' },
    systems: { type: 'string' },
  },
});
const { repository } = values;
if (repository !== undefined) {
  checkAddress(repository);
  if (values.once)
    throw new Error('--once is for checks: what is published is packed twice; leave out --once or --repository');
}
const systems = systemsOf(values.systems);

/** Scripts of the workspace that take the tarballs of `LANEWISE_TARBALLS` in place of packing. */
const CHECKS = [
  ['packages/release/src/check-package.ts'],
  ['packages/lanewise/scripts/runtimes.ts'],
  ['packages/lanewise/scripts/bundlers.ts'],
];

const started = performance.now();
const say = (text: string): void =>
  console.log(`${((performance.now() - started) / 1000).toFixed(0).padStart(4)} s  ${text}`);

/**
 * The tarballs in the order of their publication, each with its name, its version and its tag at npm. `latest` is the newest major
 * version of a package.
 */
const publications = published
  .map((one) => {
    const newest = !published.some(
      ({ name, version }) => name === one.name && parseInt(version) > parseInt(one.version),
    );
    return `${tarballOf(one)} ${one.name}@${one.version} ${newest ? 'latest' : `v${parseInt(one.version)}`}\n`;
  })
  .join('');

const target = join(workspace, 'release');
const scratch = await mkdtemp(join(tmpdir(), 'lanewise-release-'));
try {
  const first = join(scratch, 'first');
  const native = await nativeCode(say, systems);
  const additional = native?.all ?? [];
  const sums = await packFresh(first, { repository, say, native, once: values.once });
  const files = [...published, ...additional].map(tarballOf);

  if (repository !== undefined) {
    for (const file of files) {
      const manifest = await run('tar', ['-xzOf', join(first, file), 'package/package.json'], first);
      checkRepository(file, manifest, repository);
    }
    say(`all packages name ${repository}`);
  }

  await writeFile(join(first, 'SHA256SUMS'), sums);
  await mkdir(join(scratch, 'modules'));
  const proven = await provenSums(join(first, files[0]), join(scratch, 'modules'));
  await writeFile(join(first, 'PROVEN-SHA256SUMS'), proven);
  say(`${proven.trim().split('\n').length} modules are those that were proved`);

  // Those of the systems come before the package that names them.
  const more = additional.map((one) => `${tarballOf(one)} ${one.name}@${one.version} latest\n`).join('');
  if (repository !== undefined) await writeFile(join(first, 'PUBLISH'), publications + more);
  await copyForJsr(join(first, 'jsr'));
  await copyJsrTool(join(first, 'jsr-tool'));
  // All that the jobs that publish take: also the sources for JSR, and the program that sends them.
  const forJsr = await Promise.all(['jsr', 'jsr-tool'].map((folder) => filesBelow(first, folder)));
  await writeFile(join(first, 'SHA512SUMS'), await sumsOf('sha512', first, [...files, ...forJsr.flat()]));
  const reason = await dryRun(join(first, 'jsr'));
  say(reason === undefined ? 'JSR: Deno would publish the sources' : `JSR: NOT RUN, no Deno: ${reason}`);

  const registry = await serveRegistry(first, additional);
  try {
    const userIn = (name: string): Promise<User> => User.in(join(scratch, 'users', name), registry.url);
    await runCommand(await userIn('npx'));
    say('npx @lanewise/cli: hash, keygen, encrypt, decrypt');
    await runSwap(await userIn('swap'));
    say('npx @lanewise/swap: a program with a lockfile, and back');
    const date = (await run('git', ['log', '-1', '--format=%cI'], workspace)).trim();
    const names = [...new Set([...published, ...additional.slice(-1)].map(({ name }) => name))];
    const installed = await componentsOf(await userIn('lanewise-packages'), names);
    const sbom = await withSystems(installed, additional, first);
    await writeFile(join(first, 'sbom.cdx.json'), reproducible(sbom, new Date(date).toISOString(), registry.url));
    say('a program with all packages');
    await runOriginals(userIn);
    say('programs of the originals with the drop-in packages');
    if (native) await runNative(native, userIn, say);
  } finally {
    await registry.close();
  }

  await rm(target, { recursive: true, force: true });
  await rename(first, target);
  console.log(
    `\n${sums}\nrelease/ has the tarballs, SHA256SUMS, SHA512SUMS, PROVEN-SHA256SUMS, sbom.cdx.json, and for publishing jsr/, jsr-tool/ and ${repository === undefined ? 'no PUBLISH, which needs --repository' : 'PUBLISH'}`,
  );
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
} finally {
  await rm(scratch, { recursive: true, force: true });
}

if (values.check && process.exitCode === undefined)
  for (const check of CHECKS) {
    say(check.join(' '));
    const env = { ...process.env, LANEWISE_TARBALLS: target };
    const { status } = spawnSync(process.execPath, check, { cwd: workspace, env, stdio: 'inherit' });
    if (status !== 0) process.exitCode = 1;
  }
