/** dist/ from src/, and the generated headers, for publishing: users compile the addon by `npx lanewise-native`. */
import { dirname, join } from 'node:path';
import { buildPackage } from '../../lanewise/scripts/build-package.ts';
import { generate } from './generate.ts';

const root = dirname(import.meta.dirname);
generate(join(root, 'generated'));
await buildPackage({
  root,
  input: { index: 'src/index.ts', main: 'src/main.ts', worker: 'src/worker.ts' },
  platform: 'node',
  external: [/^lanewise\//],
});
