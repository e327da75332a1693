// The only result depending on a secret that a kernel may return is whether a tag is valid.
import type { Results } from '../constant-time/labels.ts';
import { require } from './claim.ts';

/** The functions that compare tags. */
const VERDICTS = ['verify', 'open'];

/** Throws Failure if the result of a function reveals more about a secret than whether two tags are equal. */
export function requireVerdicts({ verdicts, secretResults }: Results): void {
  const told = [...secretResults, ...verdicts.filter((name) => !VERDICTS.includes(name))];
  require(told.length === 0, () => `the result of ${told.join(', ')} depends on a secret`);
}
