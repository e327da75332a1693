/**
 * Runs the module for pages of @lanewise/blake3-wasm in each browser that is installed, as a server gives its files, without a bundler: under no
 * policy, and under one that forbids WebAssembly. The results have to be those that the original has in Node.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { browse, findBrowser } from '../../runtimes/src/browsers.ts';
import { chromium } from '../../runtimes/src/chromium.ts';
import { firefox } from '../../runtimes/src/firefox.ts';
import { pageOf, serveLocally } from '../../runtimes/src/loopback.ts';
import { webkit } from '../../runtimes/src/webkit.ts';
import { distOf, require } from './folders.ts';
import type { Line } from './lines.ts';

type Any = (...values: unknown[]) => never;
type Library = Readonly<Record<string, Any>>;

/** Sent to pages as text, so it uses nothing from outside. Node has `Buffer`s where browsers have `Hash`es; both give text. */
function resultsOf(library: Library): string[] {
  const found: string[] = [];
  const bytes = (length: number): Uint8Array => Uint8Array.from({ length }, (_, i) => (11 + 7 * i) % 256);
  const note = (encoding: string, hash: { toString(encoding: string): string }): unknown =>
    found.push(hash.toString(encoding));
  for (const length of [0, 1, 64, 65, 1024, 1025, 3073, 16_384, 16_385, 65_537, 200_001]) {
    const [message, key] = [bytes(length), bytes(32)];
    note('hex', library.hash(message, { length: 100 }));
    note('base64', library.keyedHash(key, message));
    note('hex', library.deriveKey('Grüße', message, { length: 5 }));
    const hasher: Library = library.createKeyed(key);
    hasher.update(message.subarray(0, length >> 1));
    note('hex', hasher.digest(undefined, { dispose: false }));
    hasher.update(message.subarray(length >> 1));
    const reader: Library & { position: bigint } = hasher.reader();
    reader.position = BigInt(2) ** BigInt(40) + BigInt(5);
    note('hex', reader.read(77));
    found.push(String(reader.position));
    reader.dispose();
  }
  for (const wrong of [() => library.createKeyed(bytes(31)), () => library.keyedHash(bytes(31), 'abc')])
    try {
      wrong();
      found.push('no error');
    } catch (error) {
      found.push((error as Error).name);
    }
  return found;
}

const PAGE = `
import load from './browser-async.js';
${String(resultsOf)}
const allowed = () => {
  try {
    return Boolean(new WebAssembly.Instance(new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0))));
  } catch {
    return false;
  }
};
const answer = await load().then((library) => ({ results: resultsOf(library) }), (error) => ({ error: String(error) }));
await fetch('./done', { method: 'POST', body: JSON.stringify({ ...answer, allowed: allowed() }) });
`;

interface Answer {
  readonly results?: readonly string[];
  readonly error?: string;
  /** Whether the page may use WebAssembly. */
  readonly allowed: boolean;
}

const POLICIES = [
  { name: 'no policy', headers: {}, allows: true },
  {
    name: 'no WebAssembly',
    headers: { 'Content-Security-Policy': "default-src 'self'; img-src data:" },
    allows: false,
  },
] as const;
/** A page that gives no answer is a fault: this is far more than one needs on a busy machine. */
const LIMIT_MS = 300_000;

async function answerOf(
  folder: string,
  headers: Readonly<Record<string, string>>,
  open: (url: string, done: Promise<undefined>) => Promise<unknown>,
): Promise<Answer> {
  let text: string | undefined;
  const { promise: done, resolve } = Promise.withResolvers<undefined>();
  const asked: string[] = [];
  const server = await serveLocally({
    headers,
    async get(path) {
      asked.push(path);
      if (path === '/') return pageOf('./page.js');
      return path === '/page.js' ? PAGE : readFile(join(folder, path));
    },
    post(_, said) {
      text = said;
      resolve(undefined);
    },
  });
  const timer = setTimeout(() => resolve(undefined), LIMIT_MS);
  try {
    const ending = await open(server.url, done);
    if (text === undefined) throw new Error(`the page gave no answer: ${JSON.stringify(ending)}`);
    if (asked.some((path) => path.endsWith('.wasm'))) throw new Error(`the page asked for ${asked.join(', ')}`);
    return JSON.parse(text) as Answer;
  } finally {
    clearTimeout(timer);
    await server.close();
  }
}

/** Throws if a browser has another result. */
export async function runInPages(line: Line): Promise<void> {
  const expected = JSON.stringify(resultsOf(require(line.alias) as Library));
  for (const browser of [chromium, firefox, webkit]) {
    const found = await findBrowser(browser);
    if (found.missing !== undefined) {
      console.log(`pages: not in ${browser.name}, because there is no ${found.missing}: ${found.howToGet}`);
      continue;
    }
    for (const { name, headers, allows } of POLICIES) {
      const { results, error, allowed } = await answerOf(distOf(line), headers, (url, done) =>
        browse(browser, found.path, url, done),
      );
      if (error !== undefined || JSON.stringify(results) !== expected || allowed !== allows)
        throw new Error(`${browser.name}, ${name}: ${error ?? `allowed: ${allowed}, ${results?.join() ?? ''}`}`);
      console.log(`pages: ${results!.length} results in ${browser.name}, ${name}`);
    }
  }
}
