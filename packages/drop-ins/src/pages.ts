/**
 * Runs the modules of lines that pages load without a bundler in each browser that is installed, as a server gives their files: under no policy,
 * and under one that forbids WebAssembly. The results have to be those that the original has in Node.
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
import { lineOf } from './shell.ts';

type Any = (...values: unknown[]) => never;
type Library = Readonly<Record<string, Any>>;

/** A line, and a program over it. Programs are sent to pages as text, so they use nothing from outside. */
interface Page {
  readonly line: Line;
  /** Gives `library` to the module of a page. */
  readonly module: string;
  readonly program: (library: Library, allowed: boolean) => string[];
}

/** Node has `Buffer`s where browsers have `Hash`es; both give text. */
function resultsOfWasm(library: Library): string[] {
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

/** The original's hashers are right for one output of at most 64 bytes: README of @lanewise/blake3-jit. */
function resultsOfJit(library: Library, allowed: boolean): string[] {
  const found: string[] = [];
  const bytes = (length: number): Uint8Array => Uint8Array.from({ length }, (_, i) => (11 + 7 * i) % 256);
  const note = (value: Uint8Array): unknown => found.push(value.join());
  for (const length of [0, 1, 64, 65, 1024, 1025, 3073, 4096, 16_384, 16_385, 65_537, 200_001]) {
    const [message, key] = [bytes(length), bytes(32)];
    const out = new Uint8Array(40);
    library.hashInto(message, out);
    note(out);
    note(library.hash(message));
    for (const made of [
      library.createHasher(),
      library.createKeyed(key),
      library.createDeriveKey('Grüße'),
    ] as Library[]) {
      made.update(message.subarray(0, length >> 1));
      made.update(message.subarray(length >> 1));
      note(made.finalize(64));
      made.reset();
      made.update(message);
      const reader: Library = made.finalizeXof();
      for (const size of [1, 64, 200]) note(reader.read(size));
    }
  }
  for (const wrong of [() => library.createKeyed(bytes(31)), () => library.hashInto(bytes(3), bytes(31))])
    try {
      wrong();
      found.push('no error');
    } catch (error) {
      found.push(String(error));
    }
  found.push(`vectors where WebAssembly is allowed, and nowhere else: ${allowed === library.warmupSimd()}`);
  return found;
}

const pages: readonly Page[] = [
  {
    line: lineOf('blake3-wasm', 2),
    module: `import load from './browser-async.js';\nconst library = await load();`,
    program: resultsOfWasm,
  },
  {
    line: lineOf('blake3-jit', 1),
    module: `import * as library from './dist/index.js';`,
    program: resultsOfJit,
  },
  {
    line: lineOf('@huggingface/blake3-jit', 0),
    module: `import * as library from './dist/esm/index.js';`,
    program: resultsOfJit,
  },
];

const textOf = ({ program }: Page): string => `
const allowed = () => {
  try {
    return Boolean(new WebAssembly.Instance(new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0))));
  } catch {
    return false;
  }
};
const results = async () => {
  const { library } = await import('./module.js');
  return (${String(program)})(library, allowed());
};
const answer = await results().then((results) => ({ results }), (error) => ({ error: String(error) }));
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
  page: Page,
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
      if (path === '/module.js') return `${page.module}\nexport { library };`;
      return path === '/page.js' ? textOf(page) : readFile(join(distOf(page.line), path));
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

/** Runs the pages of one line, or of all. Throws if a browser has another result. */
export async function runInPages(only?: string): Promise<void> {
  for (const page of pages.filter(({ line }) => only === undefined || line.alias === only)) {
    const expected = JSON.stringify(page.program(require(page.line.alias) as Library, true));
    const title = `pages of ${page.line.original}`;
    for (const browser of [chromium, firefox, webkit]) {
      const found = await findBrowser(browser);
      if (found.missing !== undefined) {
        console.log(`${title}: not in ${browser.name}, because there is no ${found.missing}: ${found.howToGet}`);
        continue;
      }
      for (const { name, headers, allows } of POLICIES) {
        const { results, error, allowed } = await answerOf(page, headers, (url, done) =>
          browse(browser, found.path, url, done),
        );
        if (error !== undefined || JSON.stringify(results) !== expected || allowed !== allows)
          throw new Error(
            `${title}, ${browser.name}, ${name}: ${error ?? `allowed: ${allowed}, ${results?.join() ?? ''}`}`,
          );
        console.log(`${title}: ${results!.length} results in ${browser.name}, ${name}`);
      }
    }
  }
}
