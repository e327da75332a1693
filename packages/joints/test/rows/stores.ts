/** Files of encrypted pages, whose stores tell when they are read. */
import { adiantum, encryptedFile } from 'lanewise/disk.js';
import { memoryFile } from '../../../lanewise/test/support/memory-file.ts';
import type { Given } from '../row.ts';

const cipher = adiantum(new Uint8Array(32).fill(6));
const OPTIONS = { pageSize: 512, tweak: 'offset64' } as const;

/** A store that tells when it is read. */
function storeOf(given: Given) {
  const file = memoryFile(
    cipher.encryptPages(
      Uint8Array.from({ length: 4096 }, (_, i) => (11 * i) % 251),
      { pageSize: 512, tweak: 'index64' },
    ),
  );
  const read: typeof file.read = (into, options) => {
    given.moment();
    return file.read(into, options);
  };
  return { ...file, read };
}
/** A file over it. */
export const stored = (given: Given) => encryptedFile(storeOf(given), cipher, OPTIONS);
/** The same as a `FileHandle` of Node, which answers with promises. */
export function storedLater(given: Given) {
  const store = storeOf(given);
  const soon = <T>(value: T): Promise<T> => new Promise((resolve) => setImmediate(resolve, value));
  return encryptedFile(
    {
      read: (into, _, __, at) => soon({ bytesRead: store.read(into, { at }) }),
      write: (from, _, __, at) => soon({ bytesWritten: store.write(from, { at }) }),
      truncate: () => soon(undefined),
      sync: () => soon(undefined),
      stat: () => soon({ size: store.getSize() }),
    },
    cipher,
    OPTIONS,
  );
}
