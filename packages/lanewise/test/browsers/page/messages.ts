/** Messages between a run and its host. */

/** The surroundings of a realm that runs one file. */
export interface Surroundings {
  /** The engines that must work there. */
  readonly engines: readonly string[];
  readonly isolated: boolean;
  /** Whether the processor is emulated. */
  readonly emulated?: boolean;
}

/** The plan of a page. */
export interface Plan extends Surroundings {
  readonly files: readonly string[];
  /** Each file in a frame, or in a worker. */
  readonly place: 'page' | 'worker';
}

/** The result of one test file. */
export interface Result {
  readonly file: string;
  readonly passed: number;
  readonly failed: readonly { readonly test: string; readonly error: string }[];
  readonly skipped: readonly { readonly test: string; readonly reason: string }[];
  /** A remark of a test for the report. */
  readonly note?: string | undefined;
  readonly milliseconds: number;
}

/** The findings of page/provided.ts. */
export interface Provided {
  /** The results of `describe` without modules, and with them. */
  readonly before: Told;
  readonly after: Told;
  /** The errors of `provide` for values that it refuses. */
  readonly refused: { readonly bytes: string; readonly foreign: string };
  /** Whether the answers stayed the same. */
  readonly same: boolean;
}
interface Told {
  readonly engine: string;
  readonly reason: string | undefined;
}

/** When the file itself could not be run. */
export const broken = (file: string, error: string): Result => ({
  file,
  passed: 0,
  failed: [{ test: '(the file)', error }],
  skipped: [],
  milliseconds: 0,
});

/** A file and its surroundings in the query of an address, and out of it again. */
export const queryOf = (file: string, { engines, isolated }: Surroundings): string =>
  new URLSearchParams({ file, surroundings: JSON.stringify({ engines, isolated }) }).toString();

export function askedFor(url: string): { readonly file: string; readonly surroundings: Surroundings } {
  const { searchParams } = new URL(url);
  return {
    file: searchParams.get('file')!,
    surroundings: JSON.parse(searchParams.get('surroundings')!) as Surroundings,
  };
}
