/** Shows the film that `serve.js` serves; its hash is in the address after `#`, which no server sees. A button lets the server tamper. */
import { hexToBytes } from 'lanewise/utils.js';
import { proven } from './page.js';

const find = (selector) => document.querySelector(selector);
const [video, button, status, alert] = ['video', 'button', '[role=status]', '[role=alert]'].map(find);

let given = 0;
let wasRefused = false;

function tell({ bytes = 0, refused }) {
  given += bytes;
  status.textContent = `${(given / 1e6).toFixed(1)} MB proven and given to the player`;
  if (!refused) return;
  wasRefused = true;
  alert.textContent = `Refused: ${refused}. The player got none of them, and stops after what was proven.`;
}

/** Plays on from where the player has stopped, if it has. */
function playOn() {
  alert.textContent = '';
  if (!video.error) return;
  wasRefused = false;
  const { currentTime } = video;
  video.addEventListener('loadedmetadata', () => (video.currentTime = currentTime), { once: true });
  video.load();
}

const tampers = () => button.getAttribute('aria-pressed') === 'true';

video.addEventListener('error', () => {
  // The player may notice what it did not get when the server is honest again.
  if (wasRefused && !tampers()) playOn();
  else if (!wasRefused) alert.textContent = `The film can't be played. ${video.error.message}`;
});

// A refusal of earlier bytes may arrive late; the picture on the screen was proven.
for (const event of ['canplay', 'seeked'])
  video.addEventListener(event, () => {
    if (!tampers()) alert.textContent = '';
  });

button.addEventListener('click', async () => {
  const { ok } = await fetch(tampers() ? '/be-honest' : '/tamper', { method: 'POST' });
  if (!ok) return;
  button.setAttribute('aria-pressed', String(!tampers()));
  if (!tampers()) playOn();
});

try {
  const [, hash = '', type = ''] = location.hash.split(/[#,]/);
  find('code').textContent = hash;
  const film = { url: '/film', outboard: '/film.obao', hash: hexToBytes(hash), type: decodeURIComponent(type) };
  // The server may go on as another page has left it.
  await fetch('/be-honest', { method: 'POST' });
  video.src = await proven(film, tell);
} catch (error) {
  alert.textContent = `The film can't be played. ${String(error)}`;
}
