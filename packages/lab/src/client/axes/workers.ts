/**
 * Workers: the public API in one beside the main thread, and the speed-up by workers that each handle a part of one message,
 * addressed by the number of its first block or chunk.
 */
import { joined } from '../bytes.ts';
import { messageOf } from '../checks.ts';
import {
  about,
  caseOf,
  describe,
  faultIn,
  randomWork,
  type Absence,
  type ClientCase,
  type ClientContest,
} from '../contest.ts';
import { inParts, startCrew, type Crew } from '../crew.ts';
import { AUTO, casesOf, fieldOf } from '../field.ts';
import { THOROUGH } from '../kinds.ts';
import type { Place, Surroundings } from '../messages.ts';
import type { Operation, Work } from '../operation.ts';
import type { Part, Sharing } from '../room.ts';
import { entries } from '../rooms.ts';

const PLACES: readonly Place[] = ['page', 'node', 'bun', 'deno'];

/** Adds the cases of other workers to those of the main thread; where there are no workers, the reason. */
async function withCrew(
  { cases, absent }: { readonly cases: readonly ClientCase[]; readonly absent: readonly Absence[] },
  names: readonly string[],
  size: number,
  surroundings: Surroundings,
  add: (crew: Crew) => Promise<readonly ClientCase[]>,
) {
  try {
    const crew = await startCrew(size, surroundings);
    return { cases: [...cases, ...(await add(crew))], absent, end: () => crew.end() };
  } catch (error) {
    const reason = messageOf(error);
    return { cases, absent: [...absent, ...names.map((name) => ({ case: name, contestant: 'lanewise', reason }))] };
  }
}

/** A copy of a part of the data. */
const partOf = ({ key, nonce, data }: Work, first: number, length: number): Part => ({
  data: Uint8Array.from(data.subarray(first, first + length)).buffer,
  out: new ArrayBuffer(0),
  key,
  nonce,
  first,
  whole: length === data.length,
});

const LONG = 65536;
const inWorker = (operation: Operation): ClientContest =>
  about('boundary/worker', operation, LONG, {
    title: `${operation.primitive}, ${LONG / 1024} KiB: the main thread and a worker, each by its own clock`,
    kinds: THOROUGH,
    places: PLACES,
    // Workers come after all contests of kernels.
    rank: 2,
    async prepare({ random, surroundings }) {
      const work = await randomWork(operation, LONG, random);
      const { performers, absent } = await fieldOf(operation, AUTO, LONG);
      const cases = await Promise.all(
        performers.map((performer) => caseOf(operation, performer, work, { id: 'main thread' })),
      );
      return withCrew({ cases, absent }, ['worker'], 1, surroundings, (crew) =>
        Promise.resolve(
          cases.map((single) => ({
            ...single,
            id: 'worker',
            description: { ...single.description, id: 'worker', parameters: { worker: true } },
            async time(count) {
              const part = { ...partOf(work, 0, work.data.length), out: new ArrayBuffer(work.data.length) };
              return (await crew.work(operation.id, [part], count))[0].milliseconds;
            },
          })),
        ),
      );
    },
  });

export const inWorkers: readonly ClientContest[] = entries(({ sharing }) =>
  sharing?.timed === true ? sharing : [],
).map(({ operation }) => inWorker(operation));

const SHARED = 2 ** 22;
const CREWS = [1, 2, 4];
const PLAN = { rounds: [5, 7], budgetMilliseconds: 100, warmUpMilliseconds: 20 } as const;
const nameOf = (size: number): string => `${size} ${size === 1 ? 'worker' : 'workers'}`;

/** Splits one message among the workers; the time is from the first message to the last answer. */
async function shared({ operation, result }: Sharing, work: Work, size: number, crew: Crew): Promise<ClientCase> {
  const { auto } = await import('../contestants/lanewise.ts');
  const bytes = work.data.length / size;
  const { fresh, run } = inParts(crew, operation.id, () =>
    Array.from({ length: size }, (_, i) => partOf(work, i * bytes, bytes)),
  );
  const output = async () => result(await run());
  const id = nameOf(size);
  return {
    id,
    description: { ...describe(auto, operation, id, work.data.length, { workers: size }), asynchronous: true },
    asynchronous: true,
    run: output,
    fault() {
      fresh();
      return faultIn(async () => joined(await output()), work.expected);
    },
  };
}

export const sharedMessages: readonly ClientContest[] = entries(({ sharing }) => sharing).map((sharing) => {
  const { operation } = sharing;
  return about('parallel/workers', operation, SHARED, {
    title: `${operation.primitive}, 4 MiB: workers that each take a part of the message`,
    kinds: THOROUGH,
    places: PLACES,
    rank: 1,
    plan: PLAN,
    async prepare({ random, surroundings }) {
      const work = await randomWork(operation, SHARED, random);
      const alone = await casesOf(operation, AUTO, work, SHARED, {
        name: () => 'main thread',
        parameters: { workers: 0 },
      });
      // Fewer workers are the first of these.
      return withCrew(alone, CREWS.map(nameOf), Math.max(...CREWS), surroundings, (crew) =>
        Promise.all(CREWS.map((size) => shared(sharing, work, size, crew))),
      );
    },
  });
});
