// The generated files of the library, unchanged: the code that the `js` engine runs.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { modules } from '../../../lanewise/scripts/rooms.ts';
import { generated } from '../../../lanewise/scripts/generate.ts';
import { familyOf, kernels, rangesOf, type Family, type Kernel, type MapRange } from '../kernels.ts';
import { hasClaims } from '../unproven.ts';
import type { Coverage } from '../execute/coverage.ts';

const PAGE_BYTES = 65536;
const folder = join(import.meta.dirname, '../../../lanewise/src/js/generated');

export interface KernelText {
  /** For example `chacha js`. */
  readonly name: string;
  readonly family: Family;
  /** The function that makes the kernel. */
  readonly made: string;
  readonly text: string;
  /** The room of the library: the text is generated from its kernels, and its modules run the text. */
  readonly room: string;
  readonly memoryBytes: number;
  readonly map: readonly MapRange[];
  /** The bytes of the module that the text is generated from, and the generator's text for that module. */
  readonly moduleBytes: () => Uint8Array<ArrayBuffer>;
  readonly generated: () => string;
  /** The record in which claims about results mark the code that they execute, if given. */
  readonly coverage?: Coverage | undefined;
}

export const texts: readonly KernelText[] = modules.flatMap(({ name, pages, map, text }) => {
  if (!text || !hasClaims(name)) return [];
  const family = familyOf(name);
  return [
    {
      name: `${family} js`,
      family,
      made: text.name,
      text: readFileSync(join(folder, text.file), 'utf8'),
      room: dirname(text.source),
      memoryBytes: pages * PAGE_BYTES,
      map: rangesOf(map, pages * PAGE_BYTES),
      moduleBytes: () => text.module().bytes(),
      generated: () => generated(text),
    },
  ];
});

export function textOf(family: Family): KernelText {
  return texts.find((text) => text.family === family)!;
}

/** The module without vectors that ships, and takes messages of all lengths. */
export const scalarOf = ({ family }: KernelText): Kernel =>
  kernels.find((kernel) => kernel.family === family && kernel.form === 'scalar' && !kernel.short)!;

/** The module of a text, about which claims can be made as about those that ship. */
export const moduleOf = (text: KernelText): Kernel => ({
  ...scalarOf(text),
  name: text.name,
  bytes: text.moduleBytes(),
});
