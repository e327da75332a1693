/**
 * Every module that the library instantiates, made by the functions that the families call, and where in its memory what
 * lies. A test holds this list against the modules that the public interface instantiates in fact: in the sources, and in
 * the package as it is built.
 */
import { poly1305Module } from '../../lanewise/src/poly1305/module.ts';
import { STAGE, STAGE_BYTES, STATE, STATE_BYTES, TAG } from '../../lanewise/src/poly1305/map.ts';
import { integers } from '../../lanewise/src/poly1305/kernel.ts';
import * as blake3 from '../../lanewise/src/blake3/map.ts';
import { blake3Module } from '../../lanewise/src/blake3/module.ts';
import * as chacha from '../../lanewise/src/keystream/map.ts';
import * as disk from '../../lanewise/src/disk/map.ts';
import { diskModule } from '../../lanewise/src/disk/module.ts';
import { nhIntegers } from '../../lanewise/src/disk/nh-kernel.ts';
import { chachaModule } from '../../lanewise/src/chacha/module.ts';
import { chachaCore, salsaCore, secretboxModule } from '../../lanewise/src/salsa/module.ts';
import * as serpent from '../../lanewise/src/serpent/map.ts';
import { serpentCtrModule } from '../../lanewise/src/serpent/ctr-module.ts';
import type { Coverage } from './execute/coverage.ts';
import { serpentModule } from '../../lanewise/src/serpent/module.ts';

export type Family = 'chacha' | 'secretbox' | 'poly1305' | 'blake3' | 'serpent' | 'serpent-ctr' | 'disk';

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
  /** Of secretbox: which cipher it has. */
  readonly cipher?: 'salsa' | 'chacha';
  readonly form: Form;
  /** The kernel of its family for short messages; `undefined` if there is no other. */
  readonly short: boolean | undefined;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly memoryBytes: number;
  /** The memory map, in rising order and without overlaps. */
  readonly map: readonly MapRange[];
  /** More instructions than any call takes that a claim makes on terms: a damaged kernel that runs longer may never end. */
  readonly mostSteps: number;
  /** Where claims about results mark what they ran of it; unless given they do not. */
  readonly coverage?: Coverage | undefined;
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

/** What the stream ciphers have in common. */
const streamKernel = (short: boolean): Pick<Kernel, 'short' | 'memoryBytes' | 'map' | 'mostSteps'> => {
  const memoryBytes = (short ? chacha.SHORT_PAGES : chacha.PAGES) * PAGE_BYTES;
  return {
    short,
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
};

const chachaKernel = (form: Form, short: boolean): Kernel => ({
  name: `chacha ${short ? 'short' : 'long'} ${form}`,
  family: 'chacha',
  form,
  bytes: chachaModule({ short, lanes: lanesOf[form], arithmetic: integers }).bytes(),
  ...streamKernel(short),
});

/** Salsa20 rotates by nothing that a swizzle could do: with relaxed instructions and without, its vectors are one module. */
const salsaKernel = (form: Form, short: boolean): Kernel => ({
  name: `salsa ${short ? 'short' : 'long'} ${form}`,
  family: 'secretbox',
  cipher: 'salsa',
  form,
  bytes: secretboxModule(salsaCore, { short, lanes: lanesOf[form], arithmetic: integers }).bytes(),
  ...streamKernel(short),
});

const secretboxChachaKernel = (form: Form): Kernel => ({
  name: `secretbox-chacha ${form}`,
  family: 'secretbox',
  cipher: 'chacha',
  form,
  bytes: secretboxModule(chachaCore, { lanes: lanesOf[form], arithmetic: integers }).bytes(),
  ...streamKernel(false),
});

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

/** It has no use for the relaxed instructions: with them and without, its vectors are one module. */
function serpentKernel(family: 'serpent' | 'serpent-ctr', form: 'swizzle' | 'scalar'): Kernel {
  const memoryBytes = serpent.PAGES * PAGE_BYTES;
  const { AAD, COUNTER, DATA, IV, KEY, KEY_BYTES, OFFSETS, ROUND, SETS, STRETCH, WORK } = serpent;
  return {
    name: `${family} ${form}`,
    family,
    form,
    short: undefined,
    bytes: (family === 'serpent' ? serpentModule : serpentCtrModule)({ lanes: form !== 'scalar' }).bytes(),
    memoryBytes,
    map: mapOf(memoryBytes, {
      KEY: [KEY, KEY_BYTES],
      ROUND: [ROUND, 528],
      SETS: [SETS, 256],
      WORK: [WORK, serpent.WORK_BYTES],
      OFFSETS: [OFFSETS, STRETCH - OFFSETS],
      STRETCH: [STRETCH, AAD - STRETCH],
      AAD: [AAD, serpent.AAD_BYTES],
      COUNTER: [COUNTER, 16],
      IV: [IV, 16],
      DATA: [DATA, Infinity],
    }),
    mostSteps: 1_000_000,
  };
}

function diskKernel(form: Form): Kernel {
  const memoryBytes = disk.PAGES * PAGE_BYTES;
  return {
    name: `disk ${form}`,
    family: 'disk',
    form,
    short: undefined,
    bytes: diskModule({ lanes: lanesOf[form], arithmetic: integers, nh: nhIntegers }).bytes(),
    memoryBytes,
    map: mapOf(memoryBytes, {
      // Of ChaCha, and behind them ROWS.
      MASKS: [disk.MASKS, disk.MIDDLE - disk.MASKS],
      MIDDLE: [disk.MIDDLE, disk.TWEAKED - disk.MIDDLE],
      TWEAKED: [disk.TWEAKED, disk.SUBKEYS - disk.TWEAKED],
      SUBKEYS: [disk.SUBKEYS, disk.MOST_PAGES * disk.SUBKEY_BYTES],
      SETS: [disk.SETS, 1024],
      STATE: [disk.STATE, disk.HASH - disk.STATE],
      HASH: [disk.HASH, disk.BLOCK],
      POLY: [disk.POLY, STATE_BYTES],
      HEAD: [disk.HEAD, disk.STREAM_BLOCK],
      KEY: [disk.KEY, disk.KEY_BYTES],
      ROUND: [disk.ROUND, disk.ROUND_BYTES],
      POLY_KEY: [disk.POLY_KEY, disk.NH_KEY - disk.POLY_KEY],
      NH_KEY: [disk.NH_KEY, disk.NH_KEY_BYTES],
      SLICED: [disk.SLICED, disk.SLICED_BYTES],
      NH: [disk.NH, disk.NH_BYTES],
      HEADS: [disk.HEADS, disk.HEADS_BYTES],
      DATA: [disk.DATA, Infinity],
    }),
    mostSteps: 1_000_000,
  };
}

export const kernels: readonly Kernel[] = [
  ...FORMS.map((form) => chachaKernel(form, false)),
  ...FORMS.map((form) => chachaKernel(form, true)),
  ...[false, true].flatMap((short) => (['swizzle', 'scalar'] as const).map((form) => salsaKernel(form, short))),
  ...FORMS.map(secretboxChachaKernel),
  poly1305Kernel(),
  ...FORMS.map(blake3Kernel),
  ...(['serpent', 'serpent-ctr'] as const).flatMap((family) =>
    (['swizzle', 'scalar'] as const).map((form) => serpentKernel(family, form)),
  ),
  ...FORMS.map(diskKernel),
];

export function kernelOf(name: string): Kernel {
  const kernel = kernels.find((k) => k.name === name);
  if (!kernel) throw new Error(`there is no kernel ${name}`);
  return kernel;
}
