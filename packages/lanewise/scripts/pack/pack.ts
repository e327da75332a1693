/** Packs the bytes of modules as texts. The format is described at the module that unpacks them: src/engine/unpacker-module.ts */
import {
  CONTINUED,
  DIGITS,
  FIRST,
  LAST_DIGITS,
  MODULE as MODULE_ADDRESS,
  TEXT,
  tableOf,
  type Instructions,
} from '../../src/engine/unpacker-module.ts';
import type { Module } from '../../src/wasm/module.ts';
import { FIRST_STEP, MERGED, MERGED_END, SECOND_STEP } from '../../src/words/weave.ts';
import { bodiesOf, instructionAt, stringOf, unsignedAt, type Kind } from './instructions.ts';

const END = '\x0b';
const SET = '\x21';
/** No instruction has this character, which has a meaning of its own in strings. */
const BACKSLASH = '\\'.charCodeAt(0);

/** All instructions of some modules. */
export function instructionsOf(modules: readonly Uint8Array[]): Instructions {
  const codes: Record<Kind, Set<string>> = {
    local: new Set(['\x20', '\x22', SET]),
    store: new Set(),
    load: new Set(),
    constant: new Set(),
    numbered: new Set(),
    vector: new Set(),
    other: new Set(),
  };
  for (const bytes of modules)
    for (const { declarations, code, end } of bodiesOf(bytes).bodies) {
      for (let at = declarations; at < code; at += 2) codes.other.add(declarationAt(bytes, at));
      for (let at = code; at < end - 1;) {
        const instruction = instructionAt(bytes, at);
        codes[instruction.kind].add(instruction.code);
        at = instruction.next;
      }
    }
  const sorted = (kind: Kind): string[] => [...codes[kind]].sort();
  const instructions = {
    ends: [END, SET] as const,
    stores: sorted('store'),
    loads: sorted('load'),
    locals: [...codes.local],
    constants: sorted('constant'),
    numbered: sorted('numbered'),
    vectors: sorted('vector'),
    others: sorted('other'),
  };
  const unused = BACKSLASH - FIRST - tableOf({ ...instructions, others: [] }).length;
  if (unused < 0 || unused > instructions.others.length)
    throw new Error('no place for the instruction that is not used');
  instructions.others.splice(unused, 0, '');
  const { length } = tableOf(instructions);
  if (FIRST + length > 126) throw new Error(`${length} instructions, which are more than characters`);
  return instructions;
}

/** A declaration of one local. */
function declarationAt(bytes: Uint8Array, at: number): string {
  if (bytes[at] !== 1) throw new Error(`a declaration of ${bytes[at]} locals at ${at}`);
  return stringOf(bytes.subarray(at, at + 2));
}

function numberText(n: number): string {
  let left = n < 0 ? -2 * n - 1 : 2 * n;
  let text = String.fromCharCode(FIRST + (left % LAST_DIGITS));
  for (left = Math.floor(left / LAST_DIGITS); left > 0; left = Math.floor(left / DIGITS))
    text = String.fromCharCode(CONTINUED + (left % DIGITS)) + text;
  return text;
}

const bytesText = (bytes: Iterable<number>): string =>
  Array.from(bytes, (byte) => numberText((byte << 24) >> 24)).join('');

/** One of the two halves of a text, as far as it is written. */
class Half {
  code = '';
  locals = '';
  offsets = '';
  constants = '';
  others = '';
  #local = 0;
  readonly #offsets = new Map<string, number>();

  local(index: number): void {
    this.locals += numberText(index - this.#local);
    this.#local = index;
  }

  offset(code: string, offset: number): void {
    const change = offset - (this.#offsets.get(code) ?? 0);
    if (change % 4 !== 0) throw new Error(`an offset of ${offset}, which is no multiple of four`);
    this.offsets += numberText(change / 4);
    this.#offsets.set(code, offset);
  }

  get text(): string {
    return [this.code, this.locals, this.offsets, this.constants, this.others].map((stream) => stream + ' ').join('');
  }
}

/** The characters of instructions; those with two have one for the end of a statement or a function, and one for elsewhere. */
function charactersOf(instructions: Instructions) {
  const table = tableOf(instructions);
  const character = (at: number): string => String.fromCharCode(FIRST + at);
  return {
    end: character(table.indexOf(END)),
    weave: character(table.length),
    of(code: string, ending: boolean): string {
      const at = code === SET && ending ? table.indexOf(code) : table.lastIndexOf(code);
      if (at < 0)
        throw new Error(`an instruction that is not in the table: ${Buffer.from(code, 'latin1').toString('hex')}`);
      return character(at);
    },
  };
}

/** Code with the note before it, if there is one. */
const PIECE = new RegExp(`([${MERGED}-${MERGED_END}]?)([^${MERGED}-${MERGED_END}]*)`, 'g');

/** The text of a module. */
export function packed(module: Module, instructions: Instructions): string {
  const characters = charactersOf(instructions);
  const [one, other] = [new Half(), new Half()];
  const bytes = module.bytes();

  const instruction = (half: Half, at: number, end: number): number => {
    const { kind, code, operand, next } = instructionAt(bytes, at);
    half.code += characters.of(code, next >= end);
    if (kind === 'local') half.local(unsignedAt(operand, 0).value);
    else if (kind === 'load' || kind === 'store') half.offset(code, unsignedAt(operand, 0).value);
    else if (kind === 'constant') half.constants += bytesText(operand);
    else half.others += bytesText(operand);
    return next;
  };
  /** The code of a function. In a list of steps, the end of each is the end of a statement. */
  const functionCode = (code: string, start: number): number => {
    let at = start;
    for (const { 1: note, 2: text, index } of code.matchAll(PIECE)) {
      if (note === MERGED) {
        const steps = code.slice(index, code.indexOf(MERGED_END, index));
        one.code += characters.weave;
        one.others += [FIRST_STEP, SECOND_STEP].map((step) => numberText(steps.split(step).length - 1)).join('');
      }
      const isStep = note === FIRST_STEP || note === SECOND_STEP;
      for (const next = at + text.length; at < next;)
        at = instruction(note === SECOND_STEP ? other : one, at, isStep ? next : at);
    }
    return at;
  };

  const { bodies, from, end } = bodiesOf(bytes);
  one.others += numberText(from) + bytesText(bytes.subarray(0, from)) + numberText(bodies.length);
  for (const [i, body] of bodies.entries()) {
    one.others += bytesText(bytes.subarray(body.from, body.declarations));
    for (let at = body.declarations; at < body.code; at += 2)
      one.code += characters.of(declarationAt(bytes, at), false);
    if (functionCode(module.codes[i], body.code) !== body.end - 1)
      throw new Error('notes of other code than the bytes');
    one.code += characters.end;
  }
  one.others += numberText(bytes.length - end) + bytesText(bytes.subarray(end));
  const text = one.text + other.text;
  if (text.length > MODULE_ADDRESS - TEXT || bytes.length > MODULE_ADDRESS)
    throw new Error('a module that is too long to be packed');
  return text;
}
