/**
 * `npm run fuzz`: the properties of the tests with as many random cases as there is time for.
 *
 *     npm run fuzz -- --minutes 30           one unless given
 *     npm run fuzz -- --seed 123             where to start; the clock's unless given
 *     npm run fuzz -- --only BLAKE3          properties whose names contain that
 *
 * Results are compared with JavaScript implementations and, where the machine has them, with native ones: libgcrypt through Python
 * for Serpent, Go for Adiantum and HPolyC.
 *
 * Failing seeds are kept in .cache/fuzz-failures.json and tried first the next time. Exit code 1 if anything failed.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { argumentProperties } from '../test/support/properties-arguments.ts';
import { findNatives } from '../test/support/interleaved/natives.ts';
import { interleavedProperties } from '../test/support/properties-interleaved.ts';
import { overflowProperties } from '../test/support/properties-overflow.ts';
import type { Property } from '../test/support/properties.ts';
import { partsOf } from '../test/support/rooms.ts';
import { fuzz } from './fuzz-run.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    only: { type: 'string', default: '' },
  },
});
const [minutes, seed] = [Number(values.minutes), Number(values.seed)];
if (!(minutes > 0) || !Number.isInteger(seed)) throw new Error('--minutes is a number above 0, --seed an integer');
const cache = join(import.meta.dirname, '../.cache');
mkdirSync(cache, { recursive: true });
const { natives, missing } = findNatives(cache);
for (const why of missing) console.log(`not asked: ${why}`);

let [compared, overflows] = [0, 0];
const properties = [
  ...(await partsOf<readonly Property[]>('properties', 'properties')).flat(),
  ...argumentProperties,
  ...interleavedProperties(natives, (count) => (compared += count)),
  ...overflowProperties((count) => (overflows += count)),
].filter(({ name }) => name.includes(values.only));
if (!properties.length) throw new Error(`no property has ${JSON.stringify(values.only)} in its name`);

const file = join(cache, 'fuzz-failures.json');
const start = performance.now();
const end = start + minutes * 60_000;
console.log(`${properties.length} properties, ${minutes} minutes, from seed ${seed}`);
const { cases, failures } = fuzz({
  properties,
  seed,
  more: () => performance.now() < end,
  file,
  tell: (line) => console.log(line),
});
const seconds = (performance.now() - start) / 1000;
console.log(
  `${cases} cases in ${seconds.toFixed(0)} s, ${Math.round(cases / seconds)} a second: ${failures.length} failures`,
);
console.log(`among them ${compared} comparisons of interleaved objects, ${overflows} overflows of the stack`);
if (failures.length) {
  console.log(`kept in ${file}`);
  process.exitCode = 1;
}
