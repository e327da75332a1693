/** Shared by all jobs of an age file: the task, and the sheet that binds it. */
import { openSheet, workOf, checkSame, MOST_SHEET_CHARACTERS, type WorkSheet } from '../sealing/sheet.ts';
import { identitiesOf } from '../sealing/identities.ts';
import { stringOf } from './check.ts';
import type { JobContext } from './kind.ts';

/** A job of an age file. */
export interface AgeJob {
  /** The operation, for people and for permissions. It must be the sheet's. */
  readonly work: WorkSheet;
  /** The work and the key of the payload, encrypted to the workers. */
  readonly sheet: string;
}

export const ageJobOf = (work: unknown, sheet: unknown): AgeJob => ({
  work: workOf(work),
  sheet: stringOf(sheet, 'sheet', MOST_SHEET_CHARACTERS),
});

/** Runs a function with the key of the payload, if the job agrees with its sheet, and wipes the key afterwards. */
export async function withKey<Result>(
  { work, sheet }: AgeJob,
  { settings }: JobContext,
  use: (payloadKey: Uint8Array) => Promise<Result>,
): Promise<Result> {
  const opened = await openSheet(sheet, await identitiesOf(settings.identityFile));
  try {
    checkSame(work, opened.sheet);
    return await use(opened.payloadKey);
  } finally {
    opened.payloadKey.fill(0);
  }
}
