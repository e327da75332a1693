/** Finds faults of calls whose memory changes while they are under way. */
import { changes, changing, momentName, shapeOf, type Change, type Moment } from './lengths.ts';
import { isError, NEVER } from './outcome.ts';
import type { Row } from './row.ts';
import { asynchronous } from './rows/lanewise.ts';

/** Errors in the grammar of the design; those of the engine about arrays are not. */
const OURS =
  /^(TypeError|RangeError|Error): ("[\w[\]. ]+" (expected|is )|cannot |(chunk|message) \d+ |invalid tag$|truncated |not an age file|empty, no age file|armor |header |wrong key or context|data after the end|\d+ of \d+ pages)/;

/** Whether a call goes on after it has returned. A source in pieces gives each when it is asked for it, and the piece is its own. */
export const goesOn = (row: Row): boolean =>
  (asynchronous.includes(row) || row.title.startsWith('age ')) && !row.title.endsWith(' of a list');

/** Each change of each argument at each moment, of a call that goes on. */
export async function wrongAfterwards(
  row: Row,
  moments: readonly Moment[],
  its: readonly Change[] = changes,
): Promise<readonly string[]> {
  const { places, outputs, asked, outcome } = await shapeOf(row);
  const wrong: string[] = [];
  for (let place = 0; place < places; place++)
    for (const change of its)
      for (const moment of moments) {
        if ('asked' in moment && moment.asked >= asked) continue;
        const found = await changing(row, place, change, moment);
        if (found === outcome || OURS.test(found)) continue;
        // The result is in the memory that changes.
        if (outputs.has(place) && found !== NEVER && !isError(found)) continue;
        wrong.push(`argument ${place}, ${change.name}, ${momentName(moment)}: ${found.slice(0, 150)}`);
      }
  return wrong;
}

/**
 * Each change of each argument when an option is read: the bytes are those before or afterwards, as a whole. Of calls whose
 * results are different each time only errors can be told.
 */
export async function wrongAtOptions(row: Row): Promise<readonly string[]> {
  const { places, outputs, options, outcome } = await shapeOf(row);
  if ((await shapeOf(row)).outcome !== outcome) return [];
  const wrong: string[] = [];
  for (let place = 0; place < places; place++)
    for (const change of options.length && !outputs.has(place) ? changes : []) {
      const afterwards = await changing(row, place, change, { before: true });
      for (const option of options) {
        const found = await changing(row, place, change, { option });
        if (found === outcome || found === afterwards || (isError(found) && found !== NEVER)) continue;
        wrong.push(`argument ${place}, ${change.name}, when it reads ${option}: ${found.slice(0, 150)}`);
      }
    }
  return wrong;
}
