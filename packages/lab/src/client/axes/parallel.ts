/**
 * Sequential and parallel: the time to the first byte at any position, and the speed-up by workers that each handle a
 * part of one message, addressed by the number of its first block or chunk.
 */
import { joined } from '../bytes.ts';
import { messageOf } from '../checks.ts';
import { describe, faultIn, randomWork, type Absence, type ClientCase, type ClientContest } from '../contest.ts';
import { startCrew, type Crew } from '../crew.ts';
import { AUTO, casesOf } from '../field.ts';
import { THOROUGH } from '../kinds.ts';
import type { Work } from '../operation.ts';
import type { Seek, SeekEntry, Sharing } from '../room.ts';
import { entries } from '../rooms.ts';
import { threads } from './threads.ts';

const LONG = 2 ** 22;
const CREWS = [1, 2, 4];
const PLAN = { rounds: [5, 7], budgetMilliseconds: 100, warmUpMilliseconds: 20 } as const;

async function positionCase({ operation, length }: SeekEntry, { position, run, expected }: Seek): Promise<ClientCase> {
  const { auto } = await import('../contestants/lanewise.ts');
  const id = `position ${position}`;
  return {
    id,
    description: describe(auto, { ...operation, operation: 'seek' }, id, length, { position }),
    before: auto.prepare,
    run,
    fault: () => faultIn(run, expected),
  };
}

const seeking = (entry: SeekEntry): ClientContest => ({
  id: `parallel/first-byte/${entry.operation.id}`,
  axis: 'parallel',
  form: 'rounds',
  primitive: entry.operation.primitive,
  operation: 'seek',
  title: entry.title,
  parameters: { length: entry.length },
  kinds: THOROUGH,
  async prepare({ random }) {
    const seeks = await entry.seeks(random);
    return { cases: await Promise.all(seeks.map((seek) => positionCase(entry, seek))), absent: [] };
  },
});

const nameOf = (size: number): string => `${size} ${size === 1 ? 'worker' : 'workers'}`;

/** Splits one message among the workers; the time is from the first message to the last answer. */
async function shared({ operation, result }: Sharing, work: Work, size: number, crew: Crew): Promise<ClientCase> {
  const { auto } = await import('../contestants/lanewise.ts');
  const { key, nonce, data, expected } = work;
  const partBytes = data.length / size;
  const offsets = Array.from({ length: size }, (_, i) => i * partBytes);
  const fresh = (): ArrayBuffer[] =>
    offsets.map((offset) => Uint8Array.from(data.subarray(offset, offset + partBytes)).buffer);
  let parts = fresh();
  const run = async (): Promise<readonly Uint8Array[]> => {
    const jobs = parts.map((part, i) => ({ data: part, key, nonce, offset: offsets[i], whole: size === 1 }));
    const answers = await crew.share(operation, jobs);
    parts = answers.map((answer) => answer.data);
    return result(answers);
  };
  const id = nameOf(size);
  return {
    id,
    description: { ...describe(auto, operation, id, data.length, { workers: size }), asynchronous: true },
    asynchronous: true,
    run,
    fault() {
      parts = fresh();
      return faultIn(async () => joined(await run()), expected);
    },
  };
}

const workers = (sharing: Sharing, { primitive, operation, id } = sharing.operation): ClientContest => ({
  id: `parallel/workers/${id}/${LONG}`,
  axis: 'parallel',
  form: 'rounds',
  primitive,
  operation,
  title: `${primitive}, 4 MiB: workers that each take a part of the message`,
  parameters: { length: LONG },
  kinds: THOROUGH,
  places: ['page', 'node', 'bun', 'deno'],
  rank: 1,
  plan: PLAN,
  async prepare({ random, surroundings }) {
    const work = await randomWork(sharing.operation, LONG, random);
    const { cases, absent } = await casesOf(sharing.operation, AUTO, work, LONG, {
      name: () => 'main thread',
      parameters: { workers: 0 },
    });
    let crew: Crew;
    try {
      // Smaller crews are the first members of this one.
      crew = await startCrew(Math.max(...CREWS), surroundings);
    } catch (error) {
      const reason = messageOf(error);
      const missing = CREWS.map((size): Absence => ({ case: nameOf(size), contestant: 'lanewise', reason }));
      return { cases, absent: [...absent, ...missing] };
    }
    const added = await Promise.all(CREWS.map((size) => shared(sharing, work, size, crew)));
    return { cases: [...cases, ...added], absent, end: () => crew.end() };
  },
});

export const parallel: readonly ClientContest[] = [
  ...entries(({ seeks }) => seeks).map(seeking),
  ...entries(({ sharing }) => sharing).map((sharing) => workers(sharing)),
  ...threads,
];
