/**
 * The form of a kernel for hosts without relaxed instructions computes what the relaxed form computes, instruction for instruction. So
 * all that is proved of the relaxed form's results, bounds and secrets holds for it as well, and is proved once.
 */
import { kernels, type Kernel } from '../kernels.ts';
import { dataAt } from '../wasm/data.ts';
import { decode } from '../wasm/decode.ts';
import type { DecodedFunction, DecodedModule, Instruction, InstructionWith } from '../wasm/types.ts';
import { counted } from './amounts.ts';
import { require, type Claim } from './claim.ts';

/** All of a value but offsets in the module. JSON has neither -0 nor NaN, nor integers of 64 bits. */
const textOf = (value: unknown): string =>
  JSON.stringify(value, (name, part: unknown) => {
    if (name === 'at' || name === 'byteLength') return undefined;
    if (typeof part === 'bigint') return `${part}n`;
    return typeof part === 'number' && (Object.is(part, -0) || !Number.isFinite(part))
      ? `number ${1 / part} ${part}`
      : part;
  });

/** The text of an instruction: mutants share most of theirs. */
const texts = new WeakMap<Instruction, string>();
function textOfInstruction(instruction: Instruction): string {
  let text = texts.get(instruction);
  if (text === undefined) texts.set(instruction, (text = textOf(instruction)));
  return text;
}

const isSet = ({ op }: Instruction): boolean => op === 'local.set' || op === 'local.tee';
const localOf = (instruction: Instruction): number | undefined =>
  instruction.op.startsWith('local.') ? (instruction as InstructionWith<'local'>).local : undefined;

/** The instructions that give the local a value; parameters, and the zeros at the start, are not among them. */
const setsOf = ({ code }: DecodedFunction, local: number): number[] =>
  code.flatMap((instruction, i) => (isSet(instruction) && localOf(instruction) === local ? [i] : []));

/** For each instruction the arms of blocks that it is in, each by the index of its first instruction. */
function armsOf({ code }: DecodedFunction): readonly (readonly number[])[] {
  let arms: readonly number[] = [];
  return code.map(({ op }, i) => {
    if (op === 'else') arms = [...arms.slice(0, -1), i];
    if (op === 'end') arms = arms.slice(0, -1);
    const own = arms;
    if (op === 'block' || op === 'loop' || op === 'if') arms = [...arms, i];
    return own;
  });
}

class Pair {
  readonly #relaxed: DecodedFunction;
  readonly #plain: DecodedFunction;
  readonly #module: DecodedModule;
  readonly #arms: readonly (readonly number[])[];

  constructor(relaxed: DecodedFunction, plain: DecodedFunction, module: DecodedModule) {
    this.#relaxed = relaxed;
    this.#plain = plain;
    this.#module = module;
    this.#arms = armsOf(plain);
  }

