/**
 * Runs actionlint over the workflows: the program of this name on the PATH, or else its module by Go. Where there is neither, it says so;
 * that makes the run fail with --require only.
 */
import { spawnSync } from 'node:child_process';
import { workspace } from './packages.ts';

const MODULE = 'github.com/rhysd/actionlint/cmd/actionlint@v1.7.12';

const has = (program: string, argument: string): boolean => spawnSync(program, [argument]).status === 0;

const [program, ...values] = has('actionlint', '--version')
  ? ['actionlint', '-color']
  : has('go', 'version')
    ? ['go', 'run', MODULE]
    : [];
if (program === undefined) {
  console.log('NOT RUN: there is neither actionlint nor Go, which could fetch it');
  if (process.argv.includes('--require')) process.exitCode = 1;
} else {
  const { status } = spawnSync(program, values, { cwd: workspace, stdio: 'inherit' });
  if (status === 0) console.log('actionlint: the workflows are right');
  else process.exitCode = 1;
}
