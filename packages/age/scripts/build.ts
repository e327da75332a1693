/** dist/ from src/, for publishing. */
import { dirname } from 'node:path';
import { buildPackage } from '../../lanewise/scripts/build-package.ts';

await buildPackage({
  root: dirname(import.meta.dirname),
  input: { index: 'src/index.ts', files: 'src/files.ts' },
  platform: 'neutral',
  shared: /\/age\/src\//,
  external: [/^lanewise\//, /^@noble\/hashes\//, '@scure/base', 'age-encryption'],
});
