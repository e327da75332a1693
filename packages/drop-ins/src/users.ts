/**
 * Installs packages that use the originals twice, as they are and with an override alone, and runs the tests that they publish, or else
 * the program in `users/` that follows their documentation. `--measure` prints how much faster the programs become: medians of
 * the ratios of processor times of runs in turn, in one process. `npm run test:users`, after a build.
 */
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { workspace } from './folders.ts';
import { seats } from './lines.ts';
import { emptyFolder, packLibrary, packLine, run } from './shell.ts';

interface User {
  readonly name: string;
  readonly version: string;
  /** The program in `users/`. */
  readonly program: string;
  /** Flags of Node for the program. */
  readonly flags?: readonly string[];
  /** Flags of npm for the installation. */
  readonly npm?: readonly string[];
  /** The tests in the published package: their requirements, and how they are run. */
  readonly tests?: {
    readonly dependencies: Readonly<Record<string, string>>;
    readonly command: readonly string[];
    /** The meaning of the last lines of a run. */
    readonly result: RegExp;
  };
}

const users: readonly User[] = [
  { name: 'age-encryption', version: '0.3.1', program: 'age-encryption' },
  { name: 'nostr-tools', version: '2.25.2', program: 'nostr-tools' },
  { name: '@chainsafe/libp2p-noise', version: '17.0.0', program: 'libp2p-noise' },
  { name: 'eciesjs', version: '0.5.0', program: 'eciesjs', flags: ['--conditions=browser'] },
  {
    name: 'did-jwt',
    version: '9.0.1',
    program: 'did-jwt',
    tests: {
      dependencies: {
        '@ethersproject/address': '5.8.0',
        '@greymass/eosio': '0.7.0',
        '@tonomy/antelope-did': '0.1.5',
        jsontokens: '4.0.1',
        jsonwebtoken: '9.0.3',
        'jwk-to-pem': '2.0.7',
        mockdate: '3.0.5',
        tweetnacl: '1.0.3',
        vitest: '5.0.1',
      },
      command: ['node_modules/vitest/vitest.mjs', 'run', '--no-color', '--root', 'tests'],
      result: /^ *Tests .*/m,
    },
  },
  {
    name: '@evolu/common',
    version: '8.11.0',
    program: 'evolu-common',
    tests: {
      dependencies: { 'fast-check': '4.5.3' },
      command: ['--experimental-test-module-mocks', '--test', 'tests/src/**/*.test.ts'],
      result: /^\S* ?pass \d+[^]*?fail \d+/m,
    },
  },
  { name: '@cosmjs/crypto', version: '0.39.0', program: 'cosmjs-crypto' },
  // It takes sodium-native, its peer, where that is installed.
  { name: 'sodium-plus', version: '0.9.0', program: 'sodium-plus', npm: ['--legacy-peer-deps'] },
  { name: 'secsync', version: '0.5.0', program: 'secsync' },
  { name: 'sodium-browserify-tweetnacl', version: '0.2.6', program: 'sodium-browserify-tweetnacl' },
  { name: '@tonconnect/protocol', version: '2.4.0', program: 'tonconnect-protocol' },
  { name: '@huggingface/xetchunk-wasm', version: '0.2.0', program: 'xetchunk-wasm' },
  { name: 'wrangler', version: '4.164.0', program: 'wrangler' },
];

const { values: options } = parseArgs({
  options: { measure: { type: 'boolean', default: false }, only: { type: 'string' } },
});

/** The override of all lines, as a user writes it, but with tarballs in place of versions. */
const library = packLibrary();
const overrides = Object.fromEntries(
  seats.map((line) => [`${line.original}@${line.major}`, `file:${packLine(line)}`] as const),
);

function install(user: User, isOverridden: boolean): string {
  const folder = emptyFolder(`users/${user.program}${isOverridden ? '' : '-as-it-is'}`);
  // npm takes an override of a direct dependency only where the two name the same package (EOVERRIDE).
  const direct = Object.entries(user.tests?.dependencies ?? {}).map(([name, version]) => [
    name,
    (isOverridden && overrides[`${name}@${version.split('.')[0]}`]) || version,
  ]);
  const manifest = {
    private: true,
    type: 'module',
    // The library is not published yet.
    dependencies: {
      [user.name]: user.version,
      ...(Object.fromEntries(direct) as Record<string, string>),
      ...(isOverridden && { lanewise: `file:${library}` }),
    },
    ...(isOverridden && { overrides }),
  };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest, null, 2));
  const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel', 'error', ...(user.npm ?? [])];
  run('npm', ['install', ...flags], folder);
  cpSync(join(workspace, `packages/drop-ins/users/${user.program}.mjs`), join(folder, 'program.mjs'));
  return folder;
}

/** The packages that are installed under the name of an original, in versions that a line takes the place of. */
function installedAs(folder: string, original: string): string[] {
  const majors = seats.filter((line) => line.original === original).map(({ major }) => `${major}.`);
  const manifests = readdirSync(join(folder, 'node_modules'), { recursive: true, encoding: 'utf8' }).filter((path) =>
    `/${path}`.endsWith(`/${original}/package.json`),
  );
  return manifests
    .map((path) => JSON.parse(readFileSync(join(folder, 'node_modules', path), 'utf8')) as Record<string, string>)
    .filter(({ version }) => majors.some((major) => version.startsWith(major)))
    .map(({ name, version }) => `${name}@${version}`);
}

/** Runs the published tests, in a copy of the package: Node strips no types under node_modules. Returns their last lines. */
function runTests({ name, tests }: User, folder: string): string {
  const copy = join(folder, 'tests');
  if (!existsSync(copy)) cpSync(join(folder, 'node_modules', name), copy, { recursive: true });
  const output = run(process.execPath, tests!.command, folder);
  return tests!.result.exec(output)?.[0].trim().replaceAll(/\s+/g, ' ') ?? output;
}

/** Measures the program in one folder beside that in another, which find different packages. */
function runProgram({ flags = [] }: User, ...folders: string[]): Record<string, number[]> {
  const programs = folders.map((folder) => join(folder, 'program.mjs'));
  const measure = join(workspace, 'packages/drop-ins/users/measure.mjs');
  return JSON.parse(run(process.execPath, [...flags, measure, ...programs], folders[0])) as Record<string, number[]>;
}

function measure(user: User, before: string, after: string): void {
  for (const [name, ratios] of Object.entries(runProgram(user, before, after))) {
    ratios.sort((a, b) => a - b);
    const [low, median, high] = [0.25, 0.5, 0.75].map((part) => ratios[Math.floor(part * ratios.length)].toFixed(2));
    console.log(`  ${name}: ${median} times as fast (half of the ratios from ${low} to ${high})`);
  }
}

for (const user of users) {
  if (options.only !== undefined && options.only !== user.program) continue;
  const after = install(user, true);
  const originals = [...new Set(seats.map((line) => line.original))];
  const names = originals.flatMap((original) => installedAs(after, original));
  const strange = names.filter((name) => !name.startsWith('@lanewise/'));
  if (names.length === 0 || strange.length > 0) throw new Error(`${user.name} still has ${strange.join(', ')}`);
  console.log(`${user.name} ${user.version} with ${[...new Set(names)].join(', ')}`);
  runProgram(user, after);
  console.log('  the program is right');
  if (user.tests) console.log(`  its own tests: ${runTests(user, after)}`);
  if (!user.tests && !options.measure) continue;
  const before = install(user, false);
  if (user.tests) console.log(`  its own tests with the original: ${runTests(user, before)}`);
  if (options.measure) measure(user, before, after);
}
