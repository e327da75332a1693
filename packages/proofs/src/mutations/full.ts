/**
 * `npm run prove:full`: the full set of mutants (full-set.ts) of every kernel, each judged once, and a list of those that are not
 * explained. Exit 1 if there are such: the engine can tell one from its original and no claim can (a gap), or nothing tells it from its
 * original and no rule and no claim about every length says why (equal).
 *
 *     --state <file>    the verdicts, to which a run adds; packages/.cache/mutations.jsonl unless given
 *     --kernel <text>   only kernels whose names contain it
 *     --layer numbers   all bits of offsets and constants, instead of one bit of each instruction
 *     --all             every bit: weeks
 *     --workers <n>     processors; all unless given
 *     --tally           judges nothing, and counts the verdicts that the file has
 */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { getHeapStatistics } from 'node:v8';
import { Worker, isMainThread, parentPort } from 'node:worker_threads';
import { relaxedOf } from '../claims/plain-form.ts';
import { sha256 } from '../golden.ts';
import { kernelOf, kernels, type Kernel } from '../kernels.ts';
import { keepingSolver } from '../rooms/poly1305/reduction.ts';
import { forgetTerms } from '../terms/term.ts';
import { decode, decodesTo } from '../wasm/decode.ts';
import { distinctFunctions, type Copy } from './distinct.ts';
import { FullJudge } from './full-judge.ts';
import { mutantsAt, type Layer } from './full-set.ts';
import type { Verdict } from './judge.ts';
import { mutantOf, placesOf, type Mutant } from './one-instruction.ts';
import { processorTime } from './processor-time.ts';
import { Random } from './random.ts';
import { withReadings } from './readings.ts';
import { describeChange } from './same.ts';
import { keyOf, VerdictFile, type JudgedMutant, type JudgedPlace, type PlaceKey } from './verdict-file.ts';

const MOST_HEAP_BYTES = 400e6;
interface Task extends PlaceKey {
  readonly kernel: string;
}

const digest = ({ bytes }: Kernel): string => sha256(bytes).slice(0, 12);

/** The tasks of each kernel in an order that is random and always the same, so that those done so far are a sample. */
function tasksOf(some: readonly Kernel[], layer: Layer): Map<string, Task[]> {
  const tasks = new Map(some.map(({ name }) => [name, [] as Task[]]));
  for (const { kernel, function: f } of distinctFunctions(kernels))
    for (const { index } of placesOf(f))
      tasks.get(kernel.name)?.push({ kernel: kernel.name, module: digest(kernel), function: f.index, index, layer });
  const random = new Random(1);
  for (const list of tasks.values())
    for (let i = list.length - 1; i > 0; i--) {
      const j = random.between(0, i);
      [list[i], list[j]] = [list[j], list[i]];
    }
  return tasks;
}

async function verdictOn(judge: FullJudge, mutant: Mutant): Promise<Verdict> {
  if (mutant.refusal !== undefined) return { fate: 'killed', by: 'lint', what: mutant.refusal };
  const reason = judge.reasonFor(mutant);
  return reason === undefined ? judge.judge(mutant) : { fate: 'explained', reason };
}

/** Messages of claims quote terms. */
const MOST_WHAT = 200;

const isUnexplained = ({ fate }: Verdict): boolean => fate === 'equal' || fate === 'gap';

/** An end of the judge itself must not end a run of hours. */
async function verdictOrError(judge: FullJudge, mutant: Mutant): Promise<Verdict> {
  try {
    const verdict = await verdictOn(judge, mutant);
    return 'what' in verdict ? { ...verdict, what: verdict.what.slice(0, MOST_WHAT) } : verdict;
  } catch (error) {
    return { fate: 'gap', what: `the judge failed: ${error instanceof Error ? error.stack : String(error)}` };
  }
}

const judges = new Map<string, Promise<FullJudge>>();
const judgeOf = (kernel: Kernel): Promise<FullJudge> => {
  const known = judges.get(kernel.name);
  if (known) return known;
  for (const { bytes } of [kernel, relaxedOf(kernel) ?? []].flat()) decodesTo(bytes, decode(bytes));
  const made = FullJudge.of(kernel);
  judges.set(kernel.name, made);
  return made;
};

