/** Makes a call whose arguments lie in watched memory, and finds the bytes that it wrote there. */
import { inTheMidst, type Form, type Lent } from './memories.ts';
import { isError, NEVER, outcomeOf } from './outcome.ts';
import { plain, type Given, type Row } from './row.ts';

interface Watched extends Lent {
  readonly place: number;
  readonly isOutput: boolean;
  readonly before: Uint8Array;
}

/** The buffer of a lent argument: nothing if it was detached. */
const contentOf = ({ view }: Lent): Uint8Array => new Uint8Array(view.buffer).slice();

export interface Call {
  readonly outcome: string;
  /** How many arguments are bytes. */
  readonly count: number;
  /** The bytes that should not have been written. */
  readonly written: readonly string[];
}

/** @param place - The argument that is lent in `form`; the others lie in the midst of others. */
export async function watching(row: Row, form: Form, place: number): Promise<Call> {
  const lent: Watched[] = [];
  const lend = (value: Uint8Array, isOutput: boolean): Uint8Array => {
    const its = (lent.length === place ? form : inTheMidst).lend(value);
    lent.push({ ...its, place: lent.length, isOutput, before: contentOf(its) });
    return its.view;
  };
  const given: Given = {
    ...plain,
    bytes: (value) => lend(value, false) as typeof value,
    out: (value) => lend(value, true) as typeof value,
  };
  const outcome = await outcomeOf(() => row.run(given));
  const written: string[] = outcome === NEVER ? [NEVER] : [];
  for (const { place: at, isOutput, before, at: from, length, view } of lent) {
    const after = new Uint8Array(view.buffer);
    // Transferred bytes are gone.
    if (after.length !== before.length) written.push(`argument ${at} has ${after.length} bytes, had ${before.length}`);
    else
      for (let i = 0; i < after.length; i++) {
        const allowed = isOutput && !isError(outcome) && i >= from && i < from + length;
        if (after[i] !== before[i] && !allowed) {
          written.push(
            `byte ${i - from} of argument ${at}${isOutput ? ', the output,' : ''} is ${after[i]}, was ${before[i]}`,
          );
          break;
        }
      }
  }
  return { outcome, count: lent.length, written };
}
