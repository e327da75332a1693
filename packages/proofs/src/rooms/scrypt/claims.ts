// scrypt: SHA-256 of every block from every hash value on; BlockMix of every row, and of every sum of two rows, the second of
// which is anywhere in memory.
import { CONSTANTS, ROWS, SCHEDULE, STAGE, STATE, STATE_BYTES } from '../../../../lanewise/src/scrypt/map.ts';
import type { Claim } from '../../claims/claim.ts';
import { expectBytes, expectNoEvents, range, secrets } from '../../claims/compare.ts';
import { onMachine } from '../../claims/machine.ts';
import type { RunnableKernel } from '../../claims/runnable.ts';
import { baseTerm, type Base } from '../../execute/bases.ts';
import { onText } from '../../javascript/runner.ts';
import type { KernelText } from '../../javascript/texts.ts';
import type { Kernel } from '../../kernels.ts';
import { symbols } from '../../specifications/terms.ts';
import * as terms from '../../terms/term.ts';
import type { Term } from '../../terms/term.ts';
import { bigEndian, bigEndianBytes, blockMix, compress, initialHash, type Sha256Algebra } from './specification.ts';

export const BLOCK_BYTES = 64;
/** SHA-256's words, as terms. */
export const sha256Words: Sha256Algebra<Term> = {
  ...symbols,
  and: terms.and,
  shr: (x, count) => terms.shr_u(x, terms.constant(32, count)),
};

export const rowOf = (r: number): number => 128 * r;

/** The memory that `blocks` blocks at an address are hashed in. */
export const compressRanges = (address: number, blocks: number) => ({
  reads: [range(STATE, STATE_BYTES), range(address, BLOCK_BYTES * blocks)],
  writes: [range(CONSTANTS, 256), range(SCHEDULE, 256), range(STATE, STATE_BYTES)],
});
export const fillRanges = (address: number, r: number, count: number) => ({
  reads: [range(address, rowOf(r))],
  writes: [range(address + rowOf(r), rowOf(r) * count)],
});

function proveStart(kernel: RunnableKernel): void {
  const run = kernel.start({ reads: [], writes: [range(STATE, STATE_BYTES)] });
  run.call('start');
  expectNoEvents(run, 'start');
  expectBytes(run, STATE, bigEndianBytes(symbols, initialHash(symbols)), 'the initial hash value');
}

function proveCompress(kernel: RunnableKernel, address: number, blocks: number): void {
  const what = `${blocks} blocks at ${address}`;
  const run = kernel.start(compressRanges(address, blocks));
  const [hash, message] = [secrets('hash', STATE_BYTES), secrets('message', BLOCK_BYTES * blocks)];
  run.write(STATE, hash);
  run.write(address, message);
  run.call('compress', address, blocks);
  expectNoEvents(run, what);
  let value = bigEndian(symbols, hash);
  for (let i = 0; i < blocks; i++)
    value = compress(sha256Words, value, message.slice(BLOCK_BYTES * i, BLOCK_BYTES * (i + 1)));
  expectBytes(run, STATE, bigEndianBytes(symbols, value), what);
  expectBytes(run, address, message, `${what}: the message`);
}

function proveFill(kernel: RunnableKernel, r: number, count: number): void {
  const what = `${count} rows of r = ${r}`;
  const run = kernel.start(fillRanges(ROWS, r, count));
  let row = secrets('row', rowOf(r));
  run.write(ROWS, row);
  run.call('fill', ROWS, r, count);
  expectNoEvents(run, what);
  expectBytes(run, ROWS, row, `${what}: V[0]`);
  for (let i = 1; i <= count; i++) {
    row = blockMix(symbols, row);
    expectBytes(run, ROWS + rowOf(r) * i, row, `${what}: V[${i}]`);
  }
}

/** V[j], at an unknown address: any multiple of 16 with the bytes apart from the other rows. */
const vOf = (r: number): Base => ({ name: 'address of V[j]', home: ROWS, length: rowOf(r) });

function proveMix(kernel: RunnableKernel, r: number): void {
  const what = `BlockMix of X xor V[j], r = ${r}`;
  const base = vOf(r);
  const x = ROWS + rowOf(r);
  const y = x + rowOf(r);
  const run = kernel.start({ reads: [range(ROWS, 2 * rowOf(r))], writes: [range(y, rowOf(r))] }, {}, [base]);
  const [rowX, rowV] = [secrets('X', rowOf(r)), secrets('V[j]', rowOf(r))];
  run.write(x, rowX);
  run.write(ROWS, rowV);
  run.call('mix', x, baseTerm(base), y, r);
  expectNoEvents(run, what);
  const sum = rowX.map((byte, i) => symbols.xor(byte, rowV[i]));
  expectBytes(run, y, blockMix(symbols, sum), what);
  expectBytes(run, x, rowX, `${what}: X`);
  expectBytes(run, ROWS, rowV, `${what}: V[j]`);
}

const statements = (kernel: RunnableKernel): Claim[] => {
  const claim = (topic: string, text: string, prove: () => void): Claim => ({
    kernel: kernel.name,
    topic,
    claim: text,
    prove,
  });
  return [
    claim('sha-256', 'SHA-256: the initial hash value', () => proveStart(kernel)),
    ...[1, 2, 3].map((blocks) =>
      claim('sha-256', `SHA-256: ${blocks} blocks, every hash value and message`, () =>
        proveCompress(kernel, STAGE, blocks),
      ),
    ),
    claim('sha-256', 'SHA-256: 1 block anywhere else, every hash value and message', () =>
      proveCompress(kernel, ROWS + 4 * rowOf(3), 1),
    ),
    ...[
      [1, 1],
      [1, 2],
      [1, 3],
      [2, 2],
      [3, 1],
      [8, 1],
    ].map(([r, count]) =>
      claim('blockmix', `BlockMix: ${count} rows of r = ${r}, every first row`, () => proveFill(kernel, r, count)),
    ),
    ...[1, 2, 3, 8].map((r) =>
      claim('blockmix', `BlockMix: X xor V[j], r = ${r}, every X and V[j], V[j] anywhere`, () => proveMix(kernel, r)),
    ),
  ];
};

export const scryptClaims = (kernel: Kernel): Claim[] => statements(onMachine(kernel));
export const scryptTextClaims = (text: KernelText): Claim[] => statements(onText(text));
