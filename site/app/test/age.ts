/** The judges of the app: age 1.3.1, or typage where Go cannot install age; and b3sum. */
import { armor, Decrypter, Encrypter, generateIdentity, identityToRecipient } from 'age-encryption';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findAge } from '../../../packages/cli/test/find-age.ts';

/** The key or passphrase that opens a file. */
export type Opener = { readonly passphrase: string } | { readonly identity: string };

/** Another program that reads and writes files of age. */
export interface Judge {
  readonly name: string;
  makeKey(): Promise<{ readonly identity: string; readonly recipient: string }>;
  /** Encrypts a file into another one. */
  encrypt(
    from: string,
    to: string,
    lock: { readonly passphrase: string } | { readonly recipient: string },
  ): Promise<void>;
  /** The content of an encrypted file. */
  decrypt(path: string, opener: Opener): Promise<Uint8Array>;
}

/** age itself; it takes passphrases of scripts by its plugin `batchpass`. */
function ageIn(folder: string): Judge {
  const run = (program: string, values: readonly string[], passphrase = '', input = ''): Promise<Buffer> => {
    const environment = { AGE_PASSPHRASE: passphrase, AGE_PASSPHRASE_WORK_FACTOR: '12' };
    return Promise.resolve(
      execFileSync(join(folder, program), values, {
        env: { ...process.env, PATH: `${folder}:${process.env['PATH']}`, ...environment },
        input,
        stdio: ['pipe', 'pipe', 'ignore'],
        maxBuffer: 2 ** 28,
      }),
    );
  };
  return {
    name: 'age 1.3.1',
    async makeKey() {
      const text = (await run('age-keygen', [])).toString();
      return { identity: /AGE-SECRET-KEY-1\w+/.exec(text)![0], recipient: /age1\w+/.exec(text)![0] };
    },
    async encrypt(from, to, lock) {
      if ('recipient' in lock) await run('age', ['-r', lock.recipient, '-o', to, from]);
      else await run('age', ['-e', '-j', 'batchpass', '-o', to, from], lock.passphrase);
    },
    decrypt: (path, opener) =>
      'identity' in opener
        ? run('age', ['-d', '-i', '-', path], '', `${opener.identity}\n`)
        : run('age', ['-d', '-j', 'batchpass', path], opener.passphrase),
  };
}

/** The implementation of age's author in TypeScript. The app makes headers with it; passphrases and contents not. */
const typage: Judge = {
  name: 'typage, because Go could not install age',
  async makeKey() {
    const identity = await generateIdentity();
    return { identity, recipient: await identityToRecipient(identity) };
  },
  async encrypt(from, to, lock) {
    const encrypter = new Encrypter();
    if ('recipient' in lock) encrypter.addRecipient(lock.recipient);
    else {
      encrypter.setPassphrase(lock.passphrase);
      encrypter.setScryptWorkFactor(12);
    }
    writeFileSync(to, await encrypter.encrypt(readFileSync(from)));
  },
  decrypt(path, opener) {
    const decrypter = new Decrypter();
    if ('identity' in opener) decrypter.addIdentity(opener.identity);
    else decrypter.addPassphrase(opener.passphrase);
    const bytes = readFileSync(path);
    return decrypter.decrypt(bytes[0] === '-'.charCodeAt(0) ? armor.decode(bytes.toString()) : bytes);
  },
};

/** The folder of age's programs. */
export const agePath = findAge();
export const judge: Judge = agePath === undefined ? typage : ageIn(agePath);

export const hasB3sum = spawnSync('b3sum', ['--version']).status === 0;
export const b3sum = (path: string): string => execFileSync('b3sum', ['--no-names', path]).toString().trim();