/**
 * The verdict on the same change of the same function in another kernel, where one explains it: a module with vectors has functions of
 * another one for a single block, in which loops run once.
 */
async function elsewhere(
  { place: { of, index }, flip }: Mutant,
  copies: readonly Copy[],
): Promise<Verdict | undefined> {
  for (const { kernel, function: f } of copies) {
    const mutant = mutantOf(kernel, placesOf(f)[index + 1], { ...flip, at: flip.at - of.at + f.at });
    if (typeof mutant === 'string') continue;
    const verdict = await verdictOrError(await judgeOf(kernel), mutant);
    if (isUnexplained(verdict)) continue;
    return verdict.fate === 'killed' ? { ...verdict, what: `in ${kernel.name}: ${verdict.what}` } : verdict;
  }
  return undefined;
}

let copies: ReadonlyMap<string, readonly Copy[]> | undefined;
/** The other kernels' copies of a function. */
function copiesOf({ kernel, function: f }: Task): readonly Copy[] {
  copies ??= new Map(distinctFunctions(kernels).map((one) => [`${one.kernel.name} ${one.function.index}`, one.copies]));
  return copies.get(`${kernel} ${f}`) ?? [];
}

async function work(task: Task): Promise<JudgedPlace> {
  const kernel = kernelOf(task.kernel);
  const original = decode(kernel.bytes);
  const judge = await judgeOf(kernel);
  const start = processorTime();
  const place = placesOf(original.functions[task.function])[task.index + 1];
  const mutants = [];
  for (const mutant of mutantsAt(kernel, place, task.layer, (m) => judge.reasonFor(m) !== undefined)) {
    const { at, bit } = mutant.flip;
    const change = describeChange(original, mutant.module, at);
    parentPort!.postMessage({ begun: { at, bit, change } } satisfies Message);
    const own = await verdictOrError(judge, mutant);
    const verdict = own.fate === 'equal' ? ((await elsewhere(mutant, copiesOf(task))) ?? own) : own;
    mutants.push({ at, bit, change, verdict });
    if (getHeapStatistics().used_heap_size > MOST_HEAP_BYTES) forgetTerms();
  }
  return { ...task, mutants, milliseconds: Math.round(processorTime() - start) };
}

/** A worker says which mutant it judges, and gives the place. */
type Message = { readonly begun: Omit<JudgedMutant, 'verdict'> } | { readonly place: JudgedPlace };

/** The terms of a wrong cipher may need more than a worker has, where no claim looks at time or memory: then a claim isn't proved. */
const without = (what: 'memory' | 'time', task: Task, begun: Omit<JudgedMutant, 'verdict'>): JudgedPlace => ({
  ...task,
  mutants: [{ ...begun, verdict: { fate: 'killed', by: 'claim', what: `out of ${what}` } }],
  milliseconds: 0,
});

/** All claims about a kernel as it ships take a minute. */
const MOST_MILLISECONDS = 240_000;
/** With a limit of its own, it ends alone where it has no memory left, and not the process. */
const newWorker = (): Worker => new Worker(import.meta.filename, { resourceLimits: { maxOldGenerationSizeMb: 3000 } });

/** A worker, replaced when it runs out of memory or of time. */
class Judging {
  #worker = newWorker();

  judge(task: Task): Promise<JudgedPlace> {
    const worker = this.#worker;
    let last: Omit<JudgedMutant, 'verdict'> | undefined;
    let timer: NodeJS.Timeout | undefined;
    return new Promise<JudgedPlace>((resolve, reject) => {
      const replace = (what: 'memory' | 'time'): void => {
        this.#worker = newWorker();
        resolve(without(what, task, last!));
      };
      worker.on('message', (message: Message) => {
        clearTimeout(timer);
        if ('place' in message) resolve(message.place);
        else {
          last = message.begun;
          timer = setTimeout(() => {
            replace('time');
            void worker.terminate();
          }, MOST_MILLISECONDS);
        }
      });
      worker.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code === 'ERR_WORKER_OUT_OF_MEMORY' && last) replace('memory');
        else reject(error);
      });
      worker.postMessage(task);
    }).finally(() => {
      clearTimeout(timer);
      worker.removeAllListeners('message').removeAllListeners('error');
    });
  }

  end(): Promise<unknown> {
    return this.#worker.terminate();
  }
}

