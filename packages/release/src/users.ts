/** Uses the release as users do, in empty folders: they know the names of the packages only. */
import { lines, targetOf } from '../../drop-ins/src/lines.ts';
import type { User } from './user.ts';

/** The hash of no bytes (BLAKE3's test vectors). */
const EMPTY = 'af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262';

const PROGRAM = `
import { blake3 } from 'lanewise/blake3.js';
import { bytesToHex } from 'lanewise';
import { Decrypter, Encrypter } from '@lanewise/age';

const encrypter = new Encrypter();
encrypter.setPassphrase('correct horse');
encrypter.setScryptWorkFactor(2);
const decrypter = new Decrypter();
decrypter.addPassphrase('correct horse');
const back = await decrypter.decrypt(await encrypter.encrypt('hello'), 'text');
if (back !== 'hello' || bytesToHex(blake3(new Uint8Array(0))) !== '${EMPTY}') throw new Error('wrong');
`;

/** A program that knows the originals only; the drop-in packages of one major version are in their place. */
const IMPORTS: Readonly<Record<string, string>> = {
  '@noble/ciphers 2': `import { xchacha20poly1305 as its } from '@noble/ciphers/chacha.js';`,
  '@noble/ciphers 1': `import { xchacha20poly1305 as its } from '@noble/ciphers/chacha';`,
  '@noble/hashes 2': `import { blake3 as its } from '@noble/hashes/blake3.js';`,
  '@noble/hashes 1': `import { blake3 as its } from '@noble/hashes/blake3';`,
};

/** `npx` installs the command and all that it needs, and nothing else. */
export async function runCommand(user: User): Promise<void> {
  const npx = (...values: string[]): Promise<string> => user.npx('@lanewise/cli', ...values);
  await user.write('empty', '');
  await user.write('text', 'hello\n');
  const hash = await npx('hash', 'empty');
  if (hash !== `${EMPTY}  empty\n`) throw new Error(`npx @lanewise/cli hash prints ${hash}`);
  await npx('keygen', '-o', 'key');
  await npx('encrypt', '-i', 'key', '-o', 'text.age', 'text');
  if ((await npx('decrypt', '-i', 'key', 'text.age')) !== 'hello\n')
    throw new Error('npx @lanewise/cli: wrong plaintext');
}

/** `npx` puts a drop-in package in the place of its original in a program that has a lockfile, and takes it back. */
export async function runSwap(user: User): Promise<void> {
  await user.write('package.json', { name: 'swap-user', private: true, dependencies: { tweetnacl: '^1.0.0' } });
  await user.npm('install');
  const isOurs = async (): Promise<boolean> =>
    (await user.read('node_modules/tweetnacl/package.json')).includes('"@lanewise/tweetnacl"');
  await user.npx('@lanewise/swap');
  if (!(await isOurs())) throw new Error('npx @lanewise/swap: tweetnacl is not replaced');
  await user.npx('@lanewise/swap', '--undo');
  if (await isOurs()) throw new Error('npx @lanewise/swap --undo: tweetnacl is not taken back');
}

/** A program with all packages, and the list of all that is installed for it. */
export async function componentsOf(user: User, names: readonly string[]): Promise<string> {
  await user.write('package.json', { name: 'lanewise-packages', version: '0.0.0', private: true, type: 'module' });
  await user.npm('install', ...names);
  await user.write('program.js', PROGRAM);
  await user.run(process.execPath, 'program.js');
  return user.npm('sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application');
}

/** The line of package.json by which an application gets the drop-in packages. */
export async function runOriginals(userIn: (name: string) => Promise<User>): Promise<void> {
  for (const line of lines) {
    const { package: name, original, major } = line;
    const user = await userIn(`${name}-${major}`);
    await user.write('package.json', {
      private: true,
      type: 'module',
      dependencies: { [original]: targetOf(line) },
    });
    await user.npm('install');
    const code = IMPORTS[`${original} ${major}`] ?? `import its from '${original}';`;
    await user.write('program.js', `${code}\nif (!its) throw new Error('nothing');\n`);
    await user.run(process.execPath, 'program.js');
    const manifest = await user.read(`node_modules/${original}/package.json`);
    if (!manifest.includes(`"@lanewise/${name}"`)) throw new Error(`${original} is not @lanewise/${name}`);
  }
}
