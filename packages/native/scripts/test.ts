/** The library's tests on native code: `npm run test:native`. Where nothing can compile it, it says so, and there is nothing to test. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { compilerHere } from '../src/compiler.ts';

if (compilerHere()) {
  const vitest = spawnSync('vitest', ['run', '--project', 'native', ...process.argv.slice(2)], { stdio: 'inherit' });
  process.exitCode = vitest.status ?? 1;
  // Operands are vitest's, and choose some files.
  if (process.exitCode === 0 && process.argv.length === 2) {
    const hosts = spawnSync(process.execPath, [join(import.meta.dirname, 'runtimes.ts')], { stdio: 'inherit' });
    process.exitCode = hosts.status ?? 1;
  }
} else console.log('native code is not tested: there is no C compiler here (cc, gcc, clang or zig)');
