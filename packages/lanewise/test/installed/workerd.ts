/** A pool of the installed library in workerd, which has no workers that a program could start. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { serveWorkers } from '../../../runtimes/src/workerd-server.ts';
import type { Checked } from './visit.ts';

const WORKER = `
import { createPool } from 'lanewise/pool.js';
import { check } from './check.js';
export default { fetch: async () => Response.json(await check(createPool())) };
`;

/** Rejects if the pool is wrong, or has workers; otherwise the reason why it has none. */
export async function poolInWorkerd(path: string, installed: string): Promise<string> {
  const folder = mkdtempSync(join(installed, 'workerd-'));
  try {
    const entry = join(installed, 'in-workerd.js');
    writeFileSync(entry, WORKER);
    const file = join(folder, 'worker.js');
    await build({ entryPoints: [entry], outfile: file, bundle: true, format: 'esm', logLevel: 'error' });
    const serving = await serveWorkers(path, [{ name: 'pool', modules: [{ name: 'worker.js', file }] }]);
    try {
      const response = await fetch(serving.urls.get('pool')!);
      const text = await response.text();
      if (!response.ok) throw new Error(text.slice(0, 1000));
      const { failed, parallel, reason } = JSON.parse(text) as Checked;
      if (failed.length > 0 || parallel || reason === undefined) throw new Error(text);
      return `pool: ok, ${reason}`;
    } finally {
      await serving.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
