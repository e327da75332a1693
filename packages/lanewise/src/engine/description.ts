/**
 * How a room introduces itself to the tools that build, check, prove and measure: its `room.ts` exports a {@link Room}. No
 * module of the library imports a `room.ts`, so descriptions cost no byte in a bundle.
 */
import type { Module } from '../wasm/module.ts';

/** The instructions of a module: vectors with the relaxed ones, vectors without, or none. */
export type Form = 'relaxed' | 'swizzle' | 'scalar';

/** The forms of a module whose vectors use relaxed instructions where there are any. */
export const EVERY_FORM: readonly Form[] = ['relaxed', 'swizzle', 'scalar'];
/** The forms of a module whose vectors have no use for relaxed instructions. */
export const PLAIN_FORMS: readonly Form[] = ['swizzle', 'scalar'];

/** The parameter of a kernel that chooses between these forms. */
export type Lanes = { readonly relaxed: boolean } | undefined;

/** An area of linear memory: its name in the memory map, its address, and its size, which is Infinity up to the end. */
export type Area = readonly [name: string, address: number, bytes: number];

/** The text of the `js` engine that stands for a module. */
export interface Text {
  /** The file in `js/generated/`. */
  readonly file: string;
  /** The function that it exports. */
  readonly name: string;
  /** The file in `src/` that exports `Functions`, the type of the functions of the module. */
  readonly source: string;
  /** The scalar module with arithmetic that is quick in JavaScript; the text is made of it. */
  readonly module: () => Module;
}

/** A module that engines instantiate. */
export interface KernelModule {
  /** For example `chacha short`; with its form it names one sequence of bytes. */
  readonly name: string;
  readonly forms: readonly Form[];
  readonly make: (lanes: Lanes) => Module;
  /** Whether its bytes are published in hexadecimal: a small module costs less without the one that unpacks the others. */
  readonly hexadecimal?: boolean;
  /** The size of its memory in pages of 64 KiB. */
  readonly pages: number;
  /** The pages to which the host may let it grow before it is used; left out if it cannot grow. */
  readonly mostPages?: number;
  /** The memory map, in rising order and without overlaps. */
  readonly map: readonly Area[];
  /** The exported functions, in alphabetical order. */
  readonly functions: readonly string[];
  /** Left out where the text of a larger module serves this one too. */
  readonly text?: Text;
  /** More instructions than a call of the proofs takes, so that a damaged module that runs longer can be stopped. */
  readonly mostSteps: number;
}

/** "expa", the first word of a state of ChaCha or Salsa20, as the number or as the text. */
export const SIGMA_MARK = /0x61707865|\b1634760805\b|expa/;

/** The size of a program that imports one thing, minified and gzipped. */
export interface Budget {
  readonly name: string;
  /** The program. */
  readonly code: string;
  /** In bytes; a larger bundle fails the check of the package. */
  readonly limit: number;
  /** The size to strive for, where it is not yet reached. */
  readonly target?: number;
  /** The texts that the bundle must contain, and those that tree shaking must have removed. */
  readonly has?: readonly RegExp[];
  readonly hasNot?: readonly RegExp[];
}

export interface Room {
  /** The most lines of code that the folder may have: `npm run check:lines`. */
  readonly lines: number;
  readonly modules: readonly KernelModule[];
  readonly budgets: readonly Budget[];
}

/** The parameter of a kernel in a form. */
export const lanesOf = (form: Form): Lanes => (form === 'scalar' ? undefined : { relaxed: form === 'relaxed' });
