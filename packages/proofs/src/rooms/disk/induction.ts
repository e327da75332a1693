/** The loops of the disk kernels, by induction: groups of pages, streams, Poly1305, and the pieces that NH hashes. */
import { POLY } from '../../../../lanewise/src/disk/map.ts';
import type { Claim } from '../../claims/claim.ts';
import type { Kernel } from '../../kernels.ts';
import { symbols } from '../../specifications/terms.ts';
import { decode } from '../../wasm/decode.ts';
import { blockOf } from '../chacha/specification.ts';
import { inductionClaim, keystreamInduction, type BlockCipher } from '../keystream/induction.ts';
import { absorbInduction } from '../keystream/mac-induction.ts';
import { computingIn, leavesOf } from './functions.ts';
import { nhInduction } from './nh-induction.ts';
import { provePagesOfAnyNumber } from './pages-induction.ts';

export const diskInduction = (kernel: Kernel): Claim[] => [
  nhInduction(kernel),
  {
    ...inductionClaim(kernel, 'stream of pages, any number of blocks at any address, from any state', () => undefined),
    prove() {
      const module = decode(kernel.bytes);
      const cipher: BlockCipher = {
        block: (state, rounds) => blockOf(symbols, state, rounds),
        counter: 12,
        rounds: [8, 12, 20],
      };
      return keystreamInduction({ kernel, module, leaves: { blocks: leavesOf(module) }, cipher });
    },
  },
  ...(['adiantum', 'hpolyc'] as const).map((cipher) => ({
    ...inductionClaim(
      kernel,
      `${cipher}, any number of pages of 16, 48, 80, 81 and 512 bytes, in groups`,
      () => undefined,
    ),
    prove: () => provePagesOfAnyNumber(kernel, cipher),
  })),
  inductionClaim(kernel, 'Poly1305, any number of blocks at any address', () => {
    const { absorb } = computingIn(decode(kernel.bytes));
    for (const top of [0, 1] as const) absorbInduction(kernel, absorb, POLY, top);
  }),
];
