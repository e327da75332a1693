/** All tests of a run write below one temporary folder, and share what Node compiles. A run fails if a test left a folder there, because none removes it later. */
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export default function temporaryFolder(): () => void {
  const before = { TMPDIR: process.env['TMPDIR'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] };
  const folder = mkdtempSync(join(tmpdir(), 'lanewise-'));
  // Some tests start programs as another user, who must reach the folders of tests in this one.
  chmodSync(folder, 0o711);
  // Tests, and the programs that they start, inherit it.
  process.env['TMPDIR'] = folder;
  // Most of the time of a short program is that of compiling it.
  process.env['NODE_COMPILE_CACHE'] ??= join(folder, 'compiled');
  return () => {
    // Hooks don't run in a file whose tests are all skipped, for want of a program: its folder stays, with nothing in it.
    const isFull = (name: string): boolean => readdirSync(join(folder, name)).length > 0;
    const left = readdirSync(folder).filter((name) => name.startsWith('lanewise-') && isFull(name));
    rmSync(folder, { recursive: true, force: true });
    for (const [name, value] of Object.entries(before))
      if (value === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = value;
    if (left.length > 0) throw new Error(`tests left temporary folders: ${left.join(', ')}; remove them in afterAll`);
  };
}
