/** Shows the film that `serve.js` has encrypted; the key is in the address after `#`, which no server sees. */
import { hexToBytes } from 'lanewise/utils.js';
import { decrypted } from './page.js';

const video = document.querySelector('video');
const say = (reason) => (document.querySelector('[role=alert]').textContent = `The film can't be played. ${reason}`);

// A media element doesn't say why the service worker refused a request: the worker's answer does.
video.addEventListener('error', async () => {
  const response = await fetch(video.src, { headers: { range: 'bytes=0-0' } });
  say(response.ok ? video.error.message : await response.text());
});

try {
  const [, key = '', type = ''] = location.hash.split(/[#,]/);
  video.src = await decrypted({ url: '/film.encrypted', key: hexToBytes(key), type: decodeURIComponent(type) });
} catch (error) {
  say(String(error));
}
