/** Everything that must hold of the packages that are published, besides the rules for all (`rules.ts`): a row for each. */
import { mkdir } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { manifestOf, modulesOf, pathOf } from '../../../drop-ins/src/folders.ts';
import { lines, targetOf, versionOf, type Line } from '../../../drop-ins/src/lines.ts';
import { bundleOf, checkSize } from '../../../lanewise/scripts/check-size.ts';
import { checkTools } from '../../../lanewise/scripts/check-tools.ts';
import { published, workspace, type Published } from '../packages.ts';
import type { User } from '../user.ts';
import { AGE, CLUSTER, ORIGINALS, type Program, SQLITE } from './programs.ts';
import type { Allowed } from './rules.ts';

export interface Row extends Allowed {
  readonly published: Published;
  /** The name under which it is installed, where it takes the place of another package. */
  readonly as?: string;
  /** Paths that the package must have; with `only`, besides `README.md`, `LICENSE` and `package.json`, no others. */
  readonly files: readonly string[];
  readonly only?: true;
  /** Nothing else is installed with it. */
  readonly alone?: true;
  /** Its files have the paths of the original, which has modules of both formats under one kind of name. */
  readonly mixed?: true;
  /** Options of "Are the types wrong?", where there are types. */
  readonly types?: readonly string[];
  readonly programs?: readonly Program[];
  /** Uses of it that aren't a program in TypeScript; throws if one goes wrong. */
  readonly uses?: (user: User) => Promise<void>;
}

const ofWorkspace = (name: string): Published => published.find((one) => one.name === name)!;

function expect(isTrue: boolean, message: string): void {
  if (!isTrue) throw new Error(message);
}

/** Every export with its types, compiled by a user who checks libraries too, and has types of Node only where Node is used. */
function exportsOf(name: string): readonly Program[] {
  const { exports } = JSON.parse(readFileSync(join(workspace, 'packages', name, 'package.json'), 'utf8')) as {
    exports: object;
  };
  const paths = Object.keys(exports).filter((path) => path !== './package.json' && !path.includes('*'));
  return [[], ['node']].flatMap((types) => {
    const its = paths.filter((path) => path.endsWith('-node.js') === types.length > 0);
    const code = its.map((path, i) => `export * as m${i} from '${name}${path.slice(1)}';`).join('\n');
    const options = { types, typeRoots: [join(workspace, 'node_modules/@types')], noEmit: true };
    return ['nodenext', 'preserve'].map((module): Program => ({
      name: `${its.length} exports, ${module}${types.length > 0 ? ', types of Node' : ''}`,
      type: 'module',
      code,
      options: { ...options, module },
    }));
  });
}

/**
 * An entry of @lanewise/sqlite, and the bytes that an application loads for it at once, minified and gzipped, with a key of 32 bytes in the mode
 * authenticated: without SQLite's build, and without the parts for passphrases and other modes. Of the library it has some 290 bytes that only
 * these parts need, the reader of options: it is in the file that all doors load, and a file of its own would cost every first call 0.6 ms.
 */
const SIZES_OF_SQLITE = [
  ["export { encryptVFS } from '@lanewise/sqlite';", 22_500],
  ["export { installEncryptedVFS } from '@lanewise/sqlite/official.js';", 24_700],
  // With a VFS over OPFS and a connection of its own.
  ["export { openDatabase } from '@lanewise/sqlite/browser.js';", 25_500],
] as const;

