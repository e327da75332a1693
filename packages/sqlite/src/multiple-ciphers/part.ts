/** The mode sqlite3mc, as a part that is loaded where a database has it. */
import { CANTOPEN, OPEN_MAIN_DB, OPEN_MAIN_JOURNAL, OPEN_SUPER_JOURNAL, OPEN_WAL, SQLiteFailure } from '../codes.ts';
import { Blocks } from '../files/blocks.ts';
import type { EncryptedFile } from '../files/encrypted-file.ts';
import type { RawFile } from '../files/raw-file.ts';
import { underRandomKey } from '../keys/user-key.ts';
import type { Place } from '../mode-part.ts';
import type { Steps } from '../steps.ts';
import { MultipleCiphersDatabase } from './database.ts';
import { Journal } from './journal.ts';
import type { PageCipher } from './pages.ts';
import { WriteAheadLog } from './write-ahead-log.ts';

export { MultipleCiphersDatabase };

/** SQLite3MultipleCiphers leaves super-journals readable, and so the names in them. */
export function open(raw: RawFile, flags: number, place: Place): EncryptedFile | undefined {
  if (flags & OPEN_SUPER_JOURNAL) return undefined;
  if (flags & OPEN_MAIN_DB) return new MultipleCiphersDatabase(raw, place.user, place.settings);
  if (flags & OPEN_MAIN_JOURNAL) return new Journal(raw, ofDatabase(place));
  if (flags & OPEN_WAL) return new WriteAheadLog(raw, ofDatabase(place));
  return underRandomKey((key) => new Blocks(raw, key, 'temporary'));
}

/** What a journal or log needs of its database, which is looked up when it does. */
const ofDatabase = (place: Place) => ({
  *cipher(): Steps<PageCipher> {
    const found = place.database(MultipleCiphersDatabase);
    const cipher = found && (yield* found.cipher());
    if (!cipher) throw new SQLiteFailure(CANTOPEN, `the database of this log is empty or isn't open: ${place.path}`);
    return cipher;
  },
  /** Whether the database shows that the key is the right one, or isn't open. */
  *prove(): Steps<boolean> {
    const found = place.database(MultipleCiphersDatabase);
    return !found || (yield* found.prove());
  },
});
