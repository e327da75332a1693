/** Serves the app on this machine: `node examples/notes/serve.js [PORT]`. */
import { createServer } from 'node:http';
import { extname } from 'node:path';
import { bundle, POLICY } from './build.js';

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.wasm': 'application/wasm',
};
const files = await bundle();
const server = createServer((request, response) => {
  const path = new URL(request.url, 'http://localhost').pathname;
  const name = path === '/' ? 'index.html' : path.slice(1);
  const content = files.get(name);
  if (!content) return response.writeHead(404).end();
  response.writeHead(200, { 'content-type': TYPES[extname(name)], 'content-security-policy': POLICY });
  response.end(content);
});
server.listen(Number(process.argv[2] ?? 0), '127.0.0.1', () => {
  console.log(`http://localhost:${server.address().port}/`);
});
