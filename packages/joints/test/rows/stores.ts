/** Files of encrypted pages, whose stores tell when they are read. */
import { xchacha20poly1305 } from 'lanewise/chacha.js';
import { adiantum, authenticatedPages, encryptedFile } from 'lanewise/disk.js';
import { memoryFile } from '../../../lanewise/test/support/memory-file.ts';
import type { Given } from '../row.ts';

const cipher = adiantum(new Uint8Array(32).fill(6));
const OPTIONS = { pageSize: 512, tweak: 'offset64' } as const;
const CONTENT = Uint8Array.from({ length: 4096 }, (_, i) => (11 * i) % 251);

/** A store that tells when it is read. */
function storeOf(
  given: Given,
  file = memoryFile(cipher.encryptPages(CONTENT.slice(), { pageSize: 512, tweak: 'index64' })),
) {
  const read: typeof file.read = (into, options) => {
    given.moment();
    return file.read(into, options);
  };
  return { ...file, read };
}
/** A file over it. */
export const stored = (given: Given) => encryptedFile(storeOf(given), cipher, OPTIONS);
/** A store as a `FileHandle` of Node, which answers with promises. */
function later(store: ReturnType<typeof storeOf>) {
  const soon = <T>(value: T): Promise<T> => new Promise((resolve) => setImmediate(resolve, value));
  return {
    read: (into: Uint8Array, _: unknown, __: unknown, at: number) => soon({ bytesRead: store.read(into, { at }) }),
    write: (from: Uint8Array, _: unknown, __: unknown, at: number) => soon({ bytesWritten: store.write(from, { at }) }),
    async truncate(size: number) {
      store.truncate(size);
      await soon(undefined);
    },
    sync: () => soon(undefined),
    stat: () => soon({ size: store.getSize() }),
  };
}
export const storedLater = (given: Given) => encryptedFile(later(storeOf(given)), cipher, OPTIONS);

const tagged = authenticatedPages(xchacha20poly1305, new Uint8Array(32).fill(6));

/** A store with a file that has tags. */
function taggedStore(given: Given) {
  const file = memoryFile();
  const made = encryptedFile(file, tagged, { create: true, pageSize: 512 });
  made.write(CONTENT, 0);
  made.flush();
  return storeOf(given, file);
}
/** The same with tags. */
export const taggedFile = (given: Given) => encryptedFile(taggedStore(given), tagged);
export const taggedLater = (given: Given) => encryptedFile(later(taggedStore(given)), tagged);
