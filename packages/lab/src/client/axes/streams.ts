/**
 * Streams: files and bodies that are encrypted and decrypted piece by piece, by machines and through streams of the
 * platform, and short reads anywhere in them.
 */
import { messageOf } from '../checks.ts';
import { describe, faultIn, NODE_LIKE, type Absence, type ClientCase, type ClientContest } from '../contest.ts';
import type { Kind } from '../messages.ts';
import { place } from '../place.ts';
import type { Attempt, StreamsEntry } from '../room.ts';
import { entries } from '../rooms.ts';

/** The streams of an engine are code in JavaScript, which takes longer to be compiled than a kernel. */
const PLAN = { rounds: [8, 12], budgetMilliseconds: 60, warmUpMilliseconds: 20 } as const;

const MIB = 2 ** 20;
const sizeText = (bytes: number): string => (bytes < 1024 * MIB ? `${bytes / MIB} MiB` : `${bytes / 1024 / MIB} GiB`);

async function caseOf({ operation }: StreamsEntry, { id, begin }: Attempt): Promise<ClientCase> {
  const { contestant, bytes, parameters = {}, asynchronous, run, check, expected, end } = await begin();
  // A rival that cannot do it here has not given a wrong answer.
  if (contestant.standing !== 'ours') await run();
  const description = describe(contestant, operation, id, bytes, parameters);
  return {
    id,
    description: asynchronous === true ? { ...description, asynchronous } : description,
    before: contestant.prepare,
    run,
    asynchronous,
    ...(end && { end }),
    fault() {
      contestant.prepare?.();
      return faultIn(check, expected);
    },
  };
}

const contest = (entry: StreamsEntry, bytes: number, kinds: readonly Kind[]): ClientContest => ({
  id: `streams/${entry.id}/${bytes}`,
  axis: 'streams',
  form: 'rounds',
  ...entry.operation,
  title: entry.title(sizeText(bytes)),
  parameters: { length: bytes },
  kinds,
  plan: PLAN,
  async prepare({ random }) {
    const cases: ClientCase[] = [];
    const absent: Absence[] = [];
    for (const attempt of await entry.attempts(bytes, random)) {
      const { id, library, nodeOnly } = attempt;
      if (nodeOnly === true && !NODE_LIKE.includes(place())) continue;
      try {
        cases.push(await caseOf(entry, attempt));
      } catch (error) {
        absent.push({ case: id, contestant: library, reason: messageOf(error) });
      }
    }
    return { cases, absent };
  },
});

export const streams: readonly ClientContest[] = entries(({ streams: all }) => all).flatMap((entry) =>
  entry.sizes.map(({ bytes, kinds }) => contest(entry, bytes, kinds)),
);