/** Gives each worker a kernel of its own while there are such, then places that others have left. */
async function judgeAll(tasks: ReadonlyMap<string, Task[]>, workers: number, done: (place: JudgedPlace) => void) {
  const queues = [...tasks.values()].filter((list) => list.length > 0).sort((a, b) => b.length - a.length);
  const busy = new Set<Task[]>();
  const run = async (): Promise<void> => {
    const worker = new Judging();
    for (;;) {
      const left = queues.filter((list) => list.length > 0);
      const queue = left.find((list) => !busy.has(list)) ?? left[0];
      if (!queue) break;
      busy.add(queue);
      while (queue.length > 0) done(await worker.judge(queue.pop()!));
      busy.delete(queue);
    }
    await worker.end();
  };
  await Promise.all(Array.from({ length: workers }, run));
}

const isOpen = ({ mutants }: JudgedPlace): boolean => mutants.some(({ verdict }) => isUnexplained(verdict));

function tally(places: readonly JudgedPlace[]): string {
  const counts = new Map<string, number>();
  const count = (key: string): void => void counts.set(key, (counts.get(key) ?? 0) + 1);
  for (const { mutants } of places) {
    if (mutants.length === 0) count('places without a mutant');
    for (const { verdict } of mutants) {
      count(verdict.fate);
      if (verdict.fate === 'killed') count(`killed by ${verdict.by}`);
      if (verdict.fate === 'explained') count(`explained: ${verdict.reason}`);
    }
  }
  return [...counts]
    .sort()
    .map(([key, n]) => `${key} ${n}`)
    .join('\n');
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      state: { type: 'string', default: join(import.meta.dirname, '../../../.cache/mutations.jsonl') },
      kernel: { type: 'string', default: '' },
      layer: { type: 'string', default: 'one' },
      workers: { type: 'string', default: String(availableParallelism()) },
      all: { type: 'boolean', default: false },
      tally: { type: 'boolean', default: false },
    },
  });
  const some = kernels.filter(({ name }) => name.includes(values.kernel));
  const tasks = tasksOf(some, values.all ? 'all' : (values.layer as Layer));
  const all = new Set([...tasks.values()].flat().map(keyOf));
  const file = new VerdictFile(values.state);
  // Unexplained ones are judged again: there may be a new claim, or a new rule.
  const places = file.places.map(withReadings);
  const known = places.filter((place) => all.has(keyOf(place)) && (values.tally || !isOpen(place)));
  const judged = new Map(known.map((place) => [keyOf(place), place]));
  for (const [name, list] of tasks)
    tasks.set(
      name,
      list.filter((task) => !judged.has(keyOf(task))),
    );
  const before = judged.size;
  const start = performance.now();
  let shown = start;
  if (!values.tally)
    await judgeAll(tasks, Number(values.workers), (place) => {
      file.add(place);
      judged.set(keyOf(place), withReadings(place));
      if (performance.now() - shown < 10_000) return;
      shown = performance.now();
      const minutes = ((shown - start) / 60_000 / (judged.size - before)) * (all.size - judged.size);
      console.error(`${judged.size} of ${all.size} places, ${Math.ceil(minutes)} minutes left`);
    });
  console.log(`${judged.size} of ${all.size} places\n${tally([...judged.values()])}`);
  const open = [...judged.values()].filter(isOpen);
  for (const { kernel, mutants } of open)
    for (const { change, bit, verdict } of mutants)
      if (isUnexplained(verdict))
        console.log(`${verdict.fate}: ${kernel}: ${change}, bit ${bit}${'what' in verdict ? `: ${verdict.what}` : ''}`);
  if (open.length > 0) process.exitCode = 1;
}

if (isMainThread) await main();
else
  await keepingSolver(
    () =>
      new Promise<void>(() => {
        parentPort!.on('message', (task: Task) => {
          void work(task).then((place) => parentPort!.postMessage({ place } satisfies Message));
        });
      }),
  );
