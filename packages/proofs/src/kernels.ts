/**
 * Every module that the library instantiates, as the rooms of the library describe it: its bytes and its memory map. A test
 * holds this list against the modules that the public interface instantiates in fact: in the sources, and in
 * the package as it is built.
 */
import { modules } from '../../lanewise/scripts/rooms.ts';
import { lanesOf, type Form, type KernelModule } from '../../lanewise/src/engine/description.ts';
import type { Coverage } from './execute/coverage.ts';
import { publishedBytes } from './published.ts';
import { hasClaims } from './unproven.ts';

export type { Form };
/** The name of a module without its size, for example `chacha`: its room is found by that name. */
export type Family = string;

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
  /** The size to which the host may let the memory grow before a call; `memoryBytes` if it cannot grow. */
  readonly mostMemoryBytes: number;
  /** The memory map, in rising order and without overlaps. */
  readonly map: readonly MapRange[];
  /** More instructions than any call takes that a claim makes on terms: a damaged kernel that runs longer may never end. */
  readonly mostSteps: number;
  /** Where claims about results mark the code that they execute; unless given they do not. */
  readonly coverage?: Coverage | undefined;
}

const PAGE_BYTES = 65536;

/** The family of a module, a kernel or an instance: the first word of its name. */
export const familyOf = (name: string): Family => name.split(' ')[0];

/** A memory map as the room of the library has it, as ranges of addresses. */
export const rangesOf = (map: KernelModule['map'], memoryBytes: number): MapRange[] =>
  map.map(([name, from, size]) => ({ name, from, to: Math.min(from + size, memoryBytes) }));

function kernelIn(form: Form, { name, make, pages, mostPages = pages, map, mostSteps }: KernelModule): Kernel {
  const memoryBytes = pages * PAGE_BYTES;
  const [, size] = name.split(' ') as (string | undefined)[];
  return {
    name: `${name} ${form}`,
    family: familyOf(name),
    form,
    short: size === undefined ? undefined : size === 'short',
    bytes: publishedBytes(`${name} ${form}`, make(lanesOf(form)).bytes()),
    memoryBytes,
    mostMemoryBytes: mostPages * PAGE_BYTES,
    map: rangesOf(map, memoryBytes),
    mostSteps,
  };
}

export const kernels: readonly Kernel[] = modules
  .filter(({ name }) => hasClaims(name))
  .flatMap((module) => module.forms.map((form) => kernelIn(form, module)));

export function kernelOf(name: string): Kernel {
  const kernel = kernels.find((k) => k.name === name);
  if (!kernel) throw new Error(`there is no kernel ${name}`);
  return kernel;
}
