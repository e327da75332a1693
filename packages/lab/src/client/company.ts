/** Cases of one call with its code and data in the caches, without them, and after other code has run. */
import { caseOf, type ClientCase, type Cases } from './contest.ts';
import { fieldOf, type Who } from './field.ts';
import type { Operation, Work } from './operation.ts';
import { results } from './sampler.ts';

/** More bytes than the caches of a core hold. */
const EVICTED_BYTES = 2 ** 24;
const CACHE_LINE = 64;

/** Reads and writes one byte of each cache line. */
function evict(memory: Uint8Array): void {
  for (let at = 0; at < memory.length; at += CACHE_LINE) memory[at]++;
}

type Surrounded = 'warm' | 'after other code' | 'caches evicted';

/** Only the call itself is timed, so the clock has to be fine. */
export async function casesInCompany(
  operation: Operation,
  who: Who,
  work: Work,
  now: () => number,
  name: (contestant: string) => string = (contestant) => contestant,
): Promise<Cases> {
  const { performers, absent } = await fieldOf(operation, who, work.data.length);
  const memory = new Uint8Array(EVICTED_BYTES);
  // A different primitive, so that its code and its tables displace ours.
  const { nobleSha256 } = await import('./contestants/noble.ts');
  const other = () => (results.last = nobleSha256.hash(work.data));
  const between: Readonly<Record<Surrounded, () => void>> = {
    warm: () => undefined,
    'after other code': other,
    'caches evicted': () => evict(memory),
  };
  const cases = await Promise.all(
    performers.flatMap((performer) =>
      (Object.keys(between) as Surrounded[]).map(async (context): Promise<ClientCase> => {
        const id = `${name(performer.contestant.name)}, ${context}`;
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
