/**
 * Mutants that mean the same as their originals by a reason that no rule finds and that a person has read in the code. They are told by
 * the module's digest and the place, so none outlives its bytes (`mutations-read.test.ts`).
 */
export interface Reading {
  readonly kernel: string;
  /** The first digits of the SHA-256 of the module. */
  readonly module: string;
  /** As `describeChange` has it. */
  readonly change: string;
  readonly why: string;
}

const reading = (kernel: string, module: string, change: string, why: string): Reading => ({
  kernel,
  module,
  change,
  why,
});

export const READINGS: readonly Reading[] = [
];

export const readingOf = (module: string, change: string): Reading | undefined =>
  READINGS.find((one) => one.module === module && one.change === change);
