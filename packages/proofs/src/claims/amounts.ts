// How much a claim looked at: bytes that were compared with a specification, calls that were followed, instructions that
// were read. A claim that looks at less than before is no longer the same claim.

/** By unit, for example `{ bytes: 640 }`. */
export type Amounts = Readonly<Record<string, number>>;

let amounts: Record<string, number> = {};

/** Called wherever a claim looks at something; one claim runs at a time in a thread. */
export function counted(unit: string, count: number): void {
  amounts[unit] = (amounts[unit] ?? 0) + count;
}

/** The counts since the last call of this function. */
export function takeAmounts(): Amounts {
  const taken = amounts;
  amounts = {};
  return taken;
}
