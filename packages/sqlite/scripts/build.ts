/** dist/ from src/, for publishing. */
import { dirname } from 'node:path';
import { buildPackage } from '../../lanewise/scripts/build-package.ts';

await buildPackage({
  root: dirname(import.meta.dirname),
  input: { index: 'src/index.ts', browser: 'src/browser.ts', node: 'src/node.ts', official: 'src/official.ts' },
  platform: 'neutral',
  shared: /^(?!.*[\\/]multiple-ciphers[\\/])/,
  external: [/^lanewise\//, /^@journeyapps\/wa-sqlite/, /^node:/],
});
