/**
 * Cases of each performer in several variants of one call: with its code and data in the caches, without them, and after other code has
 * run; with its input at each offset; under each of many keys in turns.
 */
import { caseOf, type Cases, type ClientCase } from './contest.ts';
import { fieldOf, type Who } from './field.ts';
import type { Parameters } from './messages.ts';
import { outFor, type Operation, type Performer, type Work } from './operation.ts';
import { randomBytes, type Random } from './random.ts';
import { results } from './sampler.ts';

interface Variant {
  /** Said after the name of the contestant. */
  readonly name: string;
  readonly parameters: Parameters;
  /** Its input, where that differs. */
  readonly work?: Work;
  /** The difference in its case; undefined if the performer has no such case. */
  readonly differs?: (single: ClientCase, performer: Performer) => Partial<ClientCase> | undefined;
}
/** How a contestant is named in the id of a case. */
type Name = (contestant: string) => string;
const itself: Name = (contestant) => contestant;

async function casesOfVariants(
  operation: Operation,
  who: Who,
  work: Work,
  name: Name,
  variants: readonly Variant[],
): Promise<Cases> {
  const { performers, absent } = await fieldOf(operation, who, work.data.length);
  const cases = await Promise.all(
    performers.flatMap((performer) =>
      variants.map(async ({ name: variant, parameters, work: its = work, differs }) => {
        const id = `${name(performer.contestant.name)}, ${variant}`;
        const single = await caseOf(operation, performer, its, { id, parameters });
        const difference = differs ? differs(single, performer) : {};
        return difference && { ...single, ...difference };
      }),
    ),
  );
  return { cases: cases.filter((each) => each !== undefined), absent };
}

/** More bytes than the caches of a core hold. */
const EVICTED_BYTES = 2 ** 24;
const CACHE_LINE = 64;

/** Only the call itself is timed, so the clock has to be fine. */
export async function casesInCompany(
  operation: Operation,
  who: Who,
  work: Work,
  now: () => number = () => performance.now(),
  name = itself,
): Promise<Cases> {
  const memory = new Uint8Array(EVICTED_BYTES);
  // A different primitive, so that its code and its tables displace ours.
  const { nobleSha256 } = await import('./contestants/noble.ts');
  const before: Readonly<Record<string, () => void>> = {
    warm: () => undefined,
    'after other code': () => (results.last = nobleSha256.hash(work.data)),
    // Reads and writes one byte of each cache line.
    'caches evicted'() {
      for (let at = 0; at < memory.length; at += CACHE_LINE) memory[at]++;
    },
  };
  const variants = Object.entries(before).map(([context, prepare]): Variant => ({
    name: context,
    parameters: { context },
    differs: ({ run }) => ({
      // Each call is timed on its own; the cost of reading the clock is in all cases alike.
      time(count) {
        let milliseconds = 0;
        for (let i = 0; i < count; i++) {
          prepare();
          const start = now();
          results.last = run();
          milliseconds += now() - start;
        }
        return milliseconds;
      },
      count: context === 'caches evicted' ? 1 : 8,
    }),
  }));
  return casesOfVariants(operation, who, work, name, variants);
}

export const OFFSETS: readonly number[] = Array.from({ length: 16 }, (_, offset) => offset);

/** A copy of the data that starts `offset` bytes after a 16-byte boundary. */
function shifted(work: Work, offset: number): Work {
  const data = new Uint8Array(work.data.length + 16).subarray(offset, offset + work.data.length);
  data.set(work.data);
  return { ...work, data };
}

/** Every performer at every offset of the caller's view, from 0 to 15 bytes after a boundary of 16. */
export const casesAtOffsets = (operation: Operation, who: Who, work: Work, name = itself): Promise<Cases> =>
  casesOfVariants(
    operation,
    who,
    work,
    name,
    OFFSETS.map((offset) => ({ name: `offset ${offset}`, parameters: { offset }, work: shifted(work, offset) })),
  );

/** Views of the callers' keys, each a separate object, in one allocation. */
export const keysOf = (count: number, bytes: number, random: Random): readonly Uint8Array[] => {
  const all = randomBytes(count * bytes, random);
  return Array.from({ length: count }, (_, i) => all.subarray(i * bytes, (i + 1) * bytes));
};

/** A short message under each of some numbers of keys in turns. Key setup is part of every operation. */
export const casesInTurns = (
  operation: Operation,
  who: Who,
  work: Work,
  keys: readonly Uint8Array[],
  counts: readonly number[],
  name = itself,
): Promise<Cases> =>
  casesOfVariants(
    operation,
    who,
    work,
    name,
    counts.map((count) => ({
      name: `${count} keys`,
      parameters: { keys: count },
      differs(_, performer) {
        if (performer.kind !== 'synchronous') return undefined;
        const { nonce, data } = work;
        const out = outFor(operation, work);
        let next = 0;
        return {
          run() {
            const output = performer.start(keys[next], nonce)(data, out);
            next = next + 1 === count ? 0 : next + 1;
            return output;
          },
        };
      },
    })),
  );
