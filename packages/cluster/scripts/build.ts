/** dist/ from src/, for publishing. */
import { dirname } from 'node:path';
import { buildPackage } from '../../lanewise/scripts/build-package.ts';

await buildPackage({
  root: dirname(import.meta.dirname),
  input: { index: 'src/index.ts', thread: 'src/worker/thread.ts' },
  platform: 'node',
  external: [/^lanewise\//, /^@lanewise\/age/, '@lanewise/native', 'bullmq', 'ioredis', 'pg', 'aws4fetch'],
});
