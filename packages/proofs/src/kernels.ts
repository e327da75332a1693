/**
 * Every module that the library instantiates, made by the functions that the families call, and where in its memory what
 * lies. A test holds this list against the modules that the public interface instantiates in fact: in the sources, and in
 * the package as it is built.
 */
import { poly1305Module, STAGE, STAGE_BYTES, STATE, TAG } from '../../lanewise/src/kernels/poly1305-module.ts';
import { integers, STATE_BYTES } from '../../lanewise/src/kernels/poly1305.ts';
import * as blake3 from '../../lanewise/src/kernels/blake3.ts';
import { blake3Module } from '../../lanewise/src/kernels/blake3-module.ts';
import * as chacha from '../../lanewise/src/kernels/chacha.ts';
import { chachaModule } from '../../lanewise/src/kernels/chacha20poly1305.ts';

export type Family = 'chacha' | 'poly1305' | 'blake3';

/** With which instructions: vectors with the relaxed ones, vectors without, or none. */
export type Form = 'relaxed' | 'swizzle' | 'scalar';

/** Addresses of memory from one up to, and without, another. */
export interface MapRange {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

export interface Kernel {
  /** For example `chacha short relaxed`. */
  readonly name: string;
  readonly family: Family;
  readonly form: Form;
  /** The kernel of its family for short messages; `undefined` if there is no other. */
  readonly short: boolean | undefined;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly memoryBytes: number;
  /** The memory map, in rising order and without overlaps. */
  readonly map: readonly MapRange[];
  /** More instructions than any call takes that a claim makes on terms: a damaged kernel that runs longer may never end. */
  readonly mostSteps: number;
}

const PAGE_BYTES = 65536;

/** Names with their addresses and sizes; a size of Infinity is up to the end of memory. */
const mapOf = (memoryBytes: number, rows: Readonly<Record<string, readonly [number, number]>>): MapRange[] =>
  Object.entries(rows).map(([name, [from, size]]) => ({ name, from, to: Math.min(from + size, memoryBytes) }));

const lanesOf: Readonly<Record<Form, { readonly relaxed: boolean } | undefined>> = {
  relaxed: { relaxed: true },
  swizzle: { relaxed: false },
  scalar: undefined,
};
const FORMS = ['relaxed', 'swizzle', 'scalar'] as const;

function chachaKernel(form: Form, short: boolean): Kernel {
  const memoryBytes = (short ? chacha.SHORT_PAGES : chacha.PAGES) * PAGE_BYTES;
  return {
    name: `chacha ${short ? 'short' : 'long'} ${form}`,
    family: 'chacha',
    form,
    short,
    bytes: chachaModule({ short, lanes: lanesOf[form], arithmetic: integers }).bytes(),
    memoryBytes,
    map: mapOf(memoryBytes, {
      MASKS: [chacha.MASKS, 32],
      AAD: [chacha.AAD, chacha.AAD_BYTES],
      SETS: [chacha.SETS, chacha.ASIDE - chacha.SETS],
      ASIDE: [chacha.ASIDE, chacha.STATE - chacha.ASIDE],
      STATE: [chacha.STATE, chacha.TAG - chacha.STATE],
      TAG: [chacha.TAG, 16],
      POLY: [chacha.POLY, STATE_BYTES],
      HEAD: [chacha.HEAD, chacha.BLOCK],
      DATA: [chacha.DATA, Infinity],
    }),
    mostSteps: short ? 50_000 : 300_000,
  };
}

function poly1305Kernel(): Kernel {
  return {
    name: 'poly1305 scalar',
    family: 'poly1305',
    form: 'scalar',
    short: undefined,
    bytes: poly1305Module(integers).bytes(),
    memoryBytes: PAGE_BYTES,
    map: mapOf(PAGE_BYTES, { STATE: [STATE, STATE_BYTES], TAG: [TAG, 16], STAGE: [STAGE, STAGE_BYTES] }),
    mostSteps: 50_000,
  };
}

/** Messages of up to two chunks take the scalar form on every engine. */
function blake3Kernel(form: Form): Kernel {
  const memoryBytes = blake3.PAGES * PAGE_BYTES;
  const { STAGE: stage, STAGE_BYTES: stageBytes } = blake3;
  return {
    name: `blake3 ${form}`,
    family: 'blake3',
    form,
    short: undefined,
    bytes: blake3Module({ lanes: lanesOf[form] }).bytes(),
    memoryBytes,
    map: mapOf(memoryBytes, {
      MASKS: [blake3.MASKS, 32],
      SETS: [blake3.SETS, blake3.CVS - blake3.SETS],
      CVS: [blake3.CVS, blake3.KEY - blake3.CVS],
      KEY: [blake3.KEY, blake3.CV_BYTES],
      CV: [blake3.CV, 64],
      BLOCK: [blake3.BLOCK, 64],
      STAGE: [stage, stageBytes],
      BEHIND: [stage + stageBytes, Infinity],
    }),
    mostSteps: 5_000_000,
  };
}

export const kernels: readonly Kernel[] = [
  ...FORMS.map((form) => chachaKernel(form, false)),
  ...FORMS.map((form) => chachaKernel(form, true)),
  poly1305Kernel(),
  ...FORMS.map(blake3Kernel),
];

export function kernelOf(name: string): Kernel {
  const kernel = kernels.find((k) => k.name === name);
  if (!kernel) throw new Error(`there is no kernel ${name}`);
  return kernel;
}
