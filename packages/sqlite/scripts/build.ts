/** dist/ from src/, for publishing. */
import { dirname } from 'node:path';
import { buildPackage } from '../../lanewise/scripts/build-package.ts';

await buildPackage({
  root: dirname(import.meta.dirname),
  input: {
    index: 'src/index.ts',
    browser: 'src/browser.ts',
    node: 'src/node.ts',
    official: 'src/official.ts',
    files: 'src/files.ts',
    pglite: 'src/pglite.ts',
  },
  platform: 'neutral',
  shared: /^(?!.*[\\/](?:multiple-ciphers[\\/]|unproven\.))/,
  external: [/^lanewise\//, /^@journeyapps\/wa-sqlite/, /^@electric-sql\/pglite/, /^node:/],
});
