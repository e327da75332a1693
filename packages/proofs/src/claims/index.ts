// All that is claimed of a kernel, and of all that ship.
import { texts, type KernelText } from '../javascript/texts.ts';
import { kernels, type Family, type Kernel } from '../kernels.ts';
import { aeadClaims } from './aead.ts';
import { blake3Claims } from './blake3.ts';
import { boundsClaims } from './bounds.ts';
import { chachaClaims } from './chacha.ts';
import { checkClaims } from './checks.ts';
import type { Claim } from './claim.ts';
import { diskClaims } from './disk.ts';
import { javascriptClaims } from './javascript.ts';
import { poly1305Claims } from './poly1305.ts';
import { secretboxClaims } from './secretbox.ts';
import { serpentClaims } from './serpent.ts';
import { wipingClaims, wipingTextClaims } from './wiping.ts';

const RESULTS: Readonly<Record<Family, (kernel: Kernel) => Claim[]>> = {
  chacha: (kernel) => [...chachaClaims(kernel), ...aeadClaims(kernel)],
  secretbox: secretboxClaims,
  poly1305: poly1305Claims,
  blake3: blake3Claims,
  serpent: serpentClaims,
  'serpent-ctr': serpentClaims,
  disk: diskClaims,
};

/** Of a module, whatever its bytes are. */
export const kernelClaims = (kernel: Kernel): Claim[] => [
  ...checkClaims(kernel),
  ...RESULTS[kernel.family](kernel),
  ...boundsClaims(kernel),
  ...wipingClaims(kernel),
];

/** Of a text of the `js` engine. */
export const textClaims = (text: KernelText): Claim[] => [...javascriptClaims(text), ...wipingTextClaims(text)];

/** Of everything that ships, always in the same order. */
export const allClaims = (): Claim[] => [...kernels.flatMap(kernelClaims), ...texts.flatMap(textClaims)];
