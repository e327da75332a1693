/** Chooses the place for the results of a run: the first of those below that the browser has. */
import { downloadPlace } from './download.ts';
import { memoryPlace } from './memory.ts';
import { nameOf, type Place } from './output.ts';
import { canPick, pickFile, pickFolder } from './picked.ts';
import { privatePlace } from './private-files.ts';

/**
 * @param paths - The paths of the results.
 * @param size - The bytes of all of them, roughly.
 * @returns A promise of the place. It is rejected with an AbortError if the person is asked for one and gives none.
 */
export async function choosePlace(paths: readonly string[], size: number): Promise<Place> {
  // First, because the browser lets a page ask right after a click only.
  if (canPick()) return paths.length === 1 ? pickFile(nameOf(paths[0])) : pickFolder();
  return (await privatePlace(size)) ?? downloadPlace() ?? memoryPlace;
}