async function sizesOfSqlite({ folder }: User): Promise<void> {
  for (const [code, limit] of SIZES_OF_SQLITE) {
    const { metafile, outputFiles } = await build({
      stdin: { contents: code, resolveDir: folder },
      bundle: true,
      splitting: true,
      minify: true,
      format: 'esm',
      target: 'es2022',
      outdir: folder,
      write: false,
      metafile: true,
      external: ['@journeyapps/*', 'module'],
    });
    const texts = new Map(outputFiles.map(({ path, contents }) => [relative(process.cwd(), path), contents]));
    const entry = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint === '<stdin>')![0];
    const atOnce = new Set([entry]);
    for (const file of atOnce)
      for (const { path, kind, external } of metafile.outputs[file].imports)
        if (kind === 'import-statement' && !external) atOnce.add(path);
    const size = [...atOnce].reduce((sum, file) => sum + gzipSync(texts.get(file)!, { level: 9 }).length, 0);
    console.log(`${code}: ${size} of ${limit} bytes`);
    expect(size > 10_000 && size <= limit, `a bundle of @lanewise/sqlite is too large: ${code}`);
  }
}

/** The size of a bundle beside that of the original. */
async function sizesOfAge(user: User): Promise<void> {
  for (const name of ['@lanewise/age', 'age-encryption']) {
    const { contents } = await bundleOf(`export { Decrypter } from '${name}';`, user.folder);
    const [plain, packed] = [contents, gzipSync(contents, { level: 9 })].map(({ length }) =>
      (length / 1000).toFixed(1),
    );
    console.log(`Decrypter of ${name}: ${plain} KB, ${packed} KB compressed`);
  }
}

async function runCommand(user: User): Promise<void> {
  const command = join(user.folder, 'node_modules/.bin/lanewise');
  await user.run(command, 'keygen', '-o', 'key.txt');
  await user.run(command, 'encrypt', '-i', 'key.txt', '-o', 'package.age', 'package.json');
  const back = await user.run(command, 'decrypt', '-i', 'key.txt', 'package.age');
  expect(back === (await user.read('package.json')), 'the command gives wrong plaintext');
}

/** In a program with a lockfile, and an original that lies there without being installed. */
async function runSwap(user: User): Promise<void> {
  const command = join(user.folder, 'node_modules/.bin/swap');
  const help = await user.run(command, '--help');
  for (const line of lines)
    expect(help.includes(`@lanewise/${line.package}`), `--help does not name @lanewise/${line.package}`);
  const program = user.at('program');
  await mkdir(join(program.folder, 'node_modules/tweetnacl'), { recursive: true });
  await program.write('package.json', { name: 'program', dependencies: { tweetnacl: '^1.0.3' } });
  await program.write('package-lock.json', { packages: { 'node_modules/tweetnacl': { version: '1.0.3' } } });
  await program.write('node_modules/tweetnacl/package.json', { name: 'tweetnacl', version: '1.0.3' });
  const plan = await program.run(command, '--dry-run');
  const target = targetOf(lines.find((line) => line.original === 'tweetnacl')!);
  expect(plan.includes(target), `--dry-run does not name ${target}:\n${plan}`);
  const error = await program.run(command, '--dryrun').catch((reason: unknown) => (reason as Error).message);
  expect(/^swap: Unknown option/m.test(error), `expected an error, got ${error}`);
}

/** How users compile: a format of modules, a type of package, and where to look for modules. */
const SETTINGS = [
  { name: 'ES modules', type: 'module', module: 'nodenext', moduleResolution: 'nodenext', formats: ['esm', 'cjs'] },
  { name: 'CommonJS', type: 'commonjs', module: 'nodenext', moduleResolution: 'nodenext', formats: ['cjs'] },
  { name: 'files by their paths', type: 'commonjs', module: 'commonjs', moduleResolution: 'node10', formats: ['cjs'] },
] as const;

/** The types of CommonJS modules that are all of a package have no default export. */
const importOf = (line: Line, type: string): string =>
  !line.entries
    ? ''
    : type === 'module'
      ? `import sodium from '${line.original}';`
      : `import sodium = require('${line.original}');`;

