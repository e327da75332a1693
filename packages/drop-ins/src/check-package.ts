/**
 * Packs the lines, looks at their manifests and types, and installs each in an empty folder under the original's name, where a program
 * that knows only the original is compiled and run.
 */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { distOf, modulesOf, pathOf } from './folders.ts';
import { lines, versionOf, type Line } from './lines.ts';
import { emptyFolder, packLibrary, packLine, run } from './shell.ts';

/** The import depends on the format: see `importOf`. */
const SODIUM = `
sodium.ready.then(() => {
  const [key, nonce] = [sodium.crypto_secretbox_keygen(), sodium.randombytes_buf(sodium.crypto_secretbox_NONCEBYTES)];
  const text: string = sodium.crypto_secretbox_open_easy(sodium.crypto_secretbox_easy('hello', nonce, key), nonce, key, 'text');
  if (text !== 'hello') throw new Error('wrong plaintext');
  const { state, header } = sodium.crypto_secretstream_xchacha20poly1305_init_push(key);
  const pushed: Uint8Array = sodium.crypto_secretstream_xchacha20poly1305_push(state, new Uint8Array(4096), null, 3);
  const pulled = sodium.crypto_secretstream_xchacha20poly1305_pull(
    sodium.crypto_secretstream_xchacha20poly1305_init_pull(header, key),
    pushed,
    null,
  );
  if (!pulled || pulled.tag !== sodium.crypto_secretstream_xchacha20poly1305_TAG_FINAL) throw new Error('wrong tag');
});`;

const SAMPLES: Readonly<Record<string, string>> = {
  'noble-ciphers-2': `
import { xchacha20poly1305 } from '@noble/ciphers/chacha.js';
import { gcm } from '@noble/ciphers/aes.js';
import { managedNonce, randomBytes } from '@noble/ciphers/utils.js';
for (const cipher of [xchacha20poly1305, gcm]) {
  const box = managedNonce(cipher)(randomBytes(32));
  const text: string = new TextDecoder().decode(box.decrypt(box.encrypt(new TextEncoder().encode('hello'))));
  if (text !== 'hello') throw new Error('wrong plaintext');
}`,
  'noble-ciphers-1': `
import { secretbox } from '@noble/ciphers/salsa';
import { siv } from '@noble/ciphers/aes.js';
import { randomBytes } from '@noble/ciphers/webcrypto';
const [key, nonce] = [randomBytes(32), randomBytes(24)];
const text: string = new TextDecoder().decode(secretbox(key, nonce).open(secretbox(key, nonce).seal(new TextEncoder().encode('hello'))));
if (text !== 'hello' || typeof siv !== 'function') throw new Error('wrong plaintext');`,
  'noble-hashes-2': `
import { blake3 } from '@noble/hashes/blake3.js';
import { hkdf } from '@noble/hashes/hkdf.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
const digest: string = bytesToHex(blake3(new Uint8Array(0)));
if (!digest.startsWith('af1349b9f5f9a1a6a0404dea36dcc949')) throw new Error('wrong digest');
if (hkdf(blake3, sha256(new Uint8Array(3)), undefined, undefined, 40).length !== 40) throw new Error('wrong key');`,
  'tweetnacl-1': `
import nacl from 'tweetnacl';
const [key, nonce] = [nacl.randomBytes(32), nacl.randomBytes(24)];
const back: Uint8Array | null = nacl.secretbox.open(nacl.secretbox(new Uint8Array(3), nonce, key), nonce, key);
if (back?.length !== 3) throw new Error('wrong plaintext');`,
  'libsodium-wrappers-0': SODIUM,
  'libsodium-wrappers-sumo-0': `${SODIUM}
sodium.ready.then(() => {
  const tag: Uint8Array = sodium.crypto_onetimeauth('hello', new Uint8Array(32));
  if (tag.length !== 16) throw new Error('wrong tag');
});`,
  'noble-hashes-1': `
import { blake3 } from '@noble/hashes/blake3';
import { pbkdf2 } from '@noble/hashes/pbkdf2';
import { sha256 } from '@noble/hashes/sha256.js';
import { bytesToHex } from '@noble/hashes/utils';
const digest: string = bytesToHex(blake3(''));
if (!digest.startsWith('af1349b9f5f9a1a6a0404dea36dcc949')) throw new Error('wrong digest');
if (pbkdf2(blake3, sha256('a'), 'salt', { c: 2, dkLen: 40 }).length !== 40) throw new Error('wrong key');`,
};

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

const library = packLibrary();

function check(line: Line): void {
  const tarball = packLine(line);
  const files = readdirSync(distOf(line)).length;
  console.log(`\n@lanewise/${line.package}@${versionOf(line)}: ${files} files`);
  run('publint', ['run', tarball, '--strict'], distOf(line));
  const profile = line.modules === 'esm' ? 'esm-only' : 'strict';
  // Node finds no names in this CommonJS module, nor in the original; the rule asks about the types beside it.
  const rules = line.files ? ['--ignore-rules', 'named-exports'] : [];
  // An error has the whole table.
  run('attw', ['--profile', profile, ...rules, '--format', 'ascii', '--no-color', '--no-emoji', tarball], distOf(line));
  console.log('the types are right');
  for (const { name, type, formats, ...options } of SETTINGS) {
    if (line.modules === 'esm' && !formats.some((format) => format === 'esm')) continue;
    const folder = emptyFolder(`package-${line.alias}`);
    const dependencies = { [line.original]: `file:${tarball}`, lanewise: `file:${library}` };
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type, dependencies }));
    run('npm', ['install', '--no-audit', '--no-fund', '--loglevel', 'error'], folder);
    const all = line.files || line.entries ? [] : modulesOf(line).filter((module) => module !== 'index');
    const types = all.map((module, i) => `export type * as m${i} from '${line.original}${pathOf(line, module)}';`);
    writeFileSync(
      join(folder, 'user.ts'),
      `${importOf(line, type)}${SAMPLES[line.alias]}\nconsole.log('the program is right');\n${types.join('\n')}\n`,
    );
    const compilerOptions = {
      ...{ ...options, target: 'es2022', lib: ['es2022', 'dom'], types: [], strict: true },
      // TypeScript 6 asks for this for node10.
      ...{ skipLibCheck: true, esModuleInterop: true, outDir: '.', rootDir: '.', ignoreDeprecations: '6.0' },
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['user.ts'] }));
    run('tsc', ['-p', '.'], folder);
    process.stdout.write(`${name}: ${run(process.execPath, ['user.js'], folder)}`);
  }
}

const only = process.argv[2];
for (const line of lines) if (only === undefined || line.alias === only) check(line);
