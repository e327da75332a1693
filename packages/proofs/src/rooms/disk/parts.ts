// The functions of the disk kernels that other claims assume: in the claims about pages and keys, names stand for the
// results of AES and NH. This file defines which calls of these functions are claimed, and where the calls may write.
// Both sides use this definition: the claims about the functions (aes-claims.ts, nh-claims.ts) prove it for every such
// call, and where names replace a function, any other call is a Failure, and all bytes that the function may write are
// unknown afterwards.
import {
  BLOCK,
  MIDDLE,
  NH_KEY,
  NH_KEY_BYTES,
  ROUND,
  ROUND_BYTES,
  SLICED,
  SLICES,
} from '../../../../lanewise/src/disk/map.ts';
import type { Range } from '../../execute/machine.ts';
import { require } from '../../claims/claim.ts';
import { range } from '../../claims/compare.ts';
import type { Part } from '../../claims/stand-ins.ts';

export const ROUND_KEYS = 15;
export const NH_UNIT = 16;
/** The number of units in a piece of 1024 bytes. */
export const MOST_UNITS = 64;
export const HASH_BYTES = 32;

const overlap = (x: Range, y: Range): boolean => x.from < y.to && y.from < x.to;

/** The parts of kernels whose AES takes `aesBlocks` blocks at once. */
export function partsOf(aesBlocks: number) {
  // A block is two bytes of each of eight slices.
  const slices = range(SLICES, BLOCK * aesBlocks);
  const part = (name: string, writes: readonly Range[]): Part => ({ name, writes: () => [...writes] });
  const blocks = (name: string): Part => ({
    name,
    writes(address) {
      require(address === MIDDLE, () => `${name} of blocks at ${address}, of which nothing is claimed`);
      return [range(MIDDLE, BLOCK * aesBlocks), slices];
    },
  });
  return {
    substitute: part('substitute', [slices]),
    expandKey: part('expandKey', [range(ROUND, ROUND_BYTES), slices]),
    sliceKeys: part('sliceKeys', [range(SLICED, ROUND_KEYS * BLOCK * aesBlocks), slices]),
    encryptBlocks: blocks('encryptBlocks'),
    decryptBlocks: blocks('decryptBlocks'),
    nh: NH_PART,
  } as const;
}

/** NH of up to 64 units; message and hash are at any addresses, apart from each other and from the key. */
const NH_PART: Part = {
  name: 'nh',
  writes(address, units, to) {
    const [message, key, hash] = [range(address, NH_UNIT * units), range(NH_KEY, NH_KEY_BYTES), range(to, HASH_BYTES)];
    const aligned = address % NH_UNIT === 0 && to % NH_UNIT === 0;
    const apart = !overlap(message, key) && !overlap(message, hash) && !overlap(key, hash);
    require(aligned && apart && units >= 1 && units <= MOST_UNITS, () =>
      `nh of ${units} units at ${address} to ${to}, of which nothing is claimed`);
    return [hash];
  },
};
