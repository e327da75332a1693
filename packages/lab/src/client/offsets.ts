/** Cases whose input starts at each offset from 0 to 15 bytes after a boundary of 16. */
import { caseOf, type Cases } from './contest.ts';
import { fieldOf, type Who } from './field.ts';
import type { Operation, Work } from './operation.ts';

export const OFFSETS: readonly number[] = Array.from({ length: 16 }, (_, offset) => offset);

/** A copy of the data that starts `offset` bytes after a 16-byte boundary. */
function shifted(work: Work, offset: number): Work {
  const data = new Uint8Array(work.data.length + 16).subarray(offset, offset + work.data.length);
  data.set(work.data);
  return { ...work, data };
}

/** Every performer at every offset of the caller's view. */
export async function casesAtOffsets(
  operation: Operation,
  who: Who,
  work: Work,
  name: (contestant: string) => string = (contestant) => contestant,
): Promise<Cases> {
  const { performers, absent } = await fieldOf(operation, who, work.data.length);
  const cases = await Promise.all(
    performers.flatMap((performer) =>
      OFFSETS.map((offset) =>
        caseOf(operation, performer, shifted(work, offset), {
          id: `${name(performer.contestant.name)}, offset ${offset}`,
          parameters: { offset },
        }),
      ),
    ),
  );
  return { cases, absent };
}
