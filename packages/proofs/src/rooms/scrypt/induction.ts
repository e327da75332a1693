/** scrypt's loops, by induction: SHA-256 of any number of blocks, and rows of any size and number, at any addresses. */
import { CONSTANTS, SCHEDULE, STATE, STATE_BYTES } from '../../../../lanewise/src/scrypt/map.ts';
import type { Claim } from '../../claims/claim.ts';
import { expectBytes, range, secrets } from '../../claims/compare.ts';
import type { Kernel } from '../../kernels.ts';
import { symbols } from '../../specifications/terms.ts';
import { HOME, runIteration } from '../keystream/block-loop.ts';
import { inductionClaim } from '../keystream/induction.ts';
import { BLOCK_BYTES, sha256Words } from './claims.ts';
import { proveRows } from './rows-induction.ts';
import { bigEndian, bigEndianBytes, compress } from './specification.ts';

function proveBlock(kernel: Kernel): void {
  const what = 'a block';
  const [hash, message] = [secrets('hash', STATE_BYTES), secrets('message', BLOCK_BYTES)];
  const run = runIteration(
    {
      kernel,
      name: 'compress',
      what,
      touched: BLOCK_BYTES,
      step: BLOCK_BYTES,
      writes: false,
      address: 0,
      left: 1,
      work: [range(CONSTANTS, 256), range(SCHEDULE, 256), range(STATE, STATE_BYTES)],
    },
    (machine) => {
      machine.write(STATE, hash);
      machine.write(HOME, message);
    },
  );
  const value = compress(sha256Words, bigEndian(symbols, hash), message);
  expectBytes(run, STATE, bigEndianBytes(symbols, value), what);
  expectBytes(run, HOME, message, `${what}: the message`);
}

export function scryptInduction(kernel: Kernel): Claim[] {
  const claim = (text: string, prove: () => void): Claim => inductionClaim(kernel, text, prove);
  return [
    claim('compress, any number of blocks, every hash value and message', () => proveBlock(kernel)),
    claim('fill, any number of rows of any r, every row', () => {
      proveRows(kernel, 'fill');
    }),
    claim('mix, rows of any r anywhere, every X and V[j]', () => {
      proveRows(kernel, 'mix');
    }),
  ];
}