  /** The instruction is always run before the other: an arm that begins after it cannot be entered around it. */
  #before(first: number, second: number): boolean {
    return first < second && this.#arms[first].every((arm, depth) => this.#arms[second][depth] === arm);
  }

  /** The 16 bytes of the module's data that the instruction stores to a local, from a constant address. */
  #loaded(code: readonly Instruction[], at: number): readonly number[] {
    const [address, load] = code.slice(Math.max(0, at - 2), at);
    require(address?.op === 'i32.const' && load?.op === 'v128.load' && address.value >= 0, () =>
      `instruction ${at} stores no data of the module`);
    const bytes = dataAt(this.#module, address.value + load.offset, 16);
    require(bytes !== undefined, () => `data at ${address.value + load.offset} is not all in one segment`);
    return [...bytes];
  }

  /** The one instruction that gives a local its value, which must be the module's data, before it is used. */
  #data(local: number, use: number): readonly number[] {
    const [set, ...others] = setsOf(this.#plain, local);
    require(set !== undefined && others.length === 0 && this.#before(set, use), () =>
      `local ${local} may have another value at ${use}`);
    return this.#loaded(this.#plain.code, set);
  }

  /** A swizzle with an index of 16 or more is another in each engine: a mask is one constant, which data has as well. */
  #requireMask(at: number): void {
    const mask = this.#plain.code[at - 1];
    const local = mask.op === 'local.get' ? mask.local : -1;
    const [[constant, ...more], [first, second, ...others]] = [this.#plain, this.#relaxed].map((f) => setsOf(f, local));
    require(constant !== undefined &&
      more.length === 0 &&
      first === constant &&
      others.length === 0 &&
      second > first, () => `the mask of ${at} may have several values`);
    require(this.#before(constant, at) && this.#before(second, at), () => `the mask of ${at} may not be set`);
    const value = this.#plain.code[constant - 1];
    require(value.op === 'v128.const' &&
      textOf([...value.bytes]) === textOf(this.#loaded(this.#relaxed.code, second)), () =>
      `the mask of ${at} is not that of the data`);
    require(value.bytes.every((index) => index < 16), () => `the mask of ${at} has an index of 16 or more`);
  }

  /** The relaxed form loads a mask that the plain form has already; the plain form loads it to a local that it never reads. */
  #requireUnread(at: number): void {
    const local = localOf(this.#plain.code[at]);
    const reads = this.#plain.code.filter(({ op }) => op === 'local.get').map(localOf);
    require(local !== undefined && !reads.includes(local), () => `what ${at} stores may be read`);
    const mask = localOf(this.#relaxed.code[at])!;
    // All uses of the mask are swizzles, which are looked at one by one.
    this.#relaxed.code.forEach((instruction, i) => {
      if (instruction.op !== 'local.get' || instruction.local !== mask) return;
      require(this.#relaxed.code[i + 1].op === 'i8x16.relaxed_swizzle', () =>
        `the mask of ${at} is not only a mask, at ${i}`);
    });
  }

  /** x * 2^count is x << count, in each of the four lanes. */
  #requireShift(at: number, count: Instruction, multiplier: Instruction): void {
    require(count.op === 'i32.const' && multiplier.op === 'local.get' && count.value >= 0 && count.value < 32, () =>
      `${at} is no shift by a constant`);
    const bytes = this.#data(multiplier.local, at);
    const lane = [0, 8, 16, 24].map((bit) => ((1 << count.value) >>> bit) & 255);
    require(bytes.every((byte, i) => byte === lane[i % 4]), () =>
      `${at} multiplies by another number than 2^${count.value}`);
  }

  /** Throws Failure unless both compute the same. */
  check(): void {
    const [relaxed, plain] = [this.#relaxed.code, this.#plain.code];
    const shape = (f: DecodedFunction): string => textOf({ ...f, code: f.code.length });
    require(shape(this.#relaxed) === shape(this.#plain), () => 'a function has another shape');
    for (let i = 0; i < plain.length; i++) {
      const [a, b] = [relaxed[i], plain[i]];
      // Else a swizzle that is the same in both would use masks that are not.
      require(b.op !== 'i8x16.relaxed_swizzle', () => `instruction ${i} is relaxed`);
      if (a.op === 'i8x16.relaxed_swizzle' && b.op === 'i8x16.swizzle') this.#requireMask(i);
      else if (textOfInstruction(a) === textOfInstruction(b)) continue;
      else if (a.op === 'local.set' && b.op === 'local.set') this.#requireUnread(i);
      else if (relaxed[i + 1]?.op === 'i32x4.shl' && plain[i + 1]?.op === 'i32x4.mul') this.#requireShift(i++, a, b);
      else require(false, () => `instruction ${i} is ${b.op} and not ${a.op}, or has other numbers`);
    }
    counted('instructions', plain.length);
  }
}

/** The relaxed form of a kernel with vectors, if it has one. */
export const relaxedOf = ({ name, form }: Kernel): Kernel | undefined =>
  form === 'swizzle' ? kernels.find((other) => other.name === name.replace(/swizzle$/, 'relaxed')) : undefined;

/** Throws Failure unless a module computes what the relaxed one computes. */
export function requirePlainForm(relaxedBytes: Uint8Array<ArrayBuffer>, bytes: Uint8Array<ArrayBuffer>): void {
  const [relaxed, plain] = [decode(relaxedBytes), decode(bytes)];
  const around = ({ types, memory, exports, data }: DecodedModule): string => textOf({ types, memory, exports, data });
  require(around(relaxed) === around(plain) && relaxed.functions.length === plain.functions.length, () =>
    'types, memory, exports or data are others');
  plain.functions.forEach((f, i) => new Pair(relaxed.functions[i], f, plain).check());
}

export const plainFormClaim = (kernel: Kernel, relaxed: Kernel): Claim => ({
  kernel: kernel.name,
  claim: `plain form: each instruction computes the same as that of ${relaxed.name}`,
  prove: () => {
    requirePlainForm(relaxed.bytes, kernel.bytes);
  },
});
