/** All tests of a run write below one temporary folder. A run fails if a test left a folder there, because none removes it later. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export default function temporaryFolder(): () => void {
  const before = process.env['TMPDIR'];
  const folder = mkdtempSync(join(tmpdir(), 'lanewise-'));
  // Tests, and the programs that they start, inherit it.
  process.env['TMPDIR'] = folder;
  return () => {
    const left = readdirSync(folder).filter((name) => name.startsWith('lanewise-'));
    rmSync(folder, { recursive: true, force: true });
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
    if (left.length > 0) throw new Error(`tests left temporary folders: ${left.join(', ')}; remove them in afterAll`);
  };
}
