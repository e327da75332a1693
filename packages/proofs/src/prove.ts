// node packages/proofs/src/prove.ts [--only TEXT] [--all] [--json FILE] [--smt DIR] [--certificate DIR] [--golden] [--threads N]
//
// Proves every claim about every kernel that ships, and shows a table: 0 is the exit code if all hold, 1 if one does not,
// 2 if there was nothing to prove.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { allClaims, marksOfAll } from './claims/index.ts';
import type { Claim } from './claims/claim.ts';
import { isUsual } from './claims/drawn.ts';
import { currentSums } from './golden.ts';
import { changeOf, goldenOf, saveClaims, savedClaims, vanished } from './claims-golden.ts';
import { report, topicOf, type Proved } from './prove-report.ts';
import { outcomeOf, type Outcome } from './prove-outcome.ts';

const USAGE = `node packages/proofs/src/prove.ts [options]
  --only TEXT   only the claims that have the text in them, as "kernel: claim"
  --all         a row for every claim, not for all claims about one thing
  --smt DIR     writes the obligations that other solvers can check instead: one file for each step of rewriting
  --certificate DIR  writes the last step of Poly1305, and a proof of it that Coq checks
  --json FILE   writes what was found to a file as well
  --golden      writes claims.golden.json: what claims look at now is what they are to look at
  --threads N   how many threads; 2 unless given`;

interface Numbered {
  readonly number: number;
  readonly claim: Claim;
}

/** Only the longest claims are worth an order: those of disk encryption last, and the claims that share the recorded calls first. */
const weight = ({ claim: { kernel, claim } }: Numbered): number =>
  claim.startsWith('wiped') ? -1 : kernel.startsWith('disk') ? 1 : 0;

/** Lets threads take claims, the first one from the front and the others from the back, until there are none. */
async function proveAll(
  claims: readonly Numbered[],
  marks: SharedArrayBuffer[],
  threads: number,
  done: (outcome: Outcome) => void,
): Promise<void> {
  const queue = [...claims].sort((a, b) => weight(a) - weight(b));
  const next = (thread: number): Numbered | undefined => (thread === 0 ? queue.shift() : queue.pop());
  const work = async (thread: number): Promise<void> => {
    const worker = new Worker(new URL('prove-worker.ts', import.meta.url), { workerData: marks });
    try {
      for (let task = next(thread); task; task = next(thread)) {
        const { number } = task;
        const answer = new Promise<Outcome>((resolve, reject) => {
          worker.once('message', resolve);
          worker.once('error', reject);
        });
        worker.postMessage(number);
        done(await answer);
        worker.removeAllListeners('error');
      }
    } finally {
      await worker.terminate();
    }
  };
  await Promise.all(Array.from({ length: Math.min(threads, claims.length) }, (_, thread) => work(thread)));
}

/** How far the proof is, in a terminal. */
function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}`);
}

/** In a process of its own, whose terms are recorded: nothing of it is loaded here. */
function write(what: 'smt' | 'certificate', folder: string, only: string): number {
  const [hooks, program] = ['hooks.ts', 'write.ts'].map((name) => join(import.meta.dirname, what, name));
  return spawnSync(process.execPath, ['--import', hooks, program, folder, only], { stdio: 'inherit' }).status ?? 1;
}

async function main(): Promise<number> {
  const { values: options } = parseArgs({
    options: {
      only: { type: 'string', default: '' },
      all: { type: 'boolean', default: false },
      json: { type: 'string' },
      smt: { type: 'string' },
      certificate: { type: 'string' },
      golden: { type: 'boolean', default: false },
      threads: { type: 'string', default: String(Math.min(2, availableParallelism())) },
      help: { type: 'boolean', default: false },
    },
  });
  if (options.help) {
    console.log(USAGE);
    return 0;
  }
  if (options.smt !== undefined) return write('smt', options.smt, options.only);
  if (options.certificate !== undefined) return write('certificate', options.certificate, options.only);
  const golden = savedClaims();
  const marks = marksOfAll();
  const every = allClaims(marks);
  const wanted = every.filter(({ kernel, claim }) => `${kernel}: ${claim}`.includes(options.only));
  const needed = new Set(wanted.flatMap((claim) => [claim, ...(claim.after ?? [])]));
  const chosen = every.map((claim, number) => ({ claim, number })).filter(({ claim }) => needed.has(claim));
  if (chosen.length === 0) {
    console.error(`no claim has "${options.only}" in it`);
    return 2;
  }

  const start = performance.now();
  const outcomes = new Map<number, Outcome>();
  const done = (outcome: Outcome): void => {
    outcomes.set(outcome.number, outcome);
    progress(`${outcomes.size} of ${chosen.length} claims`);
  };
  const [first, last] = [false, true].map((later) =>
    chosen.filter(({ claim }) => (claim.after !== undefined) === later),
  );
  await proveAll(first, marks, Number(options.threads), done);
  for (const { claim, number } of last) done(await outcomeOf(claim, number));
  progress('');
  const seconds = (performance.now() - start) / 1000;
  const proved = chosen.map(({ claim, number }): Proved => {
    const { seconds: own, amounts, failure } = outcomes.get(number)!;
    const { kernel, claim: text } = claim;
    const changed = options.golden || !isUsual ? undefined : changeOf({ kernel, claim: text, amounts }, golden);
    return { kernel, topic: topicOf(claim), claim: text, seconds: own, failure: failure ?? changed, amounts };
  });
  if (options.golden)
    saveClaims(
      goldenOf(
        every,
        proved.filter(({ failure }) => failure === undefined),
        golden,
      ),
      every,
    );

  const missing = options.golden ? [] : vanished(every, golden);
  const { text, exitCode } = report(proved, {
    shipped: every,
    seconds,
    all: options.all,
    missing,
    sums: currentSums(),
  });
  console.log(text);
  if (options.json !== undefined)
    writeFileSync(options.json, JSON.stringify({ seconds, claims: proved }, null, 2) + '\n');
  return exitCode;
}

process.exitCode = await main();
