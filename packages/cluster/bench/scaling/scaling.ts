/** `npm run scaling:cluster`: the figures of docs/cluster-scaling.md. */
import { measuredNow } from '../../../lab/src/scaling/document.ts';
import { run } from '../../../lab/src/terminal.ts';
import { readScalingCommand, SCALING_HELP } from '../arguments.ts';
import { clusterScaling } from './document.ts';

await run('scaling:cluster', async () => {
  const command = readScalingCommand(process.argv.slice(2));
  if (command === 'help') {
    process.stdout.write(SCALING_HELP);
    return 0;
  }
  const costs = command.measure
    ? // Servers and workers are loaded only where they are wanted.
      await measuredNow(async () => ({ costs: await (await import('./measure.ts')).measure() }))
    : clusterScaling.costs;
  process.stdout.write(`${clusterScaling.figuresOf(costs)}\n`);
  if (command.write) {
    clusterScaling.write(costs);
    process.stdout.write(`\n${clusterScaling.path} has these figures\n`);
  }
  return 0;
});
