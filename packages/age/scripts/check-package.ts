/**
 * Packs the library, this package and the command, installs the three tarballs in an empty folder as users do, and uses them there:
 * types, a program, the command, and the size of a bundle beside that of age-encryption.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { toPack } from '../../lanewise/scripts/tarballs.ts';

const workspace = dirname(dirname(dirname(import.meta.dirname)));
const folder = mkdtempSync(join(tmpdir(), 'lanewise-packages-'));

const run = (command: string, values: readonly string[], cwd = folder): string =>
  execFileSync(command, values, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });

interface Packed {
  readonly name: string;
  readonly filename: string;
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
}

function pack(its: string, needed: readonly string[]): string {
  const from = join(workspace, 'packages', its);
  const values = ['pack', toPack(from), '--json', '--loglevel', 'error', '--pack-destination', folder];
  const [{ name, filename, size, files }] = JSON.parse(run('npm', values, from)) as [Packed];
  for (const path of needed)
    if (!files.some((file) => file.path === path)) throw new Error(`${path} is missing from ${name}`);
  const strange = files.find(({ path }) => /^(src|test|scripts)\//.test(path));
  if (strange) throw new Error(`${strange.path} does not belong into ${name}`);
  console.log(`${name}: ${size} bytes, ${files.length} files`);
  return join(folder, filename);
}

/** Bytes of a minified bundle, and of the same compressed. */
async function sizeOf(contents: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: folder },
    ...{ bundle: true, minify: true, format: 'esm', target: 'es2022', write: false, logLevel: 'error' },
  });
  const [{ contents: bytes }] = outputFiles;
  return `${(bytes.length / 1000).toFixed(1)} KB, ${(gzipSync(bytes, { level: 9 }).length / 1000).toFixed(1)} KB compressed`;
}

const PROGRAM = `
import { Decrypter, Encrypter, generateIdentity, identityToRecipient, type ReadableStreamWithSize } from '@lanewise/age';

const identity: string = await generateIdentity();
const encrypter = new Encrypter();
encrypter.addRecipient(await identityToRecipient(identity));
const stream: ReadableStreamWithSize = await encrypter.encrypt(new Blob(['hello']));
const decrypter = new Decrypter();
decrypter.addIdentity(identity);
const file = new Uint8Array(await new Response(stream).arrayBuffer());
const text: string = await decrypter.decrypt(file, 'text');
if (text !== 'hello') throw new Error('wrong plaintext');
console.log('the program is right');
`;

try {
  const tarballs = [
    pack('lanewise', ['dist/stream.js', 'dist/scrypt.js', 'LICENSE', 'README.md']),
    pack('age', ['dist/index.js', 'dist/index.d.ts', 'LICENSE', 'README.md']),
    pack('cli', ['dist/main.js', 'LICENSE', 'README.md']),
  ];
  writeFileSync(join(folder, 'package.json'), '{ "name": "user", "private": true, "type": "module" }\n');
  run('npm', ['install', '--silent', '--no-audit', '--no-fund', ...tarballs]);

  writeFileSync(join(folder, 'user.ts'), PROGRAM);
  const compilerOptions = {
    ...{ module: 'nodenext', target: 'es2022', lib: ['es2022', 'dom'], types: [], strict: true },
    ...{ exactOptionalPropertyTypes: true, outDir: '.' },
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['user.ts'] }));
  run('tsc', ['-p', '.']);
  process.stdout.write(run(process.execPath, ['user.js']));

  const command = join(folder, 'node_modules/.bin/lanewise');
  run(command, ['keygen', '-o', 'key.txt']);
  run(command, ['encrypt', '-i', 'key.txt', '-o', 'package.age', 'package.json']);
  const back = run(command, ['decrypt', '-i', 'key.txt', 'package.age']);
  if (back !== readFileSync(join(folder, 'package.json'), 'utf8')) throw new Error('the command gives wrong plaintext');
  console.log('the command is right');

  for (const name of ['@lanewise/age', 'age-encryption'])
    console.log(`Decrypter of ${name}: ${await sizeOf(`export { Decrypter } from '${name}';`)}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
