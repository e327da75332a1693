/**
 * The functions of the disk kernels that compute streams and hashes: ChaCha's blocks, the subkeys of pages, Poly1305. None is
 * exported. Claims about them are in function-claims.ts and every-length.ts; where pages are assembled, names stand for their results.
 */
import * as layout from '../../../../lanewise/src/disk/map.ts';
import { require } from '../../claims/claim.ts';
import type { Instead, Runnable } from '../../claims/runnable.ts';
import type { Base } from '../../execute/bases.ts';
import { Machine, type Ranges } from '../../execute/machine.ts';
import { parse } from '../../javascript/parse.ts';
import { JavaScriptMachine } from '../../javascript/runner.ts';
import type { KernelText } from '../../javascript/texts.ts';
import type { Kernel } from '../../kernels.ts';
import { PolynomialDoubles } from '../../polynomials/doubles.ts';
import { IntegerDomain, type Integer } from '../../polynomials/integers.ts';
import type { Ring } from '../../polynomials/ring.ts';
import { numberOf, type Term } from '../../terms/term.ts';
import { decode } from '../../wasm/decode.ts';
import { exported, type DecodedModule } from '../../wasm/types.ts';
import { blocksOf, calleesOf, type Leaves } from '../keystream/every-length.ts';

/** Their parameters. */
export interface Computing {
  /** XORs any number of blocks but none: (doubleRounds, address, blocks). */
  readonly xor: number | string;
  /** HChaCha of the blocks at MIDDLE: (doubleRounds, pages). */
  readonly subkeys: number | string;
  /** Poly1305 of blocks, possibly none, with bit 128 or without: (address, count, top). */
  readonly absorb: number | string;
  /** The accumulator modulo 2^130 - 5, plus s: (to). */
  readonly finish: number | string;
}
export type Name = keyof Computing;

/** Their names in the text. */
const IN_TEXT: Computing = { xor: 'inner0', subkeys: 'inner11', absorb: 'inner12', finish: 'inner13' };

/** Their indexes in a module. */
export function computingIn(module: DecodedModule) {
  const of = (name: string): number[] => calleesOf(exported(module, name));
  const inside = (index: number): number[] => calleesOf(module.functions[index]);
  const [xor, hash] = of('stream');
  const [, absorb, ...again] = inside(hash);
  require(again.length > 0 && again.every((index) => index === absorb), () =>
    'a message is hashed by several functions');
  const [finish] = inside(of('end')[0]);
  const subkeys = of('turn')[2];
  return { xor, subkeys, absorb, finish } as const satisfies Computing;
}

/** The indexes of the functions of the hash, which call these: see hash-kernel.ts of the library. */
export function hashingIn(module: DecodedModule) {
  const of = (name: string): number[] => calleesOf(exported(module, name));
  const [tweak, begin] = of('begin');
  return { tweak, begin, absorb: of('absorb')[0], finish: of('end')[0] } as const;
}

/** The functions by which a module XORs blocks. */
export const leavesOf = (module: DecodedModule): Leaves['blocks'] => blocksOf(module, computingIn(module).xor);

export interface Started {
  readonly run: Runnable;
  readonly ring: Ring;
  readonly call: (name: Name, ...parameters: readonly (number | Term)[]) => void;
}

/** A stand-in for one of the functions: it gets known parameters. */
export type StandIn = (run: Runnable, ...parameters: number[]) => void;
export interface StandIns {
  /** `count` is the number of blocks of a function for exactly so many. */
  readonly xor: (run: Runnable, parameters: readonly number[], how: Leaves['blocks'][number]) => void;
  readonly subkeys: StandIn;
  readonly absorb: StandIn;
  readonly finish: StandIn;
}

/** A kernel whose functions a claim can call, or replace. */
export interface DiskKernel {
  readonly name: string;
  /** How many blocks AES takes at once. */
  readonly aesBlocks: number;
  readonly isText: boolean;
  /** A run in which these functions are called; numbers are polynomials, or words. */
  start(numbers: 'polynomials' | 'words', ranges: Ranges, bases?: readonly Base[]): Started;
  /** A run of the exported functions, with other functions in the place of these and of exported ones. */
  startWith(ranges: Ranges, instead: Instead, standIns: StandIns): Runnable;
}

/** Parameters as numbers. */
const known = (parameters: readonly unknown[]): number[] =>
  parameters.map((term) => {
    const number = numberOf(term as Term);
    require(number !== undefined, () => 'a call with a parameter that is not known');
    return number | 0;
  });

export function diskModuleOf(kernel: Kernel): DiskKernel {
  const { name, bytes, mostSteps, coverage, form } = kernel;
  // Once, and when first needed: bytes that cannot be decoded are a claim's failure, not that of making it.
  let decoded: DecodedModule | undefined;
  const moduleOf = (): DecodedModule => (decoded ??= decode(bytes));
  return {
    name,
    aesBlocks: form === 'scalar' ? 2 : layout.MOST_PAGES,
    isText: false,
    start(numbers, ranges, bases = []) {
      const module = moduleOf();
      const integers64 = new IntegerDomain();
      const options = { ranges, bases, mostSteps, coverage };
      const run =
        numbers === 'words'
          ? new Machine<Term>(module, options)
          : new Machine<Integer>(module, { ...options, integers64 });
      const indexes = computingIn(module);
      return {
        run: run as Runnable,
        ring: integers64.ring,
        call: (called, ...parameters) => void run.callFunction(module.functions[indexes[called]], ...parameters),
      };
    },
    startWith(ranges, instead, { xor, ...others }) {
      const module = moduleOf();
      const indexes = computingIn(module);
      const calls = new Map<number, (parameters: readonly unknown[]) => void>();
      for (const one of ['subkeys', 'absorb', 'finish'] as const)
        calls.set(indexes[one], (parameters) => {
          others[one](run, ...known(parameters));
        });
      for (const how of leavesOf(module))
        calls.set(how.index, (parameters) => {
          // A function for exactly so many blocks does not read their number.
          xor(run, known(how.count === undefined ? parameters : parameters.slice(0, 2)), how);
        });
      const run: Machine = new Machine<Term>(module, { ranges, mostSteps, coverage, calls, instead });
      return run;
    },
  };
}

export function diskTextOf({ name, text, memoryBytes, coverage }: KernelText): DiskKernel {
  let program: ReturnType<typeof parse> | undefined;
  const inner = Object.values(IN_TEXT) as string[];
  return {
    name,
    aesBlocks: 2,
    isText: true,
    start(numbers, ranges, bases = []) {
      const doubles = new PolynomialDoubles();
      const options = { memoryBytes, ranges, bases, coverage, inner, ...(numbers === 'polynomials' && { doubles }) };
      const run = new JavaScriptMachine((program ??= parse(text)), options);
      return {
        run,
        ring: doubles.ring,
        call: (called, ...parameters) => void run.call(String(IN_TEXT[called]), ...parameters),
      };
    },
    startWith(ranges, instead, { xor, ...others }) {
      const own: Instead = {
        [IN_TEXT.xor]: (run: Runnable, ...parameters: number[]) => {
          xor(run, parameters, { index: 0 });
        },
        ...Object.fromEntries(
          (['subkeys', 'absorb', 'finish'] as const).map((one) => [IN_TEXT[one], others[one]] as const),
        ),
      };
      return new JavaScriptMachine((program ??= parse(text)), {
        memoryBytes,
        ranges,
        instead: { ...instead, ...own },
        coverage,
      });
    },
  };
}
