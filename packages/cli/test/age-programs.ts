/** `lanewise encrypt` and its kin in a folder of their own, with and without a terminal; and age 1.3.1, where it can be had. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findAge } from './find-age.ts';
import { folder, lanewise, main, type Result } from './programs.ts';

/** Of age's own tests. */
export const RECIPIENT = 'age1xmwwc06ly3ee5rytxm9mflaz2u56jjj36s0mypdrwsvlul66mv4q47ryef';
export const IDENTITY = 'AGE-SECRET-KEY-1EGTZVFFV20835NWYV6270LXYVK2VKNX2MMDKWYKLMGR48UAWX40Q2P2LM0';
export const OTHER_IDENTITY = 'AGE-SECRET-KEY-1NPX08S4LELW9K68FKU0U05XXEKG6X7GT004TPNYLF86H3M00D3FQ3VQQNN';

export const put = (name: string, content: string | Uint8Array): void => writeFileSync(join(folder, name), content);
export const get = (name: string): Buffer => readFileSync(join(folder, name));
export const there = (name: string): boolean => existsSync(join(folder, name));
export const makeFolder = (name: string): void => void mkdirSync(join(folder, name), { recursive: true });

/** Runs with a passphrase as scripts give it, and little work. */
export const withPassphrase = (
  passphrase: string,
  values: readonly string[],
  input: string | Uint8Array = '',
): Result => lanewise(values, input, { AGE_PASSPHRASE: passphrase, AGE_PASSPHRASE_WORK_FACTOR: '8' });

/** A word of a shell. */
export const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

/** Whether there is a program that makes terminals. */
export const hasPseudoTerminal = process.platform === 'linux' && spawnSync('script', ['--version']).status === 0;
if (!hasPseudoTerminal) console.log('SKIPPED: questions at a terminal: there is no `script` of util-linux');

/** A question for a passphrase. */
const QUESTION = /passphrase[^\n]*: $/;

/**
 * Runs at a terminal of its own, at which `typed` is typed at first, and one answer to each question. Returns the exit code and
 * the text on the terminal.
 */
export async function atTerminal(values: readonly string[], answers: readonly string[], typed = '') {
  const command = [process.execPath, main, ...values].map(quoted).join(' ');
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    cwd: folder,
    env: { ...process.env, NO_COLOR: '1', AGE_PASSPHRASE_WORK_FACTOR: '8' },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  let shown = '';
  let answered = 0;
  let seen = 0;
  child.stdout.on('data', (data: Buffer) => {
    shown += data.toString();
    if (!QUESTION.test(shown.slice(seen)) || answered === answers.length) return;
    seen = shown.length;
    child.stdin.write(answers[answered++]);
  });
  child.stdin.write(typed);
  const [status] = (await once(child, 'close')) as [number | null];
  return { status, shown };
}

const programs = findAge();
export const hasAge = programs !== undefined;
if (!hasAge) console.log('SKIPPED: comparisons with age 1.3.1, which Go can install and did not');

export const agePath = programs ?? '';

/** Runs age, or another of its programs. Throws if it fails. */
export const age = (values: readonly string[], input: string | Uint8Array = '', program = 'age'): Buffer =>
  execFileSync(join(agePath, program), values, {
    cwd: folder,
    input,
    env: {
      ...process.env,
      PATH: `${agePath}:${process.env['PATH']}`,
      AGE_PASSPHRASE: 'password',
      AGE_PASSPHRASE_WORK_FACTOR: '8',
    },
    stdio: ['pipe', 'pipe', 'pipe'],
    maxBuffer: 2 ** 28,
  });
