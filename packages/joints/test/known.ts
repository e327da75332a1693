/** Defects that are known and not mended yet. Their rows run, and their failures are told; a mend takes its line out of this list. */
import type { Table } from './excluded.ts';

const KNOWN: readonly (readonly [table: Table, title: RegExp, reason: string])[] = [
  [
    'lengths',
    /^lanewise stream\.\w+\.encryptor, as/,
    'a written piece that shrinks or grows before the stream takes it',
  ],
  ['lengths', /^lanewise encryptedFile\(\)\.read, as/, "the engine's own words if the output is transferred"],
  ['machines', /^lanewise ChaCha8Rand\./, 'a number is drawn in steps'],
];

const reasonOf = (table: Table, title: string): string | undefined =>
  KNOWN.find(([its, pattern]) => its === table && pattern.test(title))?.[2];

/** Runs a check of a row; one that is known to fail tells so and does not. */
export async function unlessKnown(table: Table, title: string, check: () => unknown): Promise<void> {
  const reason = reasonOf(table, title);
  try {
    await check();
  } catch (error) {
    if (reason === undefined) throw error;
    console.log(`known, not mended yet: ${title}: ${reason}`);
  }
}
/** Whether a row is known to fail. */
export const isKnown = (table: Table, title: string): boolean => reasonOf(table, title) !== undefined;
