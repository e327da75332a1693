/**
 * Whether calls of the `js` engine take longer for secrets whose words have their top bit set, since engines keep small integers in
 * another way than large ones. Its rows are reported and never judged, like those of `npm run timing`: they are about this machine and
 * this engine. It fails only where the planted leaks don't show, for then the other rows say nothing.
 *
 *     node packages/proofs/src/timing/words.ts --host firefox --code interpreter --only poly1305 --seconds 1
 *
 * `--host` is node, bun, chromium, firefox or hermes; `--code`, the kind of code that it is held to, is optimized if it isn't given;
 * `--only`, once or more often, chooses calls whose names contain that; `--seconds` are those of a row.
 */
import { failureOf } from '../../../runtimes/src/failure.ts';
import { choiceOf, type Choice } from './choice.ts';
import { HEAD, inWords, rowOf, SURE, unseen } from './rows.ts';

function chosen(): Choice | undefined {
  try {
    return choiceOf(process.argv.slice(2));
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 2;
    return undefined;
  }
}

async function measure({ host, code, plan }: Choice): Promise<void> {
  const { host: name, engine, step, samples } = await host.run(code, plan);
  console.log(
    `${name}, ${code}; engine ${engine}; steps of the clock: ${(1e6 * step).toFixed(0)} ns; |t| above 4.5 hints at a difference, above ${SURE} it is there`,
  );
  console.log(HEAD);
  const rows = samples.map(rowOf);
  for (const row of rows) console.log(inWords(row));
  const missed = unseen(rows);
  if (missed.length === 0) return;
  console.error(`the rows say nothing, for planted leaks don't show: ${missed.join(', ')}`);
  process.exitCode = 1;
}

const choice = chosen();
if (choice)
  await measure(choice).catch((error: unknown) => {
    console.error(failureOf(error, 0, 3));
    process.exitCode = 1;
  });
