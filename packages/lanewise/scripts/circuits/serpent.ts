/**
 * Searches for the circuits of Serpent's S-boxes and their inverses and prints them as serpent/boxes.ts has them:
 *
 *     node packages/lanewise/scripts/circuits/serpent.ts [width of the beam] [searches]
 *
 * Each search is a little different by chance; the best circuit of all is printed. Processors do several gates at a time, so
 * a gate more is worth it if it makes the longest way through three gates shorter.
 */
import { SBOXES } from '../../src/serpent/boxes.ts';
import { circuitOf, type Circuit } from './schedule.ts';
import { search, tableOf } from './search.ts';

const [width = 150, searches = 14] = process.argv.slice(2).map(Number);

/** S(0) is added to the next round's key instead. */
const forward = SBOXES.map((box) => box.map((y) => y ^ box[0]));
const inverse = forward.map((box) => box.map((_, y) => box.indexOf(y)));

const countOf = ({ gates }: Circuit): number => gates.split(' ').length;
const costOf = (circuit: Circuit): number => 3 * countOf(circuit) + Math.max(...circuit.depths);
const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, n) => sum + n, 0);

for (const [name, boxes] of Object.entries({ forward, inverse })) {
  let sum = 0;
  console.log(`${name}:`);
  for (const box of boxes) {
    const outputs = [0, 1, 2, 3].map((bit) => tableOf(box, bit));
    const [best] = Array.from({ length: searches }, (_, i) => search(outputs, width, i + 1))
      .flatMap((found) => found.map((tables) => circuitOf(tables, outputs)))
      .sort((x, y) => costOf(x) - costOf(y) || sumOf(x.depths) - sumOf(y.depths) || x.live - y.live);
    const count = countOf(best);
    sum += count;
    console.log(`  '${best.gates} ${best.outputs}', // ${count} gates, outputs after ${best.depths.join(', ')}`);
  }
  console.log(`${sum} gates`);
}
