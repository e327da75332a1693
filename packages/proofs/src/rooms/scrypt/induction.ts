/** scrypt's loops, by induction: SHA-256 of any number of blocks, and any number of rows, at any addresses. */
import { CONSTANTS, SCHEDULE, STATE, STATE_BYTES } from '../../../../lanewise/src/scrypt/map.ts';
import type { Claim } from '../../claims/claim.ts';
import { expectBytes, range, secrets } from '../../claims/compare.ts';
import type { Kernel } from '../../kernels.ts';
import { symbols } from '../../specifications/terms.ts';
import { add, less, type Term } from '../../terms/term.ts';
import { HOME, runIteration } from '../keystream/block-loop.ts';
import { inductionClaim, word } from '../keystream/induction.ts';
import { BLOCK_BYTES, rowOf, sha256Words } from './claims.ts';
import { bigEndian, bigEndianBytes, blockMix, compress } from './specification.ts';

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

function proveRow(kernel: Kernel, r: number): void {
  const what = `a row of r = ${r}`;
  const bytes = rowOf(r);
  const row = secrets('row', bytes);
  // Sums of addresses in a memory do not wrap around: all blocks but the last one are before the end.
  const assume = (address: Term): ReadonlyMap<Term, number> =>
    new Map(
      Array.from({ length: 2 * r - 1 }, (_, i): [Term, number] => [
        less(add(address, word(BLOCK_BYTES * (i + 1))), add(address, word(bytes))),
        1,
      ]),
    );
  const run = runIteration(
    {
      kernel,
      name: 'fill',
      what,
      touched: 2 * bytes,
      step: bytes,
      writes: true,
      address: 0,
      left: 2,
      work: [],
      others: { 1: word(r) },
      assume,
    },
    (machine) => machine.write(HOME, row),
  );
  expectBytes(run, HOME, row, `${what}: it stays`);
  expectBytes(run, HOME + bytes, blockMix(symbols, row), what);
}

export function scryptInduction(kernel: Kernel): Claim[] {
  const claim = (text: string, prove: () => void): Claim => inductionClaim(kernel, text, prove);
  return [
    claim('compress, any number of blocks, every hash value and message', () => proveBlock(kernel)),
    claim('fill, any number of rows of r = 1, 2, 3 and 8, every row', () => {
      for (const r of [1, 2, 3, 8]) proveRow(kernel, r);
    }),
  ];
}
