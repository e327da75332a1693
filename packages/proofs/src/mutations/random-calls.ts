/** Random calls of a kernel's functions, as a room describes them. */
import { range as at } from '../claims/compare.ts';
import type { Range } from '../execute/machine.ts';
import type { Form, Kernel } from '../kernels.ts';
import type { Random } from './random.ts';

/** Prepares memory that is filled with random bytes, and returns the parameters of a call. */
export type CallOf = (random: Random, memory: DataView, most: number) => readonly number[];

/** The scratch memory of a call, by its parameters. */
export type ScratchOf = (...parameters: number[]) => readonly Range[];

/** Random calls of a module's functions, as the library may make them. */
export interface RandomCalls {
  /** The random calls of each exported function that the library calls. */
  readonly calls: Readonly<Record<string, CallOf>>;
  /** The functions of the kernel for short messages, if the library calls fewer of them. */
  readonly ofShort?: readonly string[];
  /** The memory whose content after a call nobody reads: none unless given. */
  readonly scratch: Readonly<Record<string, ScratchOf>>;
  /** The memory that a call wipes, with any bytes: none unless given. */
  readonly wiped?: Readonly<Record<string, ScratchOf>>;
  /** The largest length of a message in bytes; filling half of a larger stage is not worth the time. */
  readonly most: (kernel: Kernel) => number;
  /** Writes the parts of memory that cannot be random. */
  readonly state?: (random: Random, memory: DataView) => void;
  /**
   * The end of the constants that the module of a form with vectors puts into memory; unless given, that of the masks
   * of relaxed forms.
   */
  readonly constantsTo?: (form: Form) => number;
}

/** A random length: mostly short, often next to a boundary. */
export function length(random: Random, most: number): number {
  const near = random.of([16, 64, 128, 256, 512, 1024]);
  const n = random.of([
    () => random.below(most + 1),
    () => random.below(Math.min(most, 300) + 1),
    () => near * random.below(Math.floor(most / near) + 1) + random.between(-1, 1),
  ])();
  return Math.max(0, Math.min(most, n));
}

/** The padding after `length` bytes: that of the last block of the MAC or of BLAKE3. */
export const padding = (from: number, length: number, block: number): Range => at(from + length, -length & (block - 1));
