/**
 * Makes the app: static files in `dist`, which any server can serve from any path. The service worker gets the list of them with their
 * hashes, so it keeps whole versions only.
 */
import { build as bundle, type BuildOptions } from 'esbuild';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { about } from '../src/about.ts';
import { rule } from './headers-file.ts';
import { HEADERS, PAGE_POLICY, SERVICE_WORKER_HEADERS } from './src/policy.ts';

const root = import.meta.dirname;
export const dist = join(root, 'dist');

const COMMON: BuildOptions = {
  absWorkingDir: root,
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  legalComments: 'none',
  logLevel: 'warning',
};

/** The files of a folder, in the order of their names. */
const filesIn = (folder: string): string[] => readdirSync(folder).sort();

const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes);

/** Headers for servers that read a `_headers` file, as Cloudflare Pages and Netlify do. */
function headersFile(): string {
  const policy = 'content-security-policy';
  const its = { [policy]: SERVICE_WORKER_HEADERS[policy] };
  return rule('/*', HEADERS) + rule('/service-worker.js', its, [policy]);
}

/** The end of the page: which version this is, and the way to the site and to the sources, where they have addresses. */
function aboutPage(site: string | undefined): string {
  const { version, repository } = about();
  const links = [
    ...(site === undefined ? [] : [['Lanewise', site]]),
    ...(repository === undefined ? [] : [['Source', repository]]),
  ].map(([text, address]) => `<a href="${new URL(address).href.replaceAll('"', '%22')}">${text}</a>`);
  return [`Lanewise Files ${version}, MIT licence`, ...links].join(' · ');
}

/**
 * Builds the app, aside at first, and puts it in place whole. Gives the folder. The page links to the site, if its address is
 * given.
 */
export async function buildApp(site: string | undefined = process.env['SITE_URL']): Promise<string> {
  const fresh = mkdtempSync(join(root, '.dist-'));
  try {
    cpSync(join(root, 'public'), fresh, { recursive: true });
    const page = readFileSync(join(fresh, 'index.html'), 'utf8');
    if (!page.includes('"POLICY"')) throw new Error('index.html expected a place for the policy');
    if (!page.includes('<!-- about -->')) throw new Error('index.html expected a place for its version');
    const whole = page.replace('"POLICY"', `"${PAGE_POLICY}"`).replace('<!-- about -->', () => aboutPage(site));
    writeFileSync(join(fresh, 'index.html'), whole);
    const hashOf = (name: string): readonly [string, string] => [
      name,
      `sha256-${sha256(readFileSync(join(fresh, name))).digest('base64')}`,
    ];
    const entryPoints = { worker: 'lanewise/worker.js', 'file-writer': 'workers/file-writer.ts' };
    await bundle({ ...COMMON, entryPoints, outdir: fresh });
    const workers = Object.keys(entryPoints).map((name) => hashOf(`${name}.js`));
    await bundle({
      ...COMMON,
      entryPoints: { main: 'src/main.ts' },
      outdir: fresh,
      define: { WORKERS: JSON.stringify(Object.fromEntries(workers)) },
    });
    const files = Object.fromEntries(filesIn(fresh).map(hashOf));
    const listed = JSON.stringify(files);
    await bundle({
      ...COMMON,
      entryPoints: { 'service-worker': 'workers/service-worker.ts' },
      outdir: fresh,
      define: { FILES: listed, VERSION: JSON.stringify(sha256(listed).digest('hex').slice(0, 16)) },
    });
    writeFileSync(join(fresh, '_headers'), headersFile());
    rmSync(dist, { recursive: true, force: true });
    mkdirSync(dist, { recursive: true });
    rmSync(dist, { recursive: true });
    renameSync(fresh, dist);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
  return dist;
}

if (import.meta.main) {
  await buildApp();
  for (const name of filesIn(dist))
    console.log(`${String(readFileSync(join(dist, name)).length).padStart(8)}  ${name}`);
}
