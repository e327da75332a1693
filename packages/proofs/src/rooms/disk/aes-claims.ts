// AES-256 in the kernels of disk encryption: the key schedule, and eight blocks or two at once, for every key and
// block. The S-box is checked by itself, in all 256 rows of each column of bits; all other steps only move and add
// bits.
import { BLOCK, MIDDLE, ROUND, SLICED, SLICES } from '../../../../lanewise/src/disk/map.ts';
import { input, outputOf, Sums, tables, type Sum } from '../../bits/domain.ts';
import { BitMachine } from '../../bits/machine.ts';
import { onText } from '../../javascript/runner.ts';
import { textOf, type KernelText } from '../../javascript/texts.ts';
import type { Range } from '../../execute/machine.ts';
import { kernelOf, type Kernel } from '../../kernels.ts';
import { cipher, INVERSE, invCipher, keyExpansion, SBOX, type ByteAlgebra } from './aes-specification.ts';
import { decode } from '../../wasm/decode.ts';
import { counted } from '../../claims/amounts.ts';
import { require, type Claim } from '../../claims/claim.ts';
import { expectBytes, expectNoEvents, secrets } from '../../claims/compare.ts';
import type { Part } from '../../claims/stand-ins.ts';
import { partsOf, ROUND_KEYS } from './parts.ts';
import { onMachine } from '../../claims/machine.ts';
import * as terms from '../../terms/term.ts';
import type { Runnable, RunnableKernel } from '../../claims/runnable.ts';

const BITS = 8;
/**
 * The constant of the affine transformation: the kernels' S-box omits it, and all their round keys but the first
 * include it.
 */
const CONSTANT = 0x63;
const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

export type Byte<B> = readonly B[];

/** The number of bytes in a slice, which holds one bit of every byte of the blocks. */
const sliceBytesOf = ({ form }: Kernel): number => (form === 'scalar' ? 4 : BLOCK);
const blocksOf = (kernel: Kernel): number => sliceBytesOf(kernel) / 2;

/** The eight bits of a column of the slices in memory. */
const columnOf = <B>(slices: readonly Byte<B>[], sliceBytes: number, column: number): B[] =>
  range(BITS).map((bit) => slices[sliceBytes * bit + (column >> 3)][column & 7]);
/** The slices whose column c is byte c. */
const slicesOf = <B>(columns: readonly Byte<B>[], sliceBytes: number): B[][] =>
  range(BITS * sliceBytes).map((i) => {
    const [bit, byte] = [Math.floor(i / sliceBytes), i % sliceBytes];
    return range(BITS).map((j) => columns[BITS * byte + j][bit]);
  });

function proveBox(kernel: Kernel): void {
  const sliceBytes = sliceBytesOf(kernel);
  const machine = new BitMachine(decode(kernel.bytes), tables, { coverage: kernel.coverage });
  const columns = range(BITS * sliceBytes).map((column) => range(BITS).map((bit) => input(column, bit)));
  machine.write(SLICES, slicesOf(columns, sliceBytes));
  machine.call('substitute');
  const found = machine.read(SLICES, BITS * sliceBytes);
  const expected = SBOX.map((y) => y ^ CONSTANT);
  counted('columns', columns.length);
  for (let column = 0; column < columns.length; column++)
    columnOf(found, sliceBytes, column).forEach((bit, i) => {
      const matches = bit.column === column && bit.table === outputOf(expected, i);
      require(matches, () => `bit ${i} of column ${column} is not that of the S-box`);
    });
  requireInside(machine, partsOf(blocksOf(kernel)).substitute.writes());
}

/** Throws Failure if a function wrote outside of the places that it may write. */
export function requireInside<B>(machine: BitMachine<B>, places: readonly Range[]): void {
  counted('frames', 1);
  const stray = machine.written().find((at) => !places.some(({ from, to }) => at >= from && at < to));
  require(stray === undefined, () => `stray-write: address ${stray}`);
}

/** The inverse of the linear part of §5.1.1. */
const unmixed = <B>(xor: (x: B, y: B) => B, x: Byte<B>): B[] =>
  x.map((_, i) => xor(xor(x[(i + 2) % BITS], x[(i + 5) % BITS]), x[(i + 7) % BITS]));

/**
 * Bytes of sums. The S-box without its constant is a set of names for its outputs; equal inputs have the same names.
 */
