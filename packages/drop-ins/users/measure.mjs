// Runs two instances of a program in turn, and prints for each of its cases the ratios of their processor times, the first over the second. With
// one program, it runs each case once.
import { pathToFileURL } from 'node:url';

const BATCH_MS = 15;
const PAIRS = 31;

const [before, after] = await Promise.all(
  process.argv.slice(2).map(async (path) => (await import(pathToFileURL(path).href)).cases),
);

/** The processor time in milliseconds that `count` runs take: other programs on the machine matter less to it than to the clock. */
async function timeOf(run, count) {
  const start = process.cpuUsage();
  for (let i = 0; i < count; i++) await run();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

const ratios = {};
for (const name of Object.keys(before)) {
  await before[name]();
  if (!after) continue;
  await after[name]();
  // Both run the same number of times, and long enough to be compiled.
  let count = 1;
  while ((await timeOf(before[name], count)) < BATCH_MS) count *= 2;
  for (let i = 0; i < 5; i++) await timeOf(after[name], count);
  ratios[name] = [];
  for (let pair = 0; pair < PAIRS; pair++) {
    const first = await timeOf(pair % 2 ? after[name] : before[name], count);
    const second = await timeOf(pair % 2 ? before[name] : after[name], count);
    ratios[name].push(pair % 2 ? second / first : first / second);
  }
}
console.log(JSON.stringify(ratios));
