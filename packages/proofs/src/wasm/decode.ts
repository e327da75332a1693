/**
 * Decodes the bytes of a module. WebAssembly core specification §5.5
 *
 * The decoder is written from the specification alone, so that it and the assembler are two independent readings of it.
 * It accepts the features that the library's modules use; everything else, whether WebAssembly has it or not, is an
 * error with its offset. It checks form and indexes; `WebAssembly.validate` checks the types of operands.
 */
import { readCode } from './code.ts';
import { Reader } from './reader.ts';
import {
  DecodeError,
  type DataSegment,
  type DecodedFunction,
  type DecodedModule,
  type Export,
  type FunctionType,
  type MemoryLimits,
  type ValueType,
} from './types.ts';

/** `\0asm`, version 1. §5.5.16 */
const HEADER = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];

const CUSTOM = 0;
const [TYPE, FUNCTION, MEMORY, EXPORT, CODE, STAGE] = [1, 3, 5, 7, 10, 11];
const REFUSED: Readonly<Record<number, string>> = {
  2: 'imports',
  4: 'tables',
  6: 'globals',
  8: 'a start function',
  9: 'element segments',
  12: 'a data count',
  13: 'tags',
};

/** The limit that engines agreed on. WebAssembly JavaScript interface, "Implementation-defined limits" */
const MOST_LOCALS = 50_000;

const VALUE_TYPES: Readonly<Record<number, ValueType>> = { 0x7f: 'i32', 0x7e: 'i64', 0x7c: 'f64', 0x7b: 'v128' };

function expect(reader: Reader, byte: number, what: string): void {
  const at = reader.at;
  if (reader.byte() !== byte) throw new DecodeError(`not ${what}`, at);
}

function valueType(reader: Reader): ValueType {
  const at = reader.at;
  const type = VALUE_TYPES[reader.byte()] as ValueType | undefined;
  if (!type) throw new DecodeError('no type of a value', at);
  return type;
}

/** Reads an index, and looks up its item in a list. */
function indexed<T>(reader: Reader, list: readonly T[], what: string): { index: number; item: T } {
  const at = reader.at;
  const index = reader.u32();
  if (index >= list.length) throw new DecodeError(`there is no ${what} ${index}`, at);
  return { index, item: list[index] };
}

function functionType(reader: Reader): FunctionType {
  expect(reader, 0x60, 'the type of a function');
  const types = () => reader.list(() => valueType(reader));
  return { parameters: types(), results: types() };
}

function memoryLimits(reader: Reader): MemoryLimits {
  const at = reader.at;
  const flags = reader.byte();
  if (flags > 1) throw new DecodeError('a memory that is shared or of 64-bit addresses', at);
  return { minimum: reader.u32(), maximum: flags === 1 ? reader.u32() : undefined };
}

function dataSegment(reader: Reader, memories: readonly MemoryLimits[]): DataSegment {
  const at = reader.at;
  if (reader.u32() !== 0) throw new DecodeError('a data segment that is passive or names its memory', at);
  if (memories.length === 0) throw new DecodeError('there is no memory', at);
  expect(reader, 0x41, 'i32.const');
  const offset = Number(reader.signed(32)) >>> 0;
  expect(reader, 0x0b, 'end');
  return { offset, bytes: reader.take(reader.u32()) };
}

const KINDS: Readonly<Record<number, Export['kind']>> = { 0: 'function', 2: 'memory' };

function exportOf(reader: Reader, counts: Readonly<Record<Export['kind'], readonly unknown[]>>): Export {
  const name = reader.name();
  const at = reader.at;
  const kind = KINDS[reader.byte()] as Export['kind'] | undefined;
  if (!kind) throw new DecodeError('an export that is neither a function nor a memory', at);
  return { name, kind, index: indexed(reader, counts[kind], kind).index };
}

/** Reads the declared locals, which are encoded as runs of one type: §5.5.13. */
function declaredLocals(reader: Reader): ValueType[] {
  const locals: ValueType[] = [];
  reader.list(() => {
    const at = reader.at;
    const count = reader.u32();
    if (locals.length + count > MOST_LOCALS) throw new DecodeError('too many locals', at);
    const type = valueType(reader);
    for (let i = 0; i < count; i++) locals.push(type);
  });
  return locals;
}

const known = new WeakMap<Uint8Array, DecodedModule>();

/**
 * Later calls of `decode` with these bytes, the same object, give this module: of a mutant one instruction is decoded, and
 * the rest is the original's. Only `mutations/` says so; `npm run prove` decodes all bytes.
 */
export const decodesTo = (bytes: Uint8Array, module: DecodedModule): void => void known.set(bytes, module);

export function decode(bytes: Uint8Array): DecodedModule {
  return known.get(bytes) ?? decoded(bytes);
}

function decoded(bytes: Uint8Array): DecodedModule {
  const reader = new Reader(bytes);
  for (const byte of HEADER) expect(reader, byte, 'a module of version 1');

  let types: readonly FunctionType[] = [];
  let declared: readonly FunctionType[] = [];
  let memories: readonly MemoryLimits[] = [];
  let exports: readonly Export[] = [];
  let functions: readonly DecodedFunction[] = [];
  let data: readonly DataSegment[] = [];

  const functionBody = (code: Reader, index: number): DecodedFunction => {
    if (index >= declared.length) throw new DecodeError('more bodies than functions', code.at);
    const type = declared[index];
    const byteLength = code.u32();
    const at = code.at;
    const body = code.part(byteLength);
    const locals = [...type.parameters, ...declaredLocals(body)];
    const scope = { locals: locals.length, functions: declared.length, memories: memories.length };
    const instructions = readCode(body, scope);
    body.finish();
    const name = exports.find((e) => e.kind === 'function' && e.index === index)?.name;
    return { index, name, type, locals, code: instructions, at, byteLength };
  };

  let last = 0;
  while (reader.at < reader.end) {
    const at = reader.at;
    const id = reader.byte();
    const section = reader.part(reader.u32());
    if (id === CUSTOM) continue;
    if (id in REFUSED) throw new DecodeError(`kernels have no ${REFUSED[id]}: section ${id}`, at);
    if (id <= last || id > STAGE) throw new DecodeError(`section ${id} is unknown, or not in its place`, at);
    last = id;
    if (id === TYPE) types = section.list(() => functionType(section));
    if (id === FUNCTION) declared = section.list(() => indexed(section, types, 'type').item);
    if (id === MEMORY) memories = section.list(() => memoryLimits(section));
    if (id === EXPORT) exports = section.list(() => exportOf(section, { function: declared, memory: memories }));
    if (id === CODE) functions = section.list((index) => functionBody(section, index));
    if (id === STAGE) data = section.list(() => dataSegment(section, memories));
    section.finish();
  }
  if (functions.length !== declared.length) throw new DecodeError('fewer bodies than functions', reader.at);
  if (memories.length > 1) throw new DecodeError('more than one memory', reader.at);
  return { types, functions, memory: memories[0], exports, data };
}