export class SumBytes implements ByteAlgebra<Byte<Sum>> {
  readonly sums = new Sums();

  atoms(name: string, count: number): Byte<Sum>[] {
    return range(count).map((i) => range(BITS).map((bit) => this.sums.atom(`${name}[${i}].${bit}`)));
  }
  byte(value: number): Byte<Sum> {
    return range(BITS).map((bit) => ((value >> bit) & 1 ? this.sums.one : this.sums.zero));
  }
  xor(x: Byte<Sum>, y: Byte<Sum>): Byte<Sum> {
    return x.map((bit, i) => this.sums.xor(bit, y[i]));
  }
  xtime(x: Byte<Sum>): Byte<Sum> {
    return x.map((_, i) => {
      const moved = i ? x[i - 1] : this.sums.zero;
      return (0x1b >> i) & 1 ? this.sums.xor(moved, x[7]) : moved;
    });
  }
  /** The S-box without its constant. */
  box(x: Byte<Sum>): Byte<Sum> {
    const known = x.map((bit) => this.sums.constantOf(bit));
    if (!known.includes(undefined))
      return this.byte(SBOX[known.reduce<number>((byte, bit, i) => byte | (bit! << i), 0)] ^ CONSTANT);
    const name = x.map(({ id }) => id).join();
    return range(BITS).map((bit) => this.sums.atom(`box of ${name}.${bit}`));
  }
  substitute(x: Byte<Sum>): Byte<Sum> {
    return this.xor(this.box(x), this.byte(CONSTANT));
  }
  /** The inverse S-box, computed by way of the S-box, which `requireInverse` shows to be correct for all rows. */
  restore(x: Byte<Sum>): Byte<Sum> {
    const unmix = (y: Byte<Sum>): Byte<Sum> => unmixed((a, b) => this.sums.xor(a, b), y);
    return unmix(this.box(unmix(this.xor(x, this.byte(CONSTANT)))));
  }
}

/** Throws Failure unless `restore` computes the inverse of the S-box. */
function requireInverse(): void {
  const bits = (byte: number): number[] => range(BITS).map((bit) => (byte >> bit) & 1);
  const unmix = (byte: number): number =>
    unmixed((x: number, y: number) => x ^ y, bits(byte)).reduce((sum, bit, i) => sum | (bit << i), 0);
  const wrong = INVERSE.findIndex((x, y) => x !== unmix(SBOX[unmix(y ^ CONSTANT)] ^ CONSTANT));
  require(wrong < 0, () => `the inverse of the S-box is another for ${wrong}`);
}

/** A machine with names for the outputs of the S-box. */
export function symbolic(kernel: Kernel, w = new SumBytes()): { machine: BitMachine<Sum>; w: SumBytes } {
  const sliceBytes = sliceBytesOf(kernel);
  const machine: BitMachine<Sum> = new BitMachine(decode(kernel.bytes), w.sums, {
    coverage: kernel.coverage,
    instead: {
      substitute() {
        const slices = machine.read(SLICES, BITS * sliceBytes);
        const columns = range(BITS * sliceBytes).map((column) => w.box(columnOf(slices, sliceBytes, column)));
        machine.write(SLICES, slicesOf(columns, sliceBytes));
      },
    },
  });
  // The earlier content is arbitrary.
  machine.write(SLICES, w.atoms('before', BITS * sliceBytes));
  return { machine, w };
}

function requireBytes(w: SumBytes, found: readonly Byte<Sum>[], expected: readonly Byte<Sum>[], what: string): void {
  counted('bytes', expected.length);
  const wrong = expected.findIndex((byte, i) => byte.some((bit, j) => bit !== found[i][j]));
  require(wrong < 0, () => `${what} differ at byte ${wrong}`);
}

/**
 * Adds the S-box's constant to the round keys, which converts between those in memory and those of the specification.
 */
const turned = (w: SumBytes, keys: readonly (readonly Byte<Sum>[])[]): Byte<Sum>[][] =>
  keys.map((key, i) => (i ? key.map((byte) => w.xor(byte, w.byte(CONSTANT))) : [...key]));

function proveSchedule(kernel: Kernel): void {
  const { machine, w } = symbolic(kernel);
  const key = w.atoms('key', 32);
  machine.write(ROUND, key);
  machine.call('expandKey');
  const expected = turned(w, keyExpansion(w, key)).flat();
  requireBytes(w, machine.read(ROUND, BLOCK * ROUND_KEYS), expected, 'the round keys');
  requireInside(machine, partsOf(blocksOf(kernel)).expandKey.writes());
}

