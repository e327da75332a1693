/** Shows the film that `serve.js` has encrypted; the key is in the address behind `#`, which no server sees. */
import { hexToBytes } from 'lanewise/utils.js';
import { decrypted } from './page.js';

const [, key, type] = location.hash.split(/[#,]/);
const film = { url: '/film.encrypted', key: hexToBytes(key), type: decodeURIComponent(type) };
document.querySelector('video').src = await decrypted(film);
