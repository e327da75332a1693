/** The loops of the disk kernels, by induction: streams, Poly1305, and the pieces that NH hashes; and every length of pages, and any number of them. */
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
import { hashLengths } from './hash-lengths.ts';
import { headsLengths } from './heads-lengths.ts';
import { pageLengths } from './page-lengths.ts';
import { partLengths } from './part-lengths.ts';

export const diskEveryLength = (kernel: Kernel): Claim[] => [
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
  inductionClaim(kernel, 'Poly1305, any number of blocks at any address', () => {
    const { absorb } = computingIn(decode(kernel.bytes));
    for (const top of [0, 1] as const) absorbInduction(kernel, absorb, POLY, top);
  }),
  hashLengths(kernel),
  ...pageLengths(kernel),
  partLengths(kernel),
  headsLengths(kernel),
];
