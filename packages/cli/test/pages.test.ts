/** Man pages and completions: every command and every option, as groff and the shells take them; --version; one line when files run out. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { commands } from '../src/commands.ts';
import { bashCompletion, manPage, pageOf, pagesFor, type Subject } from '../src/pages.ts';
import { lanewise } from './programs.ts';

const has = (program: string): boolean => {
  const found = spawnSync(program, ['--version']).error === undefined;
  if (!found) console.log(`SKIPPED: what ${program} makes of a page: it is not installed`);
  return found;
};
const manifest = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')) as {
  readonly version: string;
  readonly man: readonly string[];
};
let subjects: Subject[];
beforeAll(async () => {
  subjects = await Promise.all(
    [...commands].map(async ([name, { summary, load }]) => ({ name, summary, ...(await load()) })),
  );
});
const subject = (its: string): Subject => subjects.find(({ name }) => name === its)!;

describe('pages', () => {
  it('have all options, with the text of --help, and the package names all of them', () => {
    const pages = pagesFor(subjects, '1.2.3');
    const manuals = [...pages.keys()].filter((path) => path.startsWith('man/'));
    expect(manifest.man.map((path) => path.replace(/^dist\//, '')).sort()).toEqual(manuals.sort());
    for (const { name, options, HELP } of subjects) {
      const page = pages.get(`man/lanewise-${name}.1`)!;
      for (const [long, { short }] of Object.entries(options)) {
        const shown = `\\fB\\-\\-${long.replaceAll('-', '\\-')}\\fR`;
        expect(page).toContain(short === undefined ? shown : `\\fB\\-${short}\\fR, ${shown}`);
        expect(HELP).toContain(`--${long}`);
        for (const shell of ['completions/lanewise.bash', 'completions/_lanewise', 'completions/lanewise.fish'])
          expect(pages.get(shell)).toContain(long);
      }
      expect(pages.get('man/lanewise.1')).toContain(`lanewise\\-${name}`);
    }
  });

  it.each([
    ['an option that --help does not name', (help: string) => help.replace(/^ +--quiet.*\n/m, '')],
    ['one that is not there', (help: string) => help.replace('--quiet ', '--silent')],
    ['one that takes no value', (help: string) => help.replace('--quiet ', '--quiet N')],
    ['one with another letter', (help: string) => help.replace('-c, --check', '-k, --check')],
    ['one twice', (help: string) => `${help}      --quiet  again\n`],
  ])('are not made of %s', (_, change) => {
    const HELP = change(subject('hash').HELP);
    expect(() => pageOf({ ...subject('hash'), HELP })).toThrow('the table of options and --help differ');
  });

  it.runIf(has('groff'))('are roff without mistakes', () => {
    for (const each of subjects) {
      const { stdout, stderr, status } = spawnSync('groff', ['-man', '-Tutf8', '-Kutf8', '-ww', '-rLL=200n'], {
        input: manPage(each, '1.2.3'),
        encoding: 'utf8',
        env: { ...process.env, GROFF_NO_SGR: '1' },
      });
      expect(stderr).toBe('');
      expect(status).toBe(0);
      // Struck over, as bold is without colours.
      const plain = stdout.replace(/.\p{Cc}(?<!\n)/gu, '');
      for (const name of ['NAME', 'SYNOPSIS', 'DESCRIPTION', 'OPTIONS', 'SEE ALSO'])
        expect(plain).toContain(`\n${name}\n`);
      for (const { long, text } of pageOf(each).shown) {
        expect(plain).toContain(`--${long}`);
        expect(plain.replace(/\s+/g, ' ')).toContain(text.split('\n')[0].replace(/\s+/g, ' '));
      }
    }
  });

  it.runIf(has('bash'))('complete in bash: commands, options, files', () => {
    const complete = (...words: readonly string[]): string[] => {
      const script = `${bashCompletion(subjects)}
        compopt() { :; }
        COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _lanewise; printf '%s\\n' "\${COMPREPLY[@]}"`;
      const { stdout, stderr } = spawnSync('bash', ['-uc', script, 'bash', ...words], {
        cwd: join(import.meta.dirname, '..'),
        encoding: 'utf8',
      });
      expect(stderr).toBe('');
      return stdout.split('\n').filter((line) => line !== '');
    };
    expect(complete('lanewise', 'de')).toEqual(['decrypt']);
    expect(complete('lanewise', '')).toEqual([...commands.keys(), '--help', '--version']);
    expect(complete('lanewise', 'hash', '--no')).toEqual(['--no-names', '--no-mmap', '--no-native']);
    expect(complete('lanewise', 'decrypt', '-i', 'pack')).toEqual(['package.json']);
    expect(complete('lanewise', 'worker', '--queue', 'pack')).toEqual([]);
    expect(complete('lanewise', 'hash', 'pack')).toEqual(['package.json']);
    expect(complete('lanewise', 'nothing', 'pack')).toEqual([]);
  });

  it.each([['zsh'], ['fish']])('are of the syntax of %s', (shell) => {
    if (!has(shell)) return;
    const name = shell === 'zsh' ? 'completions/_lanewise' : 'completions/lanewise.fish';
    const { stderr } = spawnSync(shell, ['-n'], { input: pagesFor(subjects, '1').get(name), encoding: 'utf8' });
    expect(stderr).toBe('');
  });
});

it.each([...commands.keys()])('lanewise %s --version', (name) => {
  for (const option of ['--version', '-V'])
    expect(lanewise([name, option])).toMatchObject({
      status: 0,
      stderr: '',
      stdout: Buffer.from(`lanewise ${manifest.version}\n`),
    });
  expect(lanewise([name, '--version', '--bogus'])).toMatchObject({ status: 2 });
});

it('too many open files are one line', () => {
  const hooks = `import { registerHooks } from 'node:module';
registerHooks({ resolve(name, context, next) {
  if (name === './commands/hash.ts') throw Object.assign(new Error('EMFILE: too many open files'), { errno: -24, code: 'EMFILE' });
  return next(name, context);
} });`;
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(hooks)}`;
  expect(lanewise(['hash', 'package.json'], '', { NODE_OPTIONS })).toMatchObject({
    status: 1,
    stderr: 'lanewise hash: Too many open files (os error 24)\n',
  });
});
