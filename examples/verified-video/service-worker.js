/**
 * A service worker that proves films on their way to `<video>`: a seek becomes a request for a range, and that a read of the groups around it,
 * of which no byte goes on before it matches the hash. It may be ended and started again at any time, so it asks the page whenever it needs a hash.
 */
import { verifiedReader } from 'lanewise/bao.js';
import { fetchRange } from 'lanewise/stream.js';
import { answer } from '../video/range.js';

const GROUP_LENGTH = 16384;

/** The films that are open, by page and path. */
const open = new Map();

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
self.addEventListener('fetch', (event) => {
  const { origin, pathname } = new URL(event.request.url);
  if (origin === self.location.origin && pathname.startsWith('/proven/')) event.respondWith(serve(event, pathname));
});

/** The page's description of a film. */
async function ask(client, path) {
  const { port1, port2 } = new MessageChannel();
  const answered = new Promise((resolve) => (port1.onmessage = ({ data }) => resolve(data)));
  client.postMessage({ wanted: path }, [port2]);
  return answered;
}

async function openFilm(clientId, path) {
  const client = await self.clients.get(clientId);
  const film = client && (await ask(client, path));
  if (!film) throw new Error('no page has a hash for it');
  const { url, outboard, hash, type, mirrors = [] } = film;
  const reader = await verifiedReader(fetchRange(url), hash, {
    outboard: fetchRange(outboard),
    groupLength: GROUP_LENGTH,
    sources: mirrors.map((mirror) => fetchRange(mirror)),
  });
  const read = async (from, to, { signal }) => {
    const bytes = await reader.read(from, to, signal);
    client.postMessage({ of: path, bytes: bytes.length });
    return bytes;
  };
  return { file: { size: reader.size, read }, type };
}

/** Tells the page why it gets no more bytes. */
async function refuse(clientId, path, error) {
  const client = await self.clients.get(clientId);
  client?.postMessage({ of: path, refused: String(error?.message ?? error) });
}

async function serve({ request, clientId }, path) {
  const id = `${clientId} ${path}`;
  if (!open.has(id)) open.set(id, openFilm(clientId, path));
  // After an error the next request opens it again, perhaps from a server that is honest by then.
  const fail = (error) => {
    open.delete(id);
    return refuse(clientId, path, error);
  };
  try {
    const { file, type } = await open.get(id);
    return answer(request, file, type, fail);
  } catch (error) {
    await fail(error);
    return new Response(String(error), { status: 502, headers: { 'content-type': 'text/plain' } });
  }
}
