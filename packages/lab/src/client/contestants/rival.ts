/** Libraries that people use today. */
import { version } from '#packages';
import type { Contestant } from './contestant.ts';

/** The identity of a library, and the package whose version it has. */
export const rival = (name: string, npmPackage = name): Contestant => ({
  name,
  library: name,
  standing: 'rival',
  version: version(npmPackage),
});
