/** The page's part: it has the hashes, and gives them to the service worker when that asks; it hears of what the worker has proven. */

const films = new Map();

navigator.serviceWorker.addEventListener('message', ({ data, ports }) => {
  if (data.wanted) ports[0].postMessage(films.get(data.wanted)?.film);
  else films.get(data.of)?.tell(data);
});
navigator.serviceWorker.startMessages();

/**
 * Makes an address at which this page finds a film of which every byte is proven, for `<video src>`, `<audio src>` or `fetch`.
 *
 * @param {{ url: string, outboard: string, hash: Uint8Array, type: string, mirrors?: string[] }} film - Where it is, where its outboard is,
 * with groups of 16 KiB; its hash, from someone you trust; its media type; other addresses of it.
 * @param {(news: { bytes?: number, refused?: string }) => void} [tell] - Called with the number of bytes that were proven and given to the
 * player, or with the reason for which it got none.
 * @returns {Promise<string>} The address, once the service worker is in control.
 */
export async function proven(film, tell = () => undefined) {
  await navigator.serviceWorker.register('/service-worker.js');
  if (!navigator.serviceWorker.controller)
    await new Promise((resolve) =>
      navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true }),
    );
  const path = `/proven/${films.size}`;
  films.set(path, { film, tell });
  return path;
}
