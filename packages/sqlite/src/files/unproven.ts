/** The error of a journal or log that was left, while nothing shows that the key is the right one. */
import { NOTADB, SQLiteFailure } from '../codes.ts';

export const unproven = (): SQLiteFailure =>
  new SQLiteFailure(NOTADB, 'wrong key, or a log of the database was changed: nothing was played back');
