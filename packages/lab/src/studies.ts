/** `npm run studies`: measures the missing parts of the pages of docs/studies, and draws them. */
import { HELP, readStudiesCommand } from './studies/arguments.ts';
import { FAST_MEMORIES } from '../../runtimes/src/webkit.ts';
import { run } from './terminal.ts';

/**
 * WebKitGTK gets this from its environment. Only studies set it: with it, a page whose pools have memories of their own runs out of
 * address space, and studies have no pools, only a few workers.
 */
const WEBKIT_LIMIT = 'JSC_maxNumWasmFastMemories';

await run('studies', async () => {
  const command = readStudiesCommand(process.argv.slice(2));
  if (!command) {
    process.stdout.write(HELP);
    return 0;
  }
  process.env[WEBKIT_LIMIT] ??= FAST_MEMORIES;
  // Everything else is loaded later, so that help and argument errors appear at once.
  return (await import('./studies/conduct.ts')).conductStudies(command);
});
