/** The installed library in workerd: a pool, for which a program cannot start workers there, and the program of the guide. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { serveWorkers } from '../../../runtimes/src/workerd-server.ts';
import { block } from './guide.ts';
import type { Checked } from './visit.ts';

const WORKER = `
import { createPool } from 'lanewise/pool.js';
import { check } from './check.js';
export default { fetch: async () => Response.json(await check(createPool())) };
`;

const KEY = '80'.repeat(32);
/** The guide's program, with the secret that Cloudflare would give it; it decrypts the program's messages. */
const GUIDE = `
import guide from './worker-of-guide.js';
import { managedNonce, xchacha20poly1305 } from 'lanewise/chacha.js';
import { hexToBytes } from 'lanewise/utils.js';
export default {
  async fetch() {
    const request = new Request('https://worker.example/', { method: 'POST', body: 'a message' });
    const response = await guide.fetch(request, { KEY: '${KEY}' });
    const message = managedNonce(xchacha20poly1305)(hexToBytes('${KEY}')).decrypt(await response.bytes());
    return new Response(response.headers.get('x-engine') + ', ' + new TextDecoder().decode(message));
  },
};
`;

/** Rejects if the pool is wrong, or has workers; otherwise the reason why it has none. */
export async function poolInWorkerd(path: string, installed: string): Promise<string> {
  const folder = mkdtempSync(join(installed, 'workerd-'));
  try {
    // Beside the installed package.
    const sources = {
      'in-workerd.js': WORKER,
      'guide.js': GUIDE,
      'worker-of-guide.js': block('worker.js', 'environments'),
    };
    for (const [name, text] of Object.entries(sources)) writeFileSync(join(installed, name), text);
    await build({
      entryPoints: ['in-workerd.js', 'guide.js'].map((name) => join(installed, name)),
      outdir: folder,
      bundle: true,
      format: 'esm',
      logLevel: 'error',
      // Wrangler gives modules such names, and workerd compiles them.
      loader: { '.wasm': 'copy' },
      assetNames: '[name]',
    });
    const moduleOf = (name: string) => ({ name, file: join(folder, name), wasm: name.endsWith('.wasm') });
    const serving = await serveWorkers(path, [
      { name: 'pool', modules: ['in-workerd.js'].map(moduleOf) },
      { name: 'guide', modules: ['guide.js', 'chacha-relaxed.wasm'].map(moduleOf) },
    ]);
    try {
      const ask = async (name: string): Promise<string> => {
        const response = await fetch(serving.urls.get(name)!);
        const text = await response.text();
        if (!response.ok) throw new Error(text.slice(0, 1000));
        return text;
      };
      const text = await ask('pool');
      const { failed, parallel, reason } = JSON.parse(text) as Checked;
      if (failed.length > 0 || parallel || reason === undefined) throw new Error(text);
      const guide = await ask('guide');
      if (guide !== 'simd, a message') throw new Error(`the program of the guide: ${guide}`);
      return `pool: ok, ${reason}; the program of the guide: ok, simd`;
    } finally {
      await serving.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
