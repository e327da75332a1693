/**
 * The streams of the built library in one JavaScript runtime, over what that runtime has: Blobs, files, ranged requests to a server on
 * loopback. Prints one line.
 */
import { mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newFile } from '../dist/stream-node.js';
import { agePayload, chunked, fetchRange, secretstream } from '../dist/stream.js';

const sample = (length) => Uint8Array.from({ length }, (_, i) => (Math.imul(i + 1, 0x9e3779b1) >>> 23) & 255);
const same = (a, b) => a.length === b.length && a.every((byte, i) => byte === b[i]);
const key = sample(32);
const plaintext = sample(300_000);

/** The fetch of Node parses HTTP by WebAssembly. */
const fetches = typeof WebAssembly === 'object' || 'Bun' in globalThis;

let checks = 0;
const check = (ok, what) => {
  if (!ok) throw new Error(what);
  checks++;
};
/** The message of the error that must come. */
const refusal = (promise) =>
  promise.then(
    () => 'nothing was refused',
    (error) => error.message,
  );

/** Serves the file with ranges; its entity tag may be changed. */
async function serving(bytes, work) {
  const its = { tag: '"one"', requests: 0 };
  const server = createServer((request, response) => {
    its.requests++;
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range);
    const end = Math.min(Number(last) + 1, bytes.length);
    const condition = request.headers['if-match'];
    if (condition !== undefined && condition !== its.tag) return response.writeHead(412).end();
    const range = `bytes ${first}-${end - 1}/${bytes.length}`;
    response.writeHead(206, { 'content-range': range, etag: its.tag, 'content-length': end - first });
    return response.end(bytes.subarray(Number(first), end));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await work(`http://127.0.0.1:${server.address().port}/`, its);
  } finally {
    server.close();
    server.closeAllConnections?.();
  }
}

async function readers(format, bytes) {
  const ranges = [
    [0, 1],
    [16_383, 131_073],
    [299_999, 300_000],
    [0, 300_000],
  ];
  const read = async (source, what) => {
    const file = await format(key).reader(source);
    check(file.size === plaintext.length, `${what}: size`);
    const parts = await Promise.all(ranges.map(([from, to]) => file.read(from, to)));
    ranges.forEach(([from, to], i) => check(same(parts[i], plaintext.subarray(from, to)), `${what}: ${from} to ${to}`));
    return file;
  };
  await read(bytes, 'bytes');
  await read(new Blob([bytes]), 'a Blob');
  const path = join(tmpdir(), `lanewise-${Date.now()}-${Math.random()}`);
  await writeFile(path, bytes);
  try {
    const handle = await open(path);
    try {
      await read(handle, 'a FileHandle');
    } finally {
      await handle.close();
    }
  } finally {
    await rm(path);
  }
  if (fetches)
    await serving(bytes, async (url, its) => {
      const file = await read(fetchRange(url), 'a server');
      its.tag = '"two"';
      check(/has changed/.test(await refusal(file.read(0, 1))), 'a server: another object');
    });
  check(/truncated/.test(await refusal(format(key).reader(bytes.subarray(0, -1)))), 'a stream that was cut off');
}

for (const [name, format] of Object.entries({ chunked, agePayload, secretstream })) {
  const bytes = new Uint8Array(await new Response(format(key).encrypt(new Blob([plaintext]))).arrayBuffer());
  const again = new Uint8Array(await new Response(format(key).decrypt([bytes])).arrayBuffer());
  check(same(again, plaintext), `${name}: decrypt`);
  check(same(await format(key).decryptWhole(new Blob([bytes])), plaintext), `${name}: decryptWhole`);
  check(
    /truncated/.test(await refusal(format(key).decryptWhole([bytes.subarray(0, -1)]))),
    `${name}: decryptWhole of a stream that was cut off`,
  );
  const folder = await mkdtemp(join(tmpdir(), 'lanewise-'));
  try {
    const to = newFile(join(folder, 'plain'));
    await format(key).decryptWhole([bytes], { to });
    await refusal(format(key).decryptWhole([bytes.subarray(0, -1)], { to }));
    check(same(await readFile(join(folder, 'plain')), plaintext), `${name}: decryptWhole to a file`);
    check((await readdir(folder)).length === 1, `${name}: a temporary file is left`);
  } finally {
    await rm(folder, { recursive: true });
  }
  if (format.reader) await readers(format, bytes);
}
console.log(`streams: ok, ${checks} checks${fetches ? '' : '; no server: fetch needs WebAssembly here'}`);
