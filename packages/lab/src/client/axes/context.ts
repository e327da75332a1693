/**
 * Isolation and context: one call with its code and data in the caches, without them, and after other code has run.
 * Only the call itself is timed, so the clock has to be fine.
 */
import { caseOf, randomWork, type ClientCase, type ClientContest } from '../contest.ts';
import { AUTO, fieldOf } from '../field.ts';
import { THOROUGH } from '../kinds.ts';
import type { Operation } from '../operation.ts';
import { entries } from '../rooms.ts';
import { results } from '../sampler.ts';

const LENGTH = 4096;
/** More bytes than the caches of a core hold. */
const EVICTED_BYTES = 2 ** 24;
const CACHE_LINE = 64;
const PLAN = { rounds: [20, 20], budgetMilliseconds: 0 } as const;

/** Reads and writes one byte of each cache line. */
function evict(memory: Uint8Array): void {
  for (let at = 0; at < memory.length; at += CACHE_LINE) memory[at]++;
}

type Surrounded = 'warm' | 'after other code' | 'caches evicted';

async function casesOf(operation: Operation, random: () => number, now: () => number) {
  const work = await randomWork(operation, LENGTH, random);
  const { performers, absent } = await fieldOf(operation, AUTO, LENGTH);
  const memory = new Uint8Array(EVICTED_BYTES);
  // A different primitive, so that its code and its tables displace ours.
  const { nobleSha256 } = await import('../contestants/noble.ts');
  const other = () => (results.last = nobleSha256.hash(work.data));
  const between: Readonly<Record<Surrounded, () => void>> = {
    warm: () => undefined,
    'after other code': other,
    'caches evicted': () => evict(memory),
  };
  const cases = await Promise.all(
    performers.flatMap((performer) =>
      (Object.keys(between) as Surrounded[]).map(async (context): Promise<ClientCase> => {
        const id = `${performer.contestant.name}, ${context}`;
        const single = await caseOf(operation, performer, work, { id, parameters: { context } });
        const prepare = between[context];
        return {
          ...single,
          // Each call is timed on its own; the cost of reading the clock is in all cases alike.
          time(count) {
            let milliseconds = 0;
            for (let i = 0; i < count; i++) {
              prepare();
              const start = now();
              results.last = single.run();
              milliseconds += now() - start;
            }
            return milliseconds;
          },
          count: context === 'caches evicted' ? 1 : 8,
        };
      }),
    ),
  );
  return { cases, absent };
}

export const context: readonly ClientContest[] = entries(({ principal }) => principal).map(({ operation }) => ({
  id: `context/${operation.id}/${LENGTH}`,
  axis: 'context',
  form: 'rounds',
  primitive: operation.primitive,
  operation: operation.operation,
  title: `${operation.primitive}, ${operation.operation}, ${LENGTH} bytes: one call in different company`,
  parameters: { length: LENGTH },
  kinds: THOROUGH,
  plan: PLAN,
  prepare: ({ random, hooks }) => casesOf(operation, random, hooks.now ?? (() => performance.now())),
}));
