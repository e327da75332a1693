/**
 * `npm start [FILE]`: seals and opens a file with each engine, checks the output, and shows the speeds beside those of
 * other libraries.
 */
import { randomBytes } from 'node:crypto';
import { parsedArguments } from './arguments.ts';
import { readInput } from './start/input.ts';
import { progressOn, run, UsageError } from './terminal.ts';

const HELP = `npm start [FILE]

Seals and opens FILE with XChaCha20-Poly1305, with each engine of the library; checks the results against libsodium and
node:crypto; then measures the engines, noble, libsodium.js and node:crypto in turns, and prints a table. FILE is only
read; without one, there are 64 MiB of random bytes.

  --help   this text (npm start -- --help)

Exit codes: 0 all is right; 1 a wrong result; 2 wrong arguments, or FILE cannot be read.
`;

/** At least two rounds, for any length; more while the whole run takes a few seconds only. */
const PLAN = { rounds: [2, 31], budgetMilliseconds: 12_000, batchMilliseconds: 2, warmUpMilliseconds: 0 } as const;
/** Files that take less than this to seal need warming up, because the checks alone did not make the code hot. */
const SMALL = 2 ** 20;
const SAMPLE_BYTES = 2 ** 26;

function readArguments(): { help: boolean; name: string | undefined } {
  const { values, positionals } = parsedArguments(process.argv.slice(2), ['help'], []);
  if (positionals.length > 1) throw new UsageError(`one file at a time, not ${positionals.length}`);
  if (positionals[0] === '') throw new UsageError('the name of the file is empty');
  return { help: values.help === true, name: positionals[0] };
}

await run('start', async () => {
  const { help, name } = readArguments();
  if (help) {
    process.stdout.write(HELP);
    return 0;
  }
  const progress = progressOn(process.stderr);
  const show = (text: string): void => progress.show(text);
  try {
    const plaintext = name === undefined ? randomBytes(SAMPLE_BYTES) : await readInput(name);

    // Loaded only now, so that argument errors appear at once.
    const { describe } = await import('lanewise/engine.js');
    const { engine, relaxed, reason } = describe();
    const { lanewiseEngines } = await import('./client/contestants/lanewise.ts');
    const { libsodium } = await import('./client/contestants/libsodium.ts');
    const { nobleCiphers } = await import('./client/contestants/noble.ts');
    const { nodeCrypto } = await import('./client/node/node-crypto.ts');
    const { ReferencesDiffer, runJob } = await import('./start/job.ts');
    const { fileReport } = await import('./start/report.ts');
    const field = {
      ours: lanewiseEngines,
      auto: lanewiseEngines.find(({ name }) => name.endsWith(engine))!,
      peers: [nobleCiphers, libsodium, nodeCrypto],
      references: [libsodium, nodeCrypto],
    } as const;
    const plan = plaintext.length < SMALL ? { ...PLAN, warmUpMilliseconds: 100 } : PLAN;

    try {
      const result = runJob(plaintext, randomBytes(32), randomBytes(24), field, plan, show);
      progress.clear();
      const about = { file: name ?? 'random bytes', bytes: plaintext.length, relaxed, reason };
      process.stdout.write(fileReport(about, field, result));
      for (const { contestant, fault } of result.faults) process.stderr.write(`start: WRONG: ${contestant} ${fault}\n`);
      return result.faults.length > 0 ? 1 : 0;
    } catch (error) {
      if (!(error instanceof ReferencesDiffer)) throw error;
      progress.clear();
      process.stderr.write(`start: ${error.message}: nothing could be checked\n`);
      return 1;
    }
  } finally {
    progress.clear();
  }
});
