// BLAKE2: the first chaining value of every parameter block, and the compression of every block onto every chaining value.
import { H, STAGE, STAGE_BYTES, V, V_BYTES } from '../../../../lanewise/src/blake2/map.ts';
import type { Claim } from '../../claims/claim.ts';
import { expectBytes, expectNoEvents, range, secrets } from '../../claims/compare.ts';
import { onMachine } from '../../claims/machine.ts';
import type { RunnableKernel } from '../../claims/runnable.ts';
import { onText } from '../../javascript/runner.ts';
import type { KernelText } from '../../javascript/texts.ts';
import type { Kernel } from '../../kernels.ts';
import type { Term } from '../../terms/term.ts';
import { BLAKE2B, BLAKE2S, bytesOf, compress, initialValue, wordsOf, type Size, type Words } from './specification.ts';
import { halvesOver, longs, onTerms, shorts } from './words.ts';

export const sizeOf = (family: string): Size => (family === 'blake2b' ? BLAKE2B : BLAKE2S);
/** The bytes of a block; the chaining value has half as many. */
export const blockBytes = ({ bits }: Size): number => 2 * bits;

export const startRanges = (size: Size) => ({
  reads: [range(H, blockBytes(size) / 2)],
  writes: [range(H, blockBytes(size) / 2)],
});
export const compressRanges = (size: Size, address: number, blocks: number) => ({
  reads: [range(H, blockBytes(size) / 2), range(address, blockBytes(size) * blocks)],
  writes: [range(H, blockBytes(size) / 2), range(V, V_BYTES)],
});

function proveStart<L>(kernel: RunnableKernel, size: Size, w: Words<Term, L>): void {
  const run = kernel.start(startRanges(size));
  const parameters = secrets('parameters', blockBytes(size) / 2);
  run.write(H, parameters);
  run.call('start');
  expectNoEvents(run, 'start');
  expectBytes(run, H, bytesOf(w, initialValue(w, size, wordsOf(w, size, parameters))), 'the first chaining value');
}

interface Blocks {
  readonly address: number;
  readonly count: number;
  /** The offset t of the first block. */
  readonly t: bigint;
  readonly last: boolean;
}

function proveCompress<L>(kernel: RunnableKernel, size: Size, w: Words<Term, L>, blocks: Blocks): void {
  const { address, count, t, last } = blocks;
  const what = `${count} blocks at ${address}`;
  const bytes = blockBytes(size);
  const run = kernel.start(compressRanges(size, address, count));
  const [value, message] = [secrets('chaining value', bytes / 2), secrets('message', bytes * count)];
  run.write(H, value);
  run.write(address, message);
  run.call('compress', address, count, Number(t & 0xffffffffn), Number(t >> 32n), last ? -1 : 0);
  expectNoEvents(run, what);
  let h = wordsOf(w, size, value);
  for (let i = 0; i < count; i++)
    h = compress(w, size, h, message.slice(bytes * i, bytes * (i + 1)), t + BigInt(bytes * i), last);
  expectBytes(run, H, bytesOf(w, h), what);
  expectBytes(run, address, message, `${what}: the message`);
}

const statements = <L>(kernel: RunnableKernel, size: Size, w: Words<Term, L>): Claim[] => {
  const claim = (topic: string, text: string, prove: () => void): Claim => ({
    kernel: kernel.name,
    topic,
    claim: text,
    prove,
  });
  const bytes = blockBytes(size);
  const compressed = (text: string, blocks: Blocks): Claim =>
    claim('compression', `compression: ${text}, every chaining value and message`, () =>
      proveCompress(kernel, size, w, blocks),
    );
  // In modules any other number is claimed by induction.
  const counts = kernel.name.endsWith('js') ? [1, 2, 3] : [1, 2];
  const first = { address: STAGE, t: BigInt(bytes), last: false };
  return [
    claim('start', 'the first chaining value of every parameter block', () => proveStart(kernel, size, w)),
    ...counts.map((count) => compressed(`${count} blocks`, { ...first, count })),
    ...[1000n, 2n ** 32n - 1n, 2n ** 32n, 2n ** 32n + 1n].map((t) =>
      compressed(`1 block, the last of ${t} bytes`, { ...first, count: 1, t, last: true }),
    ),
    compressed('1 block at the end of the stage', { ...first, count: 1, address: STAGE + STAGE_BYTES - bytes }),
    compressed('2 blocks around 2^32 bytes', { ...first, count: 2, t: 2n ** 32n - BigInt(bytes) }),
    compressed('3 blocks before 2^52 bytes', { ...first, count: 3, t: 2n ** 52n - BigInt(bytes) }),
  ];
};

/** In which words a module, and a text, compute. */
export const blake2Claims = (kernel: Kernel): Claim[] => {
  const size = sizeOf(kernel.family);
  return statements(onMachine(kernel), size, size.bits === 64 ? longs : shorts);
};
export const blake2bTextClaims = (text: KernelText): Claim[] => statements(onText(text), BLAKE2B, halvesOver(onTerms));
export const blake2sTextClaims = (text: KernelText): Claim[] => statements(onText(text), BLAKE2S, shorts);
