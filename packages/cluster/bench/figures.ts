/** `npm run figures:cluster`: the costs of the queue on this machine. */
import { run } from '../../lab/src/terminal.ts';
import { FIGURES_HELP, readFiguresCommand } from './arguments.ts';

await run('figures:cluster', async () => {
  const command = readFiguresCommand(process.argv.slice(2));
  if (command === 'help') {
    process.stdout.write(FIGURES_HELP);
    return 0;
  }
  // Servers and workers are loaded later, so that help and argument errors appear at once.
  await (await import('./queue-costs.ts')).measureQueueCosts(command);
  return 0;
});
