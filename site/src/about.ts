/** The origin of the pages, as their footer states it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkAddress } from '../../packages/release/src/repository.ts';
import { root } from './pages.ts';

export interface About {
  readonly version: string;
  /** A page that people can open. */
  readonly repository?: string;
}

/**
 * The version, and the repository, if `REPOSITORY` has its address in the form that `npm run release -- --repository` takes.
 *
 * @throws Error if it has another form.
 */
export function about(): About {
  const { version } = JSON.parse(readFileSync(join(root, 'packages/lanewise/package.json'), 'utf8')) as About;
  const { REPOSITORY } = process.env;
  if (REPOSITORY === undefined || REPOSITORY === '') return { version };
  checkAddress(REPOSITORY, 'REPOSITORY');
  return { version, repository: REPOSITORY.replace(/^git\+/, '').replace(/\.git$/, '') };
}
