/** The examples of documents, and the server that some of them speak of. */
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';

export const workspace: string = join(import.meta.dirname, '../../../..');

export interface Example {
  readonly name: string;
  readonly code: string;
}

/** Packages whose larger builds, with all of their functions and more, are installed here. */
const LARGER_BUILDS: Readonly<Record<string, string>> = { 'libsodium-wrappers': 'libsodium-wrappers-sumo' };
/** Documents whose examples need servers: `npm run test:cluster` runs them. */
export const WITH_SERVERS: readonly string[] = ['docs/guide/cluster.md', 'packages/cluster/README.md'];
/** The host of examples that fetch. A server on this machine takes its place. */
export const SERVER = 'https://files.example';

/** Code blocks in TypeScript, without the indentation of a list that they may be in. */
export const blocksOf = (text: string): string[] =>
  [...text.matchAll(/^( *)```ts\n([\s\S]*?)^ *```$/gm)].map(([, indent, code]) =>
    code
      .split('\n')
      .map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line))
      .join('\n'),
  );

/** The lines that an example prints by its own comments. */
export const promisedBy = (code: string): string[] =>
  [...code.matchAll(/^.*console\.log\(.*\/\/ prints (.*)$/gm)].map(([, line]) => line);

/** The examples of the READMEs and guides of the repository; none in the published package, which has no documents. */
export function examplesOfDocuments(): Example[] {
  const guides = join(workspace, 'docs');
  const names = existsSync(guides)
    ? readdirSync(guides, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'))
    : [];
  return [
    'README.md',
    'packages/age/README.md',
    'packages/cluster/README.md',
    'packages/sqlite/README.md',
    ...names.map((name) => join('docs', name)),
  ]
    .sort()
    .filter((file) => existsSync(join(workspace, file)))
    .flatMap((file) =>
      blocksOf(readFileSync(join(workspace, file), 'utf8')).map((code, i) => ({
        name: `${file}, block ${i + 1}`,
        code: code.replace(/ from '([^']+)'/g, (all, name: string) =>
          Object.hasOwn(LARGER_BUILDS, name) ? ` from '${LARGER_BUILDS[name]}'` : all,
        ),
      })),
    );
}

/** The examples in the comments of the library and of `@lanewise/age`, but for those that name files: these are several programs in one. */
export const examplesOfComments = (): Example[] =>
  globSync('packages/{lanewise,age}/src/**/*.ts', { cwd: workspace })
    .sort()
    .flatMap((file) =>
      [...readFileSync(join(workspace, file), 'utf8').matchAll(/\/\*\*[^]*?\*\//g)]
        .flatMap(([comment]) => blocksOf(comment.replaceAll(/^ *\* ?/gm, '')))
        .filter((code) => !/^\/\/ [\w-]+\.ts\n/.test(code))
        .map((code, i) => ({ name: `${file}, example ${i + 1}`, code })),
    );

/** Keeps the bodies that it is sent, and gives them again, also in ranges. */
export async function fileServer(): Promise<{ readonly address: string; readonly server: Server }> {
  const files = new Map<string, Buffer>();
  const server = createServer((request, response) => {
    const url = request.url!;
    if (request.method === 'PUT')
      void buffer(request).then((body) => {
        files.set(url, body);
        response.writeHead(204).end();
      });
    else {
      const body = files.get(url);
      const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '');
      const [from, to] = range ? [Number(range[1]), Math.min(Number(range[2]) + 1, body?.length ?? 0)] : [0, Infinity];
      const headers = range && body && { 'content-range': `bytes ${from}-${to - 1}/${body.length}`, etag: '"1"' };
      response.writeHead(body ? (range ? 206 : 200) : 404, headers || {}).end(body?.subarray(from, to));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

/** The outcome of an example in a process that ran all of them. */
export interface Outcome {
  readonly printed: readonly string[];
  /** Its error, if it threw. */
  readonly error?: string;
  /** The engine that was selected afterwards. */
  readonly engine: string;
}

/** A program that imports `example-N.ts` of its folder one after the other, and prints the outcomes as JSON. */
export const runnerOf = (numbers: readonly number[], engineModule: string, browserFiles: string): string =>
  `import { format } from 'node:util';
import '${browserFiles}';
import { describe } from '${engineModule}';
const print = console.log;
const results = [];
for (const i of ${JSON.stringify(numbers)}) {
  let error;
  const printed = [];
  console.log = (...values) => void printed.push(format(...values));
  try {
    await import(\`./example-\${i}.ts\`);
  } catch (thrown) {
    error = String(thrown?.stack ?? thrown);
  }
  results[i] = { printed, error, engine: describe().engine };
}
print(JSON.stringify(results));
`;
