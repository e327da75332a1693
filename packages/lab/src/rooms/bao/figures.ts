/** The rows of verified streaming in the table of docs/speed.md, beside the plain hash. */
import type { Figure } from '../../readme/figure.ts';

const row = (title: string, ours: string): Figure => ({
  title: `${title}, 16 KiB groups`,
  contest: `streams/bao/16384/${4 * 2 ** 20}`,
  ours: `lanewise, ${ours}`,
  result: 'allocated',
  rivals: ['lanewise, blake3'],
});

export const figures: readonly Figure[] = [row('Outboard', 'outboard'), row('Verified stream', 'verified')];
