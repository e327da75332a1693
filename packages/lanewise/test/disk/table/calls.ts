/** Calls of `lanewise/disk.js`, by `door.name` or `Type.method`. */
import { xchacha20poly1305 } from '../../../src/chacha.ts';
import * as disk from '../../../src/disk.ts';
import { sample } from '../../support/bytes.ts';
import { bytes, fn, key, Later, methods, nonces, type Call } from '../../support/call.ts';
import { memoryFile } from '../../support/memory-file.ts';

const page = sample(512, 7);
const fileOptions = { tweak: 'offset64', pageSize: 512 } as const;
const encryptedFile = () => disk.encryptedFile(memoryFile(bytes(1024)), disk.adiantum(key), fileOptions);
const authenticated = () => disk.authenticatedPages(xchacha20poly1305, key);
/** A page, and the same page encrypted as page 7. */
const pageMethods = (which: unknown, encrypted: unknown, options: object) => ({
  encrypt: [page, which, bytes(512)],
  decrypt: [encrypted, which, bytes(512)],
  encryptPages: [page, options],
  decryptPages: [encrypted, options],
  destroy: [],
});

export const calls: Readonly<Record<string, Call>> = {
  'disk.adiantum': fn(disk.adiantum, key, { rounds: 8 }),
  'disk.hpolyc': fn(disk.hpolyc, key, { rounds: 8 }),
  'disk.authenticatedPages': fn(disk.authenticatedPages, xchacha20poly1305, key),
  'disk.encryptedFile': fn(disk.encryptedFile, memoryFile(), disk.adiantum(key), fileOptions),
  ...methods(
    'PageCipher',
    () => disk.adiantum(key),
    pageMethods(nonces[8], page, { pageSize: 512, first: 7, tweak: 'index64' }),
  ),
  ...methods(
    'AuthenticatedPages',
    authenticated,
    pageMethods(7, new Later(() => authenticated().encrypt(page, 7)), { pageSize: 512, first: 7 }),
  ),
  ...methods('encryptedFile()', encryptedFile, {
    read: [bytes(3), 0],
    write: [bytes(3), 0],
    truncate: [512],
    flush: [],
    size: [],
  }),
};
