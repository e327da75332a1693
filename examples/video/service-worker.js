/**
 * A service worker that decrypts films on their way to `<video>`: a seek becomes a request for a range, and that a read of the
 * chunks around it. It may be ended and started again at any time, so it asks the page for the key whenever it needs one.
 */
import { chunked, fetchRange } from 'lanewise/stream.js';
import { answer } from './range.js';

/** The films that are open, by page and path. */
const open = new Map();

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
self.addEventListener('fetch', (event) => {
  const { origin, pathname } = new URL(event.request.url);
  if (origin === self.location.origin && pathname.startsWith('/decrypted/')) event.respondWith(serve(event, pathname));
});

/** The page's description of a film: where it is encrypted, its key and context, its media type. */
async function ask(client, path) {
  const { port1, port2 } = new MessageChannel();
  const answered = new Promise((resolve) => (port1.onmessage = ({ data }) => resolve(data)));
  client.postMessage({ wanted: path }, [port2]);
  return answered;
}

async function openFilm(clientId, path) {
  const client = await self.clients.get(clientId);
  const film = client && (await ask(client, path));
  if (!film) throw new Error('no page has a key for it');
  const { url, key, context, type } = film;
  const file = await chunked(key, { context }).reader(fetchRange(url));
  key.fill(0);
  return { file, type };
}

async function serve({ request, clientId }, path) {
  const id = `${clientId} ${path}`;
  if (!open.has(id)) open.set(id, openFilm(clientId, path));
  // After an error, as when the film has changed, the next request opens it again.
  const forget = () => open.delete(id);
  try {
    const { file, type } = await open.get(id);
    return answer(request, file, type, forget);
  } catch (error) {
    forget();
    return new Response(String(error), { status: 502, headers: { 'content-type': 'text/plain' } });
  }
}
