/** `lanewise jobs`: the tasks in a queue, now and in the last day. */
import type { Cluster, JobState } from '@lanewise/cluster';
import { follow, withCluster } from '../cluster/follow.ts';
import { shownHash } from '../cluster/hash.ts';
import { QUEUE_HELP, queueFrom, queueOptions, withoutSecrets, type Queue } from '../cluster/queue.ts';
import { Failure, UsageError } from '../command.ts';
import type { Argument } from '../command-line.ts';
import { COMMON, parseOptions } from '../parse-options.ts';
import { print, printable } from '../terminal.ts';

const WHO = 'lanewise jobs';

export const HELP = `lanewise jobs [list] --queue URL [--json]
lanewise jobs show ID --queue URL [--json]
lanewise jobs wait ID --queue URL
lanewise jobs cancel ID --queue URL

Shows the work in a queue, and that which ended in the last day, the latest first. \`lanewise hash\`, \`encrypt\` and \`decrypt\` put it there;
with --detach they print the ID. ID may be shortened as long as only one work begins with it.

  list      a line for each work: ID, state, how much is done, since when, what it does
  show      all that is known about one
  wait      wait until it ends; for a hash, print HASH  NAME, as \`lanewise hash\` does. Ctrl-C ends the waiting, not the work
  cancel    end it, if it has not completed: an upload is given up, and nothing is left of it

${QUEUE_HELP}
      --json                   JSON instead of text
  -h, --help                   this text
  -V, --version                the version of lanewise

Exit codes: 0 success; 1 there is no such work, it failed, or the queue cannot be reached; 2 wrong arguments.
`;

export const options = {
  ...COMMON,
  ...queueOptions,
  json: { type: 'boolean' },
} as const;

type Action = 'list' | 'show' | 'wait' | 'cancel';
const ACTIONS: readonly string[] = ['list', 'show', 'wait', 'cancel'] satisfies Action[];

interface Options {
  readonly queue: Queue;
  readonly action: Action;
  readonly id: string;
  readonly json: boolean;
}

function readJobsOptions(given: readonly Argument[]): Options | 'help' {
  const parsed = parseOptions(given, options);
  if (parsed === 'help') return 'help';
  const { values, operands } = parsed;
  const [action = 'list', id = '', ...more] = operands.map(({ text }) => text);
  if (!ACTIONS.includes(action))
    throw new UsageError(`unknown action '${printable(action)}': list, show, wait and cancel are there`);
  if (action === 'list' && operands.length > 1) throw new UsageError('list takes no ID; show takes one');
  if (action !== 'list' && id === '') throw new UsageError(`${action} takes an ID; lanewise jobs lists them`);
  if (more.length > 0) throw new UsageError(`${action} takes one ID`);
  if (values.json && action !== 'list' && action !== 'show') throw new UsageError('--json is for list and show');
  return { queue: queueFrom(values), action: action as Action, id, json: values.json ?? false };
}

/** As it is, or the only one that begins so. */
async function find(cluster: Cluster, id: string, { name = 'lanewise' }: Queue): Promise<JobState> {
  const exact = await cluster.job(id);
  if (exact) return exact;
  const found = (await cluster.jobs()).filter((job) => job.id.startsWith(id));
  if (found.length > 1) throw new Failure(`${printable(id)}: ${found.length} works begin with it`);
  if (found.length === 0)
    throw new Failure(`${printable(id)}: no such work in the queue ${name}; results are kept for a day`);
  return found[0];
}

const done = ({ state, progress: { done, total } }: JobState): string =>
  state === 'completed' || total === 0 ? '' : ` ${Math.floor((100 * done) / total)} %`;

const what = ({ kind, source, target }: JobState): string =>
  `${kind === 'blake3' ? 'hash' : kind} ${source}${target === undefined ? '' : ` -> ${target}`}`;

/** Letters that a column of ids needs, so that no two look alike; all in pipes and files. */
function shortIds(jobs: readonly JobState[]): (id: string) => string {
  if (!process.stdout.isTTY) return (id) => id;
  let length = 8;
  while (new Set(jobs.map(({ id }) => id.slice(0, length))).size < jobs.length) length++;
  return (id) => id.slice(0, length);
}

function linesOf(jobs: readonly JobState[]): string {
  const short = shortIds(jobs);
  const rows = jobs.map((job) => [
    short(job.id),
    `${job.state}${done(job)}`,
    job.started.toISOString().slice(0, 19) + 'Z',
    what(job),
  ]);
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column].length)));
  return rows.map((row) => `${printable(row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('  '))}\n`).join('');
}

/** Bytes are hexadecimal in JSON. */
const json = (value: unknown): string =>
  `${JSON.stringify(value, (_, part: unknown) => (part instanceof Uint8Array ? Buffer.from(part).toString('hex') : part))}\n`;

function detailsOf(job: JobState, queue: Queue): string {
  const { id, kind, source, target, state, progress, started, error, result } = job;
  const rows: (readonly [string, string | undefined])[] = [
    ['id', id],
    ['work', kind === 'blake3' ? 'hash' : kind],
    ['source', source],
    ['target', target],
    ['state', state],
    ['done', `${progress.done} of ${progress.total} bytes`],
    ['since', started.toISOString()],
    ['error', error === undefined ? undefined : withoutSecrets(error, queue)],
    ['hash', result?.kind === 'blake3' ? Buffer.from(result.hash).toString('hex') : undefined],
    ['size', result && String(result.size)],
    ['etag', result?.etag],
  ];
  return rows
    .flatMap(([name, value]) => (value === undefined ? [] : `${name.padEnd(7)} ${printable(value)}\n`))
    .join('');
}

async function waitFor(queue: Queue, id: string): Promise<number> {
  return await follow(WHO, id, queue, 'the work goes on', async ({ cluster, following, quiet }) => {
    const job = await find(cluster, id, queue);
    const result = await cluster.wait(job.id, following());
    quiet();
    if (result.kind === 'blake3') await print(shownHash(job.source, result.hash, 'named'));
    return 0;
  });
}

export async function run(given: readonly Argument[]): Promise<number> {
  const options = readJobsOptions(given);
  if (options === 'help') {
    await print(HELP);
    return 0;
  }
  const { queue, action, id } = options;
  if (action === 'wait') return await waitFor(queue, id);
  return await withCluster(queue, async (cluster) => {
    if (action === 'list') {
      const jobs = await cluster.jobs();
      await print(options.json ? json(jobs) : linesOf(jobs));
    } else {
      const job = await find(cluster, id, queue);
      if (action === 'cancel') {
        if (job.state === 'completed') throw new Failure(`${job.id}: it has completed, and nothing is cancelled`);
        await cluster.cancel(job.id);
      } else await print(options.json ? json(job) : detailsOf(job, queue));
    }
    return 0;
  });
}
