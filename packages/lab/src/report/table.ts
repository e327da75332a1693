/** A table as data. */
import { processorName } from '../results/processor.ts';
import type { View } from '../results/view.ts';

export interface Table {
  readonly title: string;
  /** The unit of the cells. */
  readonly note: string;
  /** The processor, in tables of measurements. */
  readonly machine?: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** This many columns on the left are names; the others are numbers. */
  readonly names: number;
}

export const NOTHING = '–';

export const machineOf = ({ result }: View): string => processorName(result.host);