/** A program that knows only the original, with the types of all its modules, as users of each kind compile it. */
function programsOf(line: Line): readonly Program[] {
  const all = line.files || line.entries || line.within ? [] : modulesOf(line).filter((module) => module !== 'index');
  const types = all.map((module, i) => `export type * as m${i} from '${line.original}${pathOf(line, module)}';`);
  return SETTINGS.filter(({ formats }) => line.modules !== 'esm' || formats.some((format) => format === 'esm')).map(
    ({ name, type, module, moduleResolution }) => ({
      name,
      type,
      code: `${importOf(line, type)}${ORIGINALS[line.alias]}\n${types.join('\n')}\n`,
      options: {
        module,
        moduleResolution,
        skipLibCheck: true,
        esModuleInterop: true,
        // TypeScript 6 asks for it for node10.
        ignoreDeprecations: '6.0',
        // Its types are for Node.
        ...(line.within && { types: ['node'], typeRoots: [join(workspace, 'node_modules/@types')] }),
      },
    }),
  );
}

const ofLine = (line: Line): Row => ({
  published: published.find(
    ({ name, version }) => name === `@lanewise/${line.package}` && version === versionOf(line),
  )!,
  as: line.original,
  files: Object.values({ ...line.within?.esm, ...line.within?.cjs }),
  ...(line.within && { mixed: true }),
  ranges: manifestOf(line.alias).dependencies ?? {},
  types: [
    '--profile',
    line.modules === 'esm' ? 'esm-only' : 'strict',
    // Node finds no names in this CommonJS module, nor in the original; the rule asks about the types beside it.
    ...(line.files ? ['--ignore-rules', 'named-exports'] : []),
  ],
  programs: programsOf(line),
});

const ofModules = { type: 'module', options: { module: 'nodenext', exactOptionalPropertyTypes: true } } as const;

export const rows: readonly Row[] = [
  {
    published: ofWorkspace('lanewise'),
    files: [
      'PROVEN.md',
      'chacha.js',
      'chacha.d.ts',
      'dist/index.js',
      'dist/index.d.ts',
      'dist/cjs/index.js',
      'dist/stream.js',
      'dist/scrypt.js',
      'dist/wasm/chacha.wasm',
    ],
    alone: true,
    types: [],
    programs: exportsOf('lanewise'),
    uses: async ({ folder }) => {
      console.log('\nolder tools');
      expect(await checkTools(folder), 'an older tool cannot use it');
      console.log('\nsizes, minified and gzipped');
      expect(await checkSize(folder), 'a bundle is too large, or has the wrong contents');
    },
  },
  {
    published: ofWorkspace('@lanewise/age'),
    files: ['dist/index.js', 'dist/index.d.ts'],
    types: ['--profile', 'esm-only'],
    programs: [{ name: 'a file of age', code: AGE, ...ofModules }],
    uses: sizesOfAge,
  },
  {
    published: ofWorkspace('@lanewise/cluster'),
    files: ['dist/index.js', 'dist/index.d.ts', 'dist/thread.js'],
    types: ['--profile', 'esm-only'],
    // BullMQ's types are those of Node.
    programs: [
      {
        name: 'a queue',
        type: 'module',
        code: CLUSTER,
        options: { ...ofModules.options, skipLibCheck: true },
      },
    ],
  },
  {
    published: ofWorkspace('@lanewise/sqlite'),
    files: ['index', 'browser', 'node', 'files', 'pglite'].flatMap((name) => [`dist/${name}.js`, `dist/${name}.d.ts`]),
    types: ['--profile', 'esm-only'],
    programs: [
      { name: 'a database', type: 'module', code: SQLITE, options: { ...ofModules.options, skipLibCheck: true } },
    ],
    uses: sizesOfSqlite,
  },
  { published: ofWorkspace('@lanewise/cli'), commands: ['lanewise'], files: ['dist/main.js'], uses: runCommand },
  { published: ofWorkspace('@lanewise/swap'), commands: ['swap'], files: ['dist/main.js'], only: true, uses: runSwap },
  ...lines.map(ofLine),
];
