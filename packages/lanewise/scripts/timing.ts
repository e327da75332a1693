/**
 * `npm run timing`: a smoke test for time that depends on secrets, as dudect does it, on every engine. It reports and
 * never fails: its results are about this machine and this engine, and noise can exceed 4.5.
 *
 *     npm run timing -- --measurements 200000        of each target; 100000 unless given
 *     npm run timing -- --only poly1305              targets whose names contain that
 */
import { parseArgs } from 'node:util';
import { select } from '../src/engine.ts';
import { verdict, type Measurements } from './timing-statistics.ts';
import { check } from '../test/utils/table/timing.ts';
import { targets, type Target } from './timing-targets.ts';

const { values } = parseArgs({
  options: { measurements: { type: 'string', default: '100000' }, only: { type: 'string', default: '' } },
});
const count = Number(values.measurements);
if (!Number.isInteger(count) || count < 10_000) throw new Error('--measurements is an integer from 10000 up');

/** So many calls are one measurement, so that the clock's own steps are small beside it. */
const CALLS = 4;
const WARM_UP = 3000;

function measure({ prepare, run }: Target): Measurements {
  const times = new Float64Array(count);
  const classes = new Uint8Array(count);
  for (let i = 0; i < WARM_UP; i++) {
    prepare(i & 1);
    run();
  }
  for (let i = 0; i < count; i++) {
    const which = Math.random() < 0.5 ? 0 : 1;
    prepare(which);
    const start = process.hrtime.bigint();
    for (let call = 0; call < CALLS; call++) run();
    times[i] = Number(process.hrtime.bigint() - start) / CALLS;
    classes[i] = which;
  }
  return { times, classes };
}

const row = (...cells: readonly string[]): void =>
  console.log(
    cells.map((cell, i) => (i < 3 ? cell.padEnd([8, 32, 31][i]) : cell.padStart([14, 8, 8, 8, 12][i - 3]))).join(''),
  );

console.log(`${count} measurements of ${CALLS} calls each; |t| above 4.5 hints at a difference, above 10 it is there`);
row('engine', 'what', 'classes', 'mean', '|t|', 'of', '|t| raw', 'difference');
for (const target of targets.filter(({ name }) => name.includes(values.only)))
  for (const engine of target.engines ? (['simd', 'scalar', 'js'] as const) : (['auto'] as const)) {
    select(engine);
    const measurements = measure(target);
    const { t, kept, raw, difference } = verdict(measurements);
    const mean = measurements.times.reduce((sum, time) => sum + time, 0) / count;
    row(
      target.engines ? engine : '',
      target.name,
      target.classes,
      `${mean.toFixed(0)} ns`,
      t.toFixed(1),
      `${(100 * kept).toFixed(0)} %`,
      raw.toFixed(1),
      `${difference.toFixed(2)} ns`,
    );
  }
select('auto');
check();
