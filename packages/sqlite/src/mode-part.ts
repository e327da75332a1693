/** A mode beside `authenticated`, which a connection loads where its database has it. */
import type { Contents } from './files/contents.ts';
import type { EncryptedFile } from './files/encrypted-file.ts';
import type { RawFile } from './files/raw-file.ts';
import type { UserKey } from './keys/user-key.ts';
import type { Settings } from './options.ts';

/** The place of a file that is opened. */
export interface Place {
  /** Of the database that it belongs to. */
  readonly path: string;
  readonly contents: Contents;
  readonly user: UserKey;
  readonly settings: Settings;
  /** The database of this path, if it is open and of that class. */
  database<File extends EncryptedFile>(Class: new (...args: never[]) => File): File | undefined;
}

export interface ModePart {
  /**
   * A file, decrypted; undefined for one that stays as it is.
   *
   * @param flags - SQLite's.
   */
  open(raw: RawFile, flags: number, place: Place): EncryptedFile | undefined;
}
