/** Packs the library and checks the package that users install: contents, exports, types, sizes. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { checkSize } from './check-size.ts';
import { checkTools } from './check-tools.ts';
import { toPack } from './tarballs.ts';

const root = dirname(import.meta.dirname);
const folder = mkdtempSync(join(tmpdir(), 'lanewise-package-'));

/** Runs a command of the workspace (npm puts them on the PATH) and returns its output. */
const capture = (command: string, ...args: string[]): string =>
  execFileSync(command, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });

const show = (command: string, ...args: string[]): void => {
  execFileSync(command, args, { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'] });
};

interface Packed {
  filename: string;
  files: { path: string; size: number }[];
}

const sha256 = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');

/** Copies the sources to another folder, builds and packs them there. */
function packElsewhere(): string {
  const copy = join(folder, 'elsewhere/deeper');
  const workspace = dirname(dirname(root));
  for (const name of [
    'package.json',
    'tsconfig.base.json',
    'README.md',
    'LICENSE',
    'packages/lanewise',
    'packages/proofs',
  ])
    cpSync(join(workspace, name), join(copy, name), {
      recursive: true,
      filter: (path) => !/node_modules|[\\/](?:dist|\.dist-.*|\.cache|PROVEN\.md)$/.test(path),
    });
  symlinkSync(join(workspace, 'node_modules'), join(copy, 'node_modules'));
  const [{ filename }] = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--loglevel', 'error', '--pack-destination', copy], {
      cwd: join(copy, 'packages/lanewise'),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  ) as [Packed];
  return join(copy, filename);
}

/** Every export with its types, compiled by a user who checks libraries too, and has types of Node only for what is about Node. */
function compileAsUser(): void {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { exports: object };
  const modules = Object.keys(exports).filter((path) => path !== './package.json' && !path.includes('*'));
  for (const types of [[], ['node']]) {
    const its = modules.filter((path) => path.endsWith('-node.js') === types.length > 0);
    const lines = its.map((path, i) => `export * as m${i} from 'lanewise${path.slice(1)}';`);
    writeFileSync(join(folder, 'user.ts'), lines.join('\n'));
    const typeRoots = [join(root, '../../node_modules/@types')];
    for (const module of ['nodenext', 'preserve']) {
      const options = {
        module,
        target: 'es2022',
        lib: ['es2022', 'dom'],
        types,
        typeRoots,
        strict: true,
        noEmit: true,
      };
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['user.ts'] }));
      show('tsc', '-p', '.');
    }
  }
}

try {
  const [packed] = JSON.parse(
    capture('npm', 'pack', '--json', '--loglevel', 'error', '--pack-destination', folder, toPack(root)),
  ) as [Packed];
  console.log(packed.files.map(({ path, size }) => `${String(size).padStart(8)}  ${path}`).join('\n'));
  for (const needed of [
    'README.md',
    'LICENSE',
    'PROVEN.md',
    'dist/wasm/chacha.wasm',
    'dist/index.js',
    'dist/index.d.ts',
    'dist/cjs/index.js',
    'chacha.js',
    'chacha.d.ts',
  ]) {
    if (!packed.files.some(({ path }) => path === needed)) throw new Error(`${needed} is missing from the package`);
  }
  const tarball = join(folder, packed.filename);

  console.log(`\n${sha256(tarball)}  ${packed.filename}`);
  if (process.env['LANEWISE_TARBALLS'] !== undefined)
    console.log('npm run release has packed it in two folders: the same, byte for byte');
  else {
    if (sha256(packElsewhere()) !== sha256(tarball)) throw new Error('a build in another folder gives another tarball');
    console.log('a build in another folder gives the same, byte for byte');
  }

  console.log('\npublint');
  show('publint', 'run', tarball, '--strict');
  console.log('\nare the types wrong?');
  show('attw', '--format', 'table-flipped', '--no-color', tarball);

  mkdirSync(join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  capture('npm', 'install', '--offline', '--no-audit', '--no-fund', '--loglevel', 'error', tarball);
  console.log('\ntypes as a user compiles them');
  compileAsUser();
  console.log('no error');

  console.log('\nolder tools');
  if (!(await checkTools(folder))) process.exitCode = 1;

  console.log('\nsizes, minified and gzipped');
  if (!(await checkSize(folder))) process.exitCode = 1;
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
