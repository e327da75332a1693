/** Ends a run where its iteration ends: nothing is claimed then of the code after the loop. */
export class Ended extends Error {}

/** Whether a run ended so. */
export function ends(call: () => void): boolean {
  try {
    call();
    return false;
  } catch (error) {
    if (error instanceof Ended) return true;
    throw error;
  }
}
