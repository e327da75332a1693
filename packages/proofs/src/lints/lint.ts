/**
 * Properties of a kernel's bytes that need no execution: only the instructions that it may have, one memory of one
 * size, nothing that comes from outside, functions that an engine compiles well, and offsets inside of memory.
 * Imports, tables, globals, a start function and indirect calls are refused by the decoder.
 */
import type { Kernel } from '../kernels.ts';
import { decode } from '../wasm/decode.ts';
import { accessBytes } from '../wasm/opcodes.ts';
import { DecodeError, type DecodedModule } from '../wasm/types.ts';
import { refusal } from './instructions.ts';

export type LintRule = 'form' | 'instruction' | 'memory' | 'offset' | 'data' | 'size' | 'interface' | 'calls';

export interface Finding {
  readonly rule: LintRule;
  /** The offset in the module, if the finding has one. */
  readonly at: number | undefined;
  readonly message: string;
}

/** The properties of a kernel that the lints need. */
export type Linted = Pick<Kernel, 'bytes' | 'form' | 'memoryBytes' | 'mostMemoryBytes' | 'map'>;

/** Larger functions are optimised late, or with fewer registers in hand. */
const MOST_BODY_BYTES = 15_000;
const PAGE_BYTES = 65536;

type Check = (module: DecodedModule, kernel: Linted) => Finding[];

const finding = (rule: LintRule, at: number | undefined, message: string): Finding => ({ rule, at, message });

const instructions: Check = ({ functions }, { form }) =>
  functions.flatMap(({ code }) =>
    code.flatMap(({ op, at }) => {
      const why = refusal(op, form);
      return why === undefined ? [] : [finding('instruction', at, `${op}: ${why}`)];
    }),
  );

const memory: Check = ({ memory: limits }, { memoryBytes, mostMemoryBytes }) => {
  if (!limits) return [finding('memory', undefined, 'there is none')];
  const { minimum, maximum } = limits;
  // No instruction makes it grow (instructions.ts); the host may, where the description of the module says so.
  if ((maximum ?? Infinity) * PAGE_BYTES !== Math.max(minimum * PAGE_BYTES, mostMemoryBytes))
    return [finding('memory', undefined, `from ${minimum} to ${maximum ?? 'any number of'} pages: it can grow`)];
  if (minimum * PAGE_BYTES !== memoryBytes)
    return [finding('memory', undefined, `${minimum} pages where the map has ${memoryBytes} bytes`)];
  return [];
};

const offsets: Check = ({ functions }, { memoryBytes }) =>
  functions.flatMap(({ code }) =>
    code.flatMap((instruction) => {
      if (!('offset' in instruction)) return [];
      const { op, at, offset } = instruction;
      if (offset + accessBytes(op) <= memoryBytes) return [];
      return [finding('offset', at, `${op} at offset ${offset} is always outside of memory`)];
    }),
  );

/** Constants must lie where the map has a place for them. */
const data: Check = (module, { map }) =>
  module.data.flatMap(({ offset, bytes }) => {
    if (map.some(({ name, from, to }) => name === 'MASKS' && offset >= from && offset + bytes.length <= to)) return [];
    return [finding('data', undefined, `${bytes.length} bytes at ${offset}, which is not in MASKS`)];
  });

const size: Check = ({ functions }) =>
  functions.flatMap(({ index, at, byteLength }) =>
    byteLength <= MOST_BODY_BYTES ? [] : [finding('size', at, `function ${index} has ${byteLength} bytes`)],
  );

/** Parameters and results are numbers of 32 bits: data of any length, and secrets, are passed in memory. */
const interfaces: Check = ({ functions, exports }) => [
  ...functions.flatMap(({ name, type, at }) => {
    const types = [...type.parameters, ...type.results];
    if (name === undefined || (types.every((t) => t === 'i32') && type.results.length <= 1)) return [];
    return [finding('interface', at, `${name} takes or gives back something else than numbers of 32 bits`)];
  }),
  ...(exports.some(({ kind, name }) => kind === 'memory' && name === 'memory')
    ? []
    : [finding('interface', undefined, 'the memory is not exported')]),
];

/** Each function calls only those before it, so that none calls itself and the stack is bounded. */
const calls: Check = ({ functions }) =>
  functions.flatMap(({ index, code }) =>
    code.flatMap((instruction) => {
      if (instruction.op !== 'call' || instruction.callee < index) return [];
      return [finding('calls', instruction.at, `function ${index} calls ${instruction.callee}, which comes later`)];
    }),
  );

const CHECKS: readonly Check[] = [instructions, memory, offsets, data, size, interfaces, calls];

/** The findings about a decoded module, or about some functions of it. */
export const lintModule = (module: DecodedModule, kernel: Linted): Finding[] =>
  CHECKS.flatMap((check) => check(module, kernel));

export function lint(kernel: Linted): Finding[] {
  try {
    return lintModule(decode(kernel.bytes), kernel);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    return [finding('form', error.at, error.message)];
  }
}
