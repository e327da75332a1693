/**
 * The service worker: keeps one whole version of the app for use without a network, and answers downloads with the bytes that the page
 * makes. It fetches the app's files once for each version, and nothing else.
 */
import {
  DOWNLOADS,
  type DownloadStart,
  type FromPort,
  type ToPort,
  type ToServiceWorker,
} from '../src/download-messages.ts';
import { HEADERS } from '../src/policy.ts';

declare const self: ServiceWorkerGlobalScope;
/** Written by the build: the files of the app with the SHA-256 of each, and a hash of all of them. */
declare const FILES: Readonly<Record<string, string>>;
declare const VERSION: string;

const PREFIX = 'lanewise-files-';
/** The scope is in the name, because other copies of the app on this host have their own. */
const CACHE = `${PREFIX}${self.registration.scope}-${VERSION}`;
const SCOPE = new URL(self.registration.scope);

const urlOf = (name: string): URL => new URL(name === 'index.html' ? './' : name, SCOPE);

/** A file with the headers that protect the page, whatever the server sends. */
async function protectedAnswer(answer: Response): Promise<Response> {
  const headers = new Headers(HEADERS);
  headers.set('content-type', answer.headers.get('content-type') ?? 'application/octet-stream');
  return new Response(await answer.blob(), { headers });
}

async function fetchAll(): Promise<void> {
  const cache = await caches.open(CACHE);
  await Promise.all(
    Object.entries(FILES).map(async ([name, integrity]) => {
      // A file of another version is refused, so that versions never mix.
      const answer = await fetch(urlOf(name), { cache: 'no-cache', integrity });
      if (!answer.ok) throw new Error(`${name}: status ${answer.status}`);
      await cache.put(urlOf(name), await protectedAnswer(answer));
    }),
  );
}

async function removeOldVersions(): Promise<void> {
  const its = `${PREFIX}${self.registration.scope}-`;
  for (const name of await caches.keys()) if (name.startsWith(its) && name !== CACHE) await caches.delete(name);
}

/** Downloads that were announced, and not asked for yet. */
const downloads = new Map<string, { readonly start: DownloadStart; readonly port: MessagePort }>();

function downloadAnswer(id: string): Response {
  const found = downloads.get(id);
  if (!found) return new Response('There is no such download.', { status: 404 });
  downloads.delete(id);
  const { start, port } = found;
  const tell = (message: FromPort): void => port.postMessage(message);
  const body = new ReadableStream<Uint8Array>(
    {
      pull: (controller) =>
        new Promise<void>((resolve) => {
          port.onmessage = ({ data }: MessageEvent<ToPort>) => {
            if (data === 'end') controller.close();
            else if (data === 'failed') controller.error(new Error('the page gave the download up'));
            else controller.enqueue(data);
            resolve();
          };
          tell('pull');
        }),
      cancel: () => tell('cancelled'),
    },
    { highWaterMark: 1 },
  );
  const headers = new Headers({
    'content-type': 'application/octet-stream',
    'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(start.name).replace(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16)}`)}`,
    'content-security-policy': "default-src 'none'",
    'cross-origin-embedder-policy': 'require-corp',
    'cross-origin-resource-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
  });
  if (start.size !== undefined) headers.set('content-length', String(start.size));
  return new Response(body, { headers });
}

/** A file of this version. A page of another version asks for its own workers by their hashes; they do not mix, nor does the network. */
async function fileAnswer(name: string, hash: string): Promise<Response> {
  const isOther = hash.startsWith('sha256-') && hash !== FILES[name];
  const found = isOther ? undefined : await (await caches.open(CACHE)).match(urlOf(name));
  return found ?? new Response('This version of the app does not have the file. Load the page again.', { status: 503 });
}

self.addEventListener('install', (event) => event.waitUntil(fetchAll()));

self.addEventListener('activate', (event) => event.waitUntil(removeOldVersions().then(() => self.clients.claim())));

self.addEventListener('message', (event) => {
  const data = event.data as ToServiceWorker;
  if (data.kind === 'activate') event.waitUntil(self.skipWaiting());
  if (data.kind !== 'download') return;
  const [port] = event.ports;
  downloads.set(data.id, { start: data, port });
  port.postMessage('ready' satisfies FromPort);
});

self.addEventListener('fetch', (event) => {
  const url = new URL(event.request.url);
  if (url.origin !== SCOPE.origin || !url.pathname.startsWith(SCOPE.pathname)) return;
  const path = url.pathname.slice(SCOPE.pathname.length);
  if (path.startsWith(DOWNLOADS)) {
    event.respondWith(downloadAnswer(path.slice(DOWNLOADS.length)));
    return;
  }
  const name = path === '' ? 'index.html' : path;
  if (event.request.method !== 'GET' || !Object.hasOwn(FILES, name)) return;
  event.respondWith(fileAnswer(name, decodeURIComponent(url.search.slice(1))));
});
