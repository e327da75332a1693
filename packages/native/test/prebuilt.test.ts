/** Runs in Node only: the packages of the systems, which are made by the release alone. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withoutTime } from '../scripts/prebuilt.ts';
import { manifestOf, nameOf, publishedManifest } from '../scripts/system-packages.ts';
import { targets } from '../scripts/targets.ts';
import { systemName } from '../src/place.ts';

const json = (path: string): Record<string, unknown> =>
  JSON.parse(readFileSync(join(import.meta.dirname, path), 'utf8')) as Record<string, unknown>;

test('each system has a package, whose name the addon looks for', () => {
  expect(targets.map(nameOf)).toEqual(
    [
      ...['linux-x64-gnu', 'linux-x64-musl', 'linux-arm64-gnu', 'linux-arm64-musl'],
      ...['darwin-x64', 'darwin-arm64', 'win32-x64', 'win32-arm64'],
    ].map((system) => `@lanewise/native-${system}`),
  );
  const { platform, arch } = process;
  if (targets.some(({ os, cpu }) => os === platform && cpu === arch))
    expect(targets.map(({ name }) => name)).toContain(systemName());
});

test('npm installs it on its system only', () => {
  const of = (name: string) => manifestOf(targets.find((target) => target.name === name)!);
  expect(of('linux-arm64-musl')).toMatchObject({ os: ['linux'], cpu: ['arm64'], libc: ['musl'] });
  expect(of('linux-x64-gnu')).toMatchObject({ os: ['linux'], cpu: ['x64'], libc: ['glibc'], main: 'lanewise.node' });
  expect(of('win32-x64')).toMatchObject({ os: ['win32'], cpu: ['x64'] });
  for (const target of targets) {
    const its = manifestOf(target);
    expect('libc' in its).toBe(target.os === 'linux');
    expect(its).not.toHaveProperty('scripts');
  }
});

test('the package that is published names all of them in the version of the library, and runs no script when it is installed', () => {
  const { version } = json('../../lanewise/package.json');
  const its = publishedManifest(targets);
  expect(its).not.toHaveProperty('private');
  expect(its.version).toBe(version);
  expect(its['optionalDependencies']).toEqual(Object.fromEntries(targets.map((target) => [nameOf(target), version])));
  expect(Object.keys(its['scripts'] as object)).not.toEqual(
    expect.arrayContaining([expect.stringMatching(/install|^prepare$/)]),
  );
});

test('the workspace names none of them: the registry may not have them', () => {
  expect(json('../package.json')).not.toHaveProperty('optionalDependencies');
  expect(readFileSync(join(import.meta.dirname, '../../../package-lock.json'), 'utf8')).not.toContain(
    '@lanewise/native-',
  );
});

test('the time in a library of Windows is set to zero, and nothing else', () => {
  const library = Uint8Array.from({ length: 256 }, (_, i) => i);
  new DataView(library.buffer).setUint32(0x3c, 128, true);
  library.set([0x50, 0x45, 0, 0], 128);
  const expected = Uint8Array.from(library);
  expected.fill(0, 136, 140);
  expect(withoutTime(library)).toEqual(expected);
  expect(() => withoutTime(new Uint8Array(256))).toThrow('expected a library of Windows, got another file');
});
