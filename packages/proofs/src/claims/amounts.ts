// The amount that a claim examined: bytes compared with a specification, calls followed, instructions read. A claim
// that examines less than before is no longer the same claim.

/** Amounts by unit, for example `{ bytes: 640 }`. */
export type Amounts = Readonly<Record<string, number>>;

let amounts: Record<string, number> = {};

/** Adds to an amount of the current claim; one claim runs at a time in a thread. */
export function counted(unit: string, count: number): void {
  amounts[unit] = (amounts[unit] ?? 0) + count;
}

/** The counts since the last call of this function. */
export function takeAmounts(): Amounts {
  const taken = amounts;
  amounts = {};
  return taken;
}
