// A deployment of a site, whose files Wrangler hashes: Cloudflare is told these hashes, and asks for the files that it lacks. A server on loopback
// takes Cloudflare's place, and refuses once it has the hashes.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const files = { 'index.html': '<p>hello', 'image.bin': Buffer.alloc(3_000_000, 7), 'empty.txt': '' };

// By b3sum 1.2.0: the first 128 bits of the hash of the file in base64 and its extension.
const hashes = {
  '/index.html': '8f63e22e8ddfb489046cb204360fce12',
  '/image.bin': 'f9fec905abcd348d9b42f4d132fc9d5e',
  '/empty.txt': 'f9bc91770fa5e997cbd47fba833629fc',
};

async function hashesOfDeployment() {
  const folder = mkdtempSync(join(tmpdir(), 'wrangler-'));
  mkdirSync(join(folder, 'public'));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, 'public', name), content);
  let manifest;
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const answer = (status, result) => {
      const errors = status === 200 ? [] : [{ code: 10007, message: 'not here' }];
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ success: status === 200, errors, messages: [], result }));
    };
    if (request.url.endsWith('/subdomain')) return answer(200, { subdomain: 'example' });
    if (request.url.endsWith('/assets-upload-session')) manifest = JSON.parse(body).manifest;
    answer(manifest ? 400 : 404, null);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    CI: 'true',
    CLOUDFLARE_ACCOUNT_ID: 'account',
    CLOUDFLARE_API_BASE_URL: `http://127.0.0.1:${server.address().port}/client/v4`,
    CLOUDFLARE_API_TOKEN: 'none',
    WRANGLER_HIDE_BANNER: 'true',
    WRANGLER_SEND_METRICS: 'false',
  };
  const program = fileURLToPath(import.meta.resolve('wrangler'));
  const flags = ['deploy', '--assets', 'public', '--name', 'site', '--compatibility-date', '2026-11-01'];
  const output = await new Promise((ended) => {
    execFile(process.execPath, [program, ...flags], { cwd: folder, env }, (_, ...texts) => ended(texts.join('')));
  });
  server.close();
  rmSync(folder, { recursive: true });
  if (!manifest) throw new Error(`Wrangler sent no hashes:\n${output}`);
  return manifest;
}

export const cases = {
  'hashes of a deployment': async () => {
    const sent = await hashesOfDeployment();
    for (const [name, hash] of Object.entries(hashes))
      if (sent[name]?.hash !== hash) throw new Error(`wrong hash of ${name}: ${sent[name]?.hash}`);
  },
};
