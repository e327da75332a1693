/** The page's part: it has the keys, and gives them to the service worker when that asks. */

const films = new Map();

navigator.serviceWorker.addEventListener('message', ({ data, ports }) => ports[0].postMessage(films.get(data.wanted)));
navigator.serviceWorker.startMessages();

/**
 * Makes an address at which this page finds the decrypted film, for `<video src>`, `<audio src>` or `fetch`.
 *
 * @param {{ url: string, key: Uint8Array, context?: Uint8Array, type: string }} film - Where it is encrypted, the key and the context
 * of `chunked`, its media type.
 * @returns {Promise<string>} The address, once the service worker is in control.
 */
export async function decrypted(film) {
  await navigator.serviceWorker.register('/service-worker.js');
  if (!navigator.serviceWorker.controller)
    await new Promise((resolve) =>
      navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true }),
    );
  const path = `/decrypted/${films.size}`;
  films.set(path, film);
  return path;
}
