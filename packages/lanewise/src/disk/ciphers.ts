/** The ciphers for pages and sectors, each a set of parameters. */
import { refuseSurplus } from '../calls/checks.ts';
import { AuthenticatedPages, type PageAead } from './authenticated.ts';
import { PageCipher, type DiskOptions } from './pages.ts';

/**
 * Adiantum (P. Crowley, E. Biggers, "Adiantum: length-preserving encryption for entry-level processors", 2018) with XChaCha
 * and AES-256, as in Linux and Android: each page becomes a ciphertext of the same length, and any change to the page
 * changes the whole ciphertext. Deterministic and unauthenticated: the same page under the same tweak gives the same
 * ciphertext, and an old page can be put back. Take {@link authenticatedPages} if pages have room for 40 more bytes.
 *
 * With pages of 4096 bytes stay below 2^55 bytes under one key (§6.5).
 *
 * @param key - 32 bytes; copied.
 * @param options - How many rounds XChaCha has: 12 unless given.
 * @returns The cipher, for any number of pages of any lengths from 16 bytes up.
 * @throws TypeError if an argument has the wrong type, RangeError if it has the wrong length or value.
 * @example
 * ```ts
 * import { adiantum } from 'lanewise/disk.js';
 * import { randomBytes } from 'lanewise/utils.js';
 * const cipher = adiantum(randomBytes(32));
 * const sectors = new Uint8Array(8 * 4096); // sectors 100 to 107
 * cipher.encryptPages(sectors, { pageSize: 4096, first: 100, tweak: 'dm-crypt-large' });
 * cipher.decryptPages(sectors.subarray(4096, 8192), { pageSize: 4096, first: 101, tweak: 'dm-crypt-large' });
 * const record = cipher.encrypt(new TextEncoder().encode('at least 16 bytes'), new Uint8Array([7]));
 * ```
 */
export const adiantum: (key: Uint8Array, options?: DiskOptions) => PageCipher = function (key, options) {
  refuseSurplus(arguments, 2);
  return new PageCipher(1, key, options);
};

/**
 * HPolyC, Adiantum's elder sister: one hash, Poly1305, in the place of two, so it is slower on long pages and takes a new
 * key faster. Deterministic and unauthenticated as {@link adiantum} is. There are two HPolyCs: this is the published one,
 * whose keys start with that of AES.
 *
 * @param key - 32 bytes; copied.
 * @param options - How many rounds XChaCha has: 12 unless given.
 * @returns The cipher, for any number of pages of any lengths from 16 bytes up.
 * @throws TypeError if an argument has the wrong type, RangeError if it has the wrong length or value.
 * @example
 * ```ts
 * import { hpolyc } from 'lanewise/disk.js';
 * import { randomBytes } from 'lanewise/utils.js';
 * const cipher = hpolyc(randomBytes(32), { rounds: 20 });
 * const page = new Uint8Array(4096);
 * const tweak = new Uint8Array(12);
 * cipher.encrypt(page, tweak, page);
 * cipher.decrypt(page, tweak, page);
 * cipher.destroy();
 * ```
 */
export const hpolyc: (key: Uint8Array, options?: DiskOptions) => PageCipher = function (key, options) {
  refuseSurplus(arguments, 2);
  return new PageCipher(0, key, options);
};

/**
 * An AEAD page by page, XChaCha20-Poly1305: the last 40 bytes of each page hold a random nonce and a tag, and the page's
 * number is additional data. So two encryptions of a page differ, and a page that was changed, or that stands under another
 * number, is refused.
 *
 * It sees single pages only. It does not notice an older version of a page under its own number, a page that was
 * encrypted under the same key and number elsewhere, in another file for instance, nor pages that are missing. {@link
 * encryptedFile} over this cipher notices pages of other files and missing ones; noticing older versions takes a value
 * outside of the medium, such as a counter or a hash.
 *
 * @param cipher - `xchacha20poly1305` of `lanewise/chacha.js`, or another with nonces of 24 bytes.
 * @param key - 32 bytes; copied.
 * @returns The cipher, for 2^80 encryptions of pages of any lengths from 40 bytes up.
 * @throws TypeError if an argument has the wrong type, RangeError if it has the wrong length or value.
 * @example
 * ```ts
 * import { randomBytes, xchacha20poly1305 } from 'lanewise/chacha.js';
 * import { authenticatedPages } from 'lanewise/disk.js';
 * const cipher = authenticatedPages(xchacha20poly1305, randomBytes(32));
 * const page = new Uint8Array(4096); // 4056 of them are content
 * cipher.encrypt(page, 17, page);
 * cipher.decrypt(page, 17, page); // throws Error: invalid tag if it was changed, or is not page 17
 * ```
 */
export const authenticatedPages: (cipher: PageAead, key: Uint8Array) => AuthenticatedPages = function (cipher, key) {
  refuseSurplus(arguments, 2);
  return new AuthenticatedPages(cipher, key);
};
