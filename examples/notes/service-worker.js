/** The files of the app, kept for days without a network. */
const NAME = 'notes-VERSION';
const FILES = ['./', 'style.css', 'main.js', 'worker.js', 'wa-sqlite.wasm'];

self.addEventListener('install', (event) => {
  event.waitUntil(self.caches.open(NAME).then((cache) => cache.addAll(FILES)));
});

self.addEventListener('activate', (event) => {
  event.waitUntil(
    (async () => {
      for (const name of await self.caches.keys())
        if (name.startsWith('notes-') && name !== NAME) await self.caches.delete(name);
      await self.clients.claim();
    })(),
  );
});

self.addEventListener('fetch', (event) => {
  if (event.request.method !== 'GET') return;
  event.respondWith(
    (async () =>
      (await (await self.caches.open(NAME)).match(event.request, { ignoreSearch: true })) ?? fetch(event.request))(),
  );
});
