/** `npm run site`: serves the built site on this machine, with the headers that give the page that measures a browser its fine clock. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { parseArgs } from 'node:util';
import { serveFiles } from '../../packages/lab/src/lab/serve.ts';

const { values } = parseArgs({ options: { port: { type: 'string', default: '8080' } } });
const port = Number(values.port);
if (!Number.isInteger(port) || port < 0 || port > 65535)
  throw new RangeError(`"port" expected 0 to 65535, got ${values.port}`);

const folder = join(import.meta.dirname, '../dist');
const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map(({ parentPath, name }) => join(parentPath, name));
const { url } = await serveFiles(
  new Map(files.map((path) => [relative(folder, path).replaceAll(sep, '/'), readFileSync(path)])),
  { port, isolated: true },
);
process.stdout.write(`${url}\n`);
