import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { faultsOf } from '../src/check/rules.ts';

const scratch = mkdtempSync(join(tmpdir(), 'lanewise-rules-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const MANIFEST = {
  name: '@lanewise/thing',
  version: '1.2.3',
  bin: { thing: 'main.js' },
  dependencies: { lanewise: '0.1.0', '@scope/other': '4.5.6', ranged: '^7.0.0' },
  peerDependencies: { peer: '>=1' },
  optionalDependencies: { extra: '1.0.0' },
};
const FILES = {
  'README.md': '# Thing',
  LICENSE: 'MIT',
  'main.js': [
    `import {\n  blake3,\n} from 'lanewise/blake3.js';`,
    `import { readFile } from 'node:fs';`,
    `import './beside.js';`,
    `const its = await import('peer');`,
    `await import('extra').catch(() => undefined);`,
    `if (typeof its === 'object') throw new Error("from 'nowhere'");`,
    `/**\n * import { thing } from '@lanewise/thing-of-an-example';\n */`,
  ].join('\n'),
  'beside.js': `export * from '@scope/other/part.js';\nexport * from "@lanewise/thing/main.js";`,
  'common.cjs': `const ranged = require('ranged');\nrequire('fs');`,
};

/** The rules that a package breaks: the good one with other files and another manifest; `undefined` takes a file away. */
function faults(
  files: Readonly<Record<string, string | undefined>>,
  manifest: object,
  mode = 0o755,
): Promise<readonly string[]> {
  const folder = mkdtempSync(join(scratch, 'package-'));
  const all = { 'package.json': JSON.stringify({ ...MANIFEST, ...manifest }), ...FILES, ...files };
  const names = Object.entries(all).flatMap(([name, text]) => {
    if (text === undefined) return [];
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
    return [name];
  });
  chmodSync(join(folder, 'main.js'), mode);
  const published = { name: '@lanewise/thing', version: '1.2.3', folder: '', builds: true };
  const allowed = { commands: ['thing'], ranges: { ranged: '^7.0.0' } };
  return faultsOf({ published, as: published.name, folder, files: names }, allowed);
}

describe('rules for every published package', () => {
  it('are kept by a good one', async () => {
    expect(await faults({}, {})).toEqual([]);
  });

  it.each([
    ['another name', {}, { name: 'thing' }, /^expected @lanewise\/thing@1.2.3, got thing@1.2.3$/],
    ['another version', {}, { version: '1.2.4' }, /^expected @lanewise\/thing@1.2.3, got @lanewise\/thing@1.2.4$/],
    ['no license', { LICENSE: undefined }, {}, /^LICENSE is missing/],
    ['no README', { 'README.md': undefined }, {}, /^README.md is missing/],
    ['a test', { 'test/a.js': '' }, {}, /^test\/a.js does not belong/],
    ['a source', { 'src/a.ts': '' }, {}, /^src\/a.ts does not belong/],
    ['a script', { 'scripts/a.ts': '' }, {}, /^scripts\/a.ts does not belong/],
    ['no command', {}, { bin: undefined }, /^expected the commands thing, got none$/],
    ['another command', {}, { bin: { other: 'main.js' } }, /^expected the commands thing, got other$/],
    [
      'a range',
      {},
      { dependencies: { ...MANIFEST.dependencies, lanewise: '^0.1.0' } },
      /^lanewise expected an exact version/,
    ],
    [
      'another range than the original has',
      {},
      { dependencies: { ...MANIFEST.dependencies, ranged: '^8.0.0' } },
      /^ranged expected/,
    ],
    [
      'an import of a package of the workspace',
      { 'a.js': `import { x } from '@lanewise/age';` },
      {},
      /^@lanewise\/age is imported/,
    ],
    ['one without names', { 'a.js': `import 'yaml';` }, {}, /^yaml is imported/],
    ['one when it runs', { 'a.mjs': `await import("yaml/part");` }, {}, /^yaml is imported/],
    ['one by require', { 'a.cjs': `let x=require("yaml")` }, {}, /^yaml is imported/],
    ['an export of one', { 'a.js': `export { x } from 'yaml';` }, {}, /^yaml is imported/],
    [
      'a dependency without use',
      {},
      { dependencies: { ...MANIFEST.dependencies, unused: '1.0.0' } },
      /^unused is a dependency/,
    ],
    [
      'an optional one without use',
      {},
      { optionalDependencies: { ...MANIFEST.optionalDependencies, unused: '1.0.0' } },
      /^unused is a dependency/,
    ],
    [
      'a range of an optional one',
      {},
      { optionalDependencies: { extra: '^1.0.0' } },
      /^extra expected an exact version/,
    ],
  ])('are broken by %s', async (_, files, manifest, fault) => {
    const found = await faults(files, manifest);
    expect(found).toEqual([expect.stringMatching(fault)]);
  });

  it.skipIf(process.platform === 'win32')('are broken by a command that is not executable', async () => {
    expect(await faults({}, {}, 0o644)).toEqual(['main.js is not executable']);
  });
});
