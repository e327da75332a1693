/** dist/ from src/, for publishing: the JavaScript. scripts/addon.ts compiles the addon. */
import { dirname } from 'node:path';
import { buildPackage } from '../../lanewise/scripts/build-package.ts';

await buildPackage({
  root: dirname(import.meta.dirname),
  input: { index: 'src/index.ts' },
  platform: 'node',
  external: [/^lanewise\//],
});
