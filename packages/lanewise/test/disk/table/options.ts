/** Calls of `lanewise/disk.js` that take options. */
import { xchacha20poly1305 } from '../../../src/chacha.ts';
import { createPool } from '../../../src/pool.ts';
import { adiantum, authenticatedPages, encryptedFile, hpolyc } from '../../../src/disk.ts';
import { sample } from '../../support/bytes.ts';
import { memoryFile } from '../../support/memory-file.ts';
import { bytes, iv, key, page, type OptionsCall } from '../../support/options-call.ts';

const PAGES = 'give it to encryptPages() and decryptPages()';
const OF_PAGES = { pageSize: PAGES, first: PAGES, tweak: PAGES };
const FIRST = 'a file begins with page 0';
const NUMBERED = 'pages are bound to their numbers';
const TAGS = 'only files of authenticatedPages() have it';
const authenticated = authenticatedPages(xchacha20poly1305, key);
let sealed: Uint8Array | undefined;
/** Made when it is asked for: not every host gives random bytes while modules are loaded. */
const sealedPages = (): Uint8Array => (sealed ??= authenticated.encryptPages(page.slice(), { pageSize: 512 })).slice();

export const optionsCalls: readonly OptionsCall[] = [
  ...[adiantum, hpolyc].map((cipher) => ({
    title: `disk.${cipher.name}`,
    name: 'options',
    all: { rounds: 20 },
    required: {},
    others: OF_PAGES,
    use: (options: never) => cipher(key, options).encrypt(page, iv),
  })),
  ...(['encryptPages', 'decryptPages'] as const).map((name) => ({
    title: `PageCipher.${name}`,
    name: 'options',
    all: { pageSize: 256, first: 7, tweak: 'offset64' },
    required: { pageSize: 512, tweak: 'index64' },
    others: { rounds: 'give it to adiantum() or hpolyc()' },
    use: (options: never) => adiantum(key)[name](page.slice(), options),
  })),
  {
    title: 'the tweak of encryptPages()',
    name: 'tweak',
    all: { fscrypt: sample(16, 35) },
    required: { fscrypt: iv },
    others: {},
    use: (options) => adiantum(key).encryptPages(page.slice(), { pageSize: 512, tweak: options }),
  },
  {
    title: 'AuthenticatedPages.encryptPages',
    name: 'options',
    all: { pageSize: 256, first: 7 },
    required: { pageSize: 512 },
    others: { tweak: NUMBERED },
    use(options) {
      const encrypted = authenticated.encryptPages(page.slice(), options);
      // Nonces are random, so the options are recognised by trying to decrypt.
      for (const pageSize of [256, 512])
        for (const first of [0, 7])
          try {
            authenticated.decryptPages(encrypted, { pageSize, first });
            return bytes(`${pageSize} ${first}`);
          } catch {
            continue;
          }
      throw new Error('of no known form');
    },
  },
  {
    title: 'AuthenticatedPages.decryptPages',
    name: 'options',
    all: { pageSize: 256, first: 7 },
    required: { pageSize: 512 },
    others: { tweak: NUMBERED },
    use(options) {
      try {
        return authenticated.decryptPages(sealedPages(), options);
      } catch (error) {
        if ((error as Error).message !== 'invalid tag') throw error;
        return bytes('invalid tag');
      }
    },
  },
  {
    title: 'disk.encryptedFile',
    name: 'options',
    all: { pageSize: 512, tweak: 'offset64', pool: createPool({ threads: 1 }) },
    required: { tweak: 'index64' },
    others: { first: FIRST, create: TAGS, context: TAGS },
    use(options) {
      const file = memoryFile();
      try {
        encryptedFile(file, adiantum(key), options).write(page, 4096);
      } catch (error) {
        // A file that answers at once has no use for a pool, and says so.
        if (String(error).includes('"pool" expected undefined')) return bytes(String(error));
        throw error;
      }
      return file.content();
    },
  },
  {
    title: 'encryptedFile with authenticatedPages',
    name: 'options',
    all: { create: false, pageSize: 512, context: iv },
    required: { create: true },
    others: { first: FIRST, tweak: NUMBERED, pool: 'only files of adiantum() and hpolyc() use it' },
    use(options) {
      const file = memoryFile();
      const made = encryptedFile(file, authenticated, options);
      try {
        made.write(page, 0);
        made.flush();
      } catch (error) {
        return bytes(String(error));
      }
      // The file opens under its own context only.
      for (const its of [{}, { context: iv }])
        try {
          encryptedFile(file, authenticated, its).read(new Uint8Array(1), 0);
          return bytes(`${file.content().length} ${Object.keys(its).join()}`);
        } catch {
          continue;
        }
      throw new Error('of no known context');
    },
  },
  {
    title: 'the tweak of encryptedFile()',
    name: 'tweak',
    all: { fscrypt: sample(16, 35) },
    required: { fscrypt: iv },
    others: {},
    use(options) {
      const file = memoryFile();
      encryptedFile(file, adiantum(key), { tweak: options }).write(page, 0);
      return file.content();
    },
  },
];
