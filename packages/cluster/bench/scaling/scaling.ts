/** `npm run scaling:cluster`: the figures of docs/cluster-scaling.md. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { load, thisHost } from '../../../lab/src/results/host.ts';
import { processorName } from '../../../lab/src/results/processor.ts';
import { run } from '../../../lab/src/terminal.ts';
import { readScalingCommand, SCALING_HELP } from '../arguments.ts';
import { COSTS, DOCUMENT, figuresOf, PICTURE, written, type Measured } from './document.ts';

async function measured(): Promise<Measured> {
  const before = load();
  // Servers and workers are loaded only where they are wanted.
  const costs = await (await import('./measure.ts')).measure();
  return {
    date: new Date().toISOString().slice(0, 10),
    processor: processorName(thisHost()),
    ...(before !== undefined && { load: before }),
    costs,
  };
}

await run('scaling:cluster', async () => {
  const command = readScalingCommand(process.argv.slice(2));
  if (command === 'help') {
    process.stdout.write(SCALING_HELP);
    return 0;
  }
  const figures = command.measure ? await measured() : (JSON.parse(readFileSync(COSTS, 'utf8')) as Measured);
  process.stdout.write(`${figuresOf(figures)}\n`);
  if (command.write) {
    mkdirSync(dirname(COSTS), { recursive: true });
    writeFileSync(COSTS, `${JSON.stringify(figures, undefined, 2)}\n`);
    const { document, picture } = written(figures);
    writeFileSync(DOCUMENT, document);
    writeFileSync(PICTURE, picture);
    process.stdout.write(`\n${DOCUMENT} has these figures\n`);
  }
  return 0;
});