/** Proves the blocks with arbitrary round keys: the keys are sliced, and nothing else of them is in memory. */
function proveBlocks(kernel: Kernel, back: boolean): void {
  requireInverse();
  const { sliceKeys, ...parts } = partsOf(blocksOf(kernel));
  const slicing = symbolic(kernel);
  const { w } = slicing;
  const keys = range(ROUND_KEYS).map((i) => w.atoms(`key ${i}`, BLOCK));
  slicing.machine.write(ROUND, keys.flat());
  slicing.machine.call('sliceKeys');
  requireInside(slicing.machine, sliceKeys.writes());
  const [{ from, to }] = sliceKeys.writes();

  const { machine } = symbolic(kernel, w);
  const blocks = range(blocksOf(kernel)).map((i) => w.atoms(`block ${i}`, BLOCK));
  machine.write(SLICED, slicing.machine.read(from, to - from));
  machine.write(MIDDLE, blocks.flat());
  const part = back ? parts.decryptBlocks : parts.encryptBlocks;
  machine.call(part.name, MIDDLE);
  const expected = blocks.map((block) => (back ? invCipher : cipher)(w, turned(w, keys), block));
  requireBytes(w, machine.read(MIDDLE, BLOCK * blocks.length), expected.flat(), 'the blocks');
  requireInside(machine, part.writes(MIDDLE));
}

export const aesClaims = (kernel: Kernel): Claim[] => {
  const claim = (text: string, prove: () => void): Claim => ({
    kernel: kernel.name,
    topic: 'AES-256',
    claim: text,
    prove,
  });
  const count = blocksOf(kernel);
  return [
    claim('the S-box in every column, all 256 rows', () => {
      proveBox(kernel);
    }),
    claim('key schedule', () => {
      proveSchedule(kernel);
    }),
    claim(`${count} blocks, encrypted`, () => {
      proveBlocks(kernel, false);
    }),
    claim(`${count} blocks, decrypted`, () => {
      proveBlocks(kernel, true);
    }),
  ];
};

/** Replaces the outputs of the S-box by names made from the names of its input. */
function named(run: Runnable): void {
  const words = range(BITS).map((i) => run.readWords(SLICES + 4 * i, 1)[0]);
  const name = words.map(({ id }) => id).join();
  run.write(
    SLICES,
    words.map((_, i) => terms.variable(32, `box of ${name} ${i}`, true)),
  );
}

/**
 * Proves that the functions of the text compute the same terms as those of the scalar module, about which the other
 * claims are proved.
 */
function proveSame(text: KernelText, parts: readonly Part[]): void {
  const what = parts.map(({ name }) => name).join();
  const writes = parts.map((part) => ({ part, places: part.writes(MIDDLE) }));
  const results = [onText(text), onMachine(kernelOf('disk scalar'))].map((kernel: RunnableKernel) => {
    const run = kernel.start({}, what === 'substitute' ? {} : { substitute: named });
    run.write(ROUND, secrets('keys', BLOCK * ROUND_KEYS));
    run.write(SLICES, secrets('slices', BITS * 4));
    run.write(MIDDLE, secrets('blocks', 2 * BLOCK));
    for (const { part, places } of writes) {
      run.ranges = { reads: [], writes: places };
      run.call(part.name, ...(part.name.endsWith('Blocks') ? [MIDDLE] : []));
    }
    expectNoEvents(run, `${what} of ${kernel.name}`);
    return run;
  });
  const [found, expected] = results;
  for (const { from, to } of writes.flatMap(({ places }) => places))
    expectBytes(found, from, expected.read(from, to - from), what);
}

export const aesTextClaims = (text: KernelText): Claim[] => {
  const { substitute, expandKey, sliceKeys, encryptBlocks, decryptBlocks } = partsOf(2);
  return [[substitute], [expandKey], [sliceKeys, encryptBlocks], [sliceKeys, decryptBlocks]].map((parts) => ({
    kernel: text.name,
    topic: 'AES-256',
    claim: `${parts.map(({ name }) => name).join(' and ')}: as in the scalar module`,
    prove() {
      proveSame(text, parts);
    },
  }));
};

export const diskText = (): KernelText => textOf('disk');
