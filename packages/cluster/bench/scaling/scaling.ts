/**
 * `npm run scaling:cluster`: prints the figures of docs/cluster-scaling.md; with `--measure` after measuring the costs on this machine,
 * with `--write` into the document.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { load, thisHost } from '../../../lab/src/results/host.ts';
import { processorName } from '../../../lab/src/results/processor.ts';
import { COSTS, DOCUMENT, figuresOf, PICTURE, written, type Measured } from './document.ts';
import { measure } from './measure.ts';

const { values } = parseArgs({ options: { measure: { type: 'boolean' }, write: { type: 'boolean' } } });

async function measured(): Promise<Measured> {
  const before = load();
  const costs = await measure();
  return {
    date: new Date().toISOString().slice(0, 10),
    processor: processorName(thisHost()),
    ...(before !== undefined && { load: before }),
    costs,
  };
}

const figures = values.measure ? await measured() : (JSON.parse(readFileSync(COSTS, 'utf8')) as Measured);
console.log(figuresOf(figures));
if (values.write) {
  mkdirSync(dirname(COSTS), { recursive: true });
  writeFileSync(COSTS, `${JSON.stringify(figures, undefined, 2)}\n`);
  const { document, picture } = written(figures);
  writeFileSync(DOCUMENT, document);
  writeFileSync(PICTURE, picture);
  console.log(`\n${DOCUMENT} has these figures`);
}
