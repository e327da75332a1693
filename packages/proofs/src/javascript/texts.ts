// The generated files of the library, as they are: what the `js` engine runs.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as blake3 from '../../../lanewise/src/blake3/map.ts';
import * as chacha from '../../../lanewise/src/keystream/map.ts';
import * as poly1305 from '../../../lanewise/src/poly1305/map.ts';
import * as disk from '../../../lanewise/src/disk/map.ts';
import * as serpent from '../../../lanewise/src/serpent/map.ts';
import type { Coverage } from '../execute/coverage.ts';
import type { Family } from '../kernels.ts';

const PAGE_BYTES = 65536;
const folder = join(import.meta.dirname, '../../../lanewise/src/js/generated');

export interface KernelText {
  /** For example `chacha js`. */
  readonly name: string;
  readonly family: Family;
  /** Of secretbox: which cipher it has. */
  readonly cipher?: 'salsa' | 'chacha';
  /** The function that makes the kernel. */
  readonly made: string;
  readonly text: string;
  readonly memoryBytes: number;
  /** Where claims about results mark what they ran of it; unless given they do not. */
  readonly coverage?: Coverage | undefined;
}

const kernelText = (name: string, pages: number, others: Partial<KernelText> = {}): KernelText => ({
  name: `${name} js`,
  family: name as Family,
  made: name,
  text: readFileSync(join(folder, `${name}.ts`), 'utf8'),
  memoryBytes: pages * PAGE_BYTES,
  ...others,
});

export const texts: readonly KernelText[] = [
  kernelText('chacha', chacha.PAGES),
  kernelText('salsa', chacha.PAGES, { family: 'secretbox', cipher: 'salsa' }),
  kernelText('secretbox-chacha', chacha.PAGES, { family: 'secretbox', cipher: 'chacha', made: 'secretboxChacha' }),
  kernelText('poly1305', poly1305.PAGES),
  kernelText('blake3', blake3.PAGES),
  kernelText('serpent', serpent.PAGES),
  kernelText('serpent-ctr', serpent.PAGES, { made: 'serpentCtr' }),
  kernelText('disk', disk.PAGES),
];

export function textOf(family: Family): KernelText {
  return texts.find((text) => text.family === family)!;
}
