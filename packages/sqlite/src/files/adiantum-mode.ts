/** The mode adiantum, as a part that is loaded where a database has it. */
import { OPEN_MAIN_DB, OPEN_OF_A_DATABASE, OPEN_SUPER_JOURNAL } from '../codes.ts';
import { underRandomKey } from '../keys/user-key.ts';
import type { Place } from '../mode-part.ts';
import type { Steps } from '../steps.ts';
import { AdiantumDatabase, AdiantumFile } from './adiantum.ts';
import type { RawFile } from './raw-file.ts';

export function open(raw: RawFile, flags: number, place: Place): AdiantumFile | undefined {
  // go-sqlite3 leaves the names of journals readable.
  if (flags & OPEN_SUPER_JOURNAL) return undefined;
  if (flags & OPEN_MAIN_DB) return new AdiantumDatabase(raw, place.user.raw);
  if (!(flags & OPEN_OF_A_DATABASE)) return underRandomKey((key) => new AdiantumFile(raw, key, place.contents));
  return new AdiantumFile(raw, place.user.raw, place.contents, function* (): Steps<boolean> {
    const found = place.database(AdiantumDatabase);
    return !found || (yield* found.prove());
  });
}
