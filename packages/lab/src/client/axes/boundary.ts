/**
 * The boundary: kernels over linear memory beside the public API, which checks arguments, copies in and out, and wipes;
 * and the public API in a worker beside the main thread.
 */
import { caseOf, randomWork, type ClientCase, type ClientContest } from '../contest.ts';
import { startCrew, type Crew } from '../crew.ts';
import { fieldOf, casesOf } from '../field.ts';
import { kernelCases } from '../kernel-cases.ts';
import { messageOf } from '../checks.ts';
import { THOROUGH } from '../kinds.ts';
import type { Operation } from '../operation.ts';
import type { BoundaryEntry } from '../room.ts';
import { entries, kernelForms } from '../rooms.ts';

const who = { ours: ['simd', 'scalar'], rivals: [] } as const;

const contest = ({ operation, essential, rank }: BoundaryEntry, length: number): ClientContest => ({
  id: `boundary/${operation.id}/${length}`,
  axis: 'boundary',
  form: 'rounds',
  primitive: operation.primitive,
  operation: operation.operation,
  title: `${operation.primitive}, ${operation.operation}, ${length} bytes: kernel and public API`,
  parameters: { length },
  kinds: THOROUGH,
  essential: length === essential,
  rank,
  async prepare({ random, surroundings }) {
    const work = await randomWork(operation, length, random);
    const forms = (await kernelForms()).filter((form) => form.operation === operation.id);
    const kernels = kernelCases(operation, forms, work, surroundings);
    const own = await casesOf(operation, who, work, length);
    return { cases: [...kernels.cases, ...own.cases], absent: [...kernels.absent, ...own.absent] };
  },
});

const LONG = 65536;

const inWorker = (operation: Operation): ClientContest => ({
  id: `boundary/worker/${operation.id}/${LONG}`,
  axis: 'boundary',
  form: 'rounds',
  primitive: operation.primitive,
  operation: operation.operation,
  title: `${operation.primitive}, ${LONG / 1024} KiB: the main thread and a worker, each by its own clock`,
  parameters: { length: LONG },
  kinds: THOROUGH,
  places: ['page', 'node', 'bun', 'deno'],
  // Workers come after all contests of kernels.
  rank: 2,
  async prepare({ random, surroundings }) {
    const work = await randomWork(operation, LONG, random);
    const { performers, absent } = await fieldOf(operation, { ours: ['auto'], rivals: [] }, LONG);
    const here = await Promise.all(
      performers.map((performer) => caseOf(operation, performer, work, { id: 'main thread' })),
    );
    let crew: Crew;
    try {
      crew = await startCrew(1, surroundings);
    } catch (error) {
      return { cases: here, absent: [...absent, { case: 'worker', contestant: 'lanewise', reason: messageOf(error) }] };
    }
    const there = here.map((single): ClientCase => ({
      ...single,
      id: 'worker',
      description: { ...single.description, id: 'worker', parameters: { worker: true } },
      time: (count) => crew.time(operation, work, count),
    }));
    return { cases: [...here, ...there], absent, end: () => crew.end() };
  },
});

export const boundary: readonly ClientContest[] = [
  ...entries(({ boundary: all }) => all).flatMap((entry) => entry.lengths.map((length) => contest(entry, length))),
  ...entries(({ sharing }) => (sharing?.timed === true ? sharing : [])).map(({ operation }) => inWorker(operation)),
];
