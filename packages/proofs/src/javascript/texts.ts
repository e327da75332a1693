// The generated files of the library, as they are: what the `js` engine runs.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as blake3 from '../../../lanewise/src/kernels/blake3.ts';
import * as chacha from '../../../lanewise/src/kernels/chacha.ts';
import * as poly1305 from '../../../lanewise/src/kernels/poly1305-module.ts';
import type { Family } from '../kernels.ts';

const PAGE_BYTES = 65536;
const folder = join(import.meta.dirname, '../../../lanewise/src/js/generated');

export interface KernelText {
  /** For example `chacha js`. */
  readonly name: string;
  readonly family: Family;
  readonly text: string;
  readonly memoryBytes: number;
}

const kernelText = (family: Family, pages: number): KernelText => ({
  name: `${family} js`,
  family,
  text: readFileSync(join(folder, `${family}.ts`), 'utf8'),
  memoryBytes: pages * PAGE_BYTES,
});

export const texts: readonly KernelText[] = [
  kernelText('chacha', chacha.PAGES),
  kernelText('poly1305', poly1305.PAGES),
  kernelText('blake3', blake3.PAGES),
];

export function textOf(family: Family): KernelText {
  return texts.find((text) => text.family === family)!;
}
