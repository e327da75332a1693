/** Loads, stores, and the instructions on memory as a whole. WebAssembly core specification §4.3.5 */
import * as terms from '../terms/term.ts';
import type { Instruction, InstructionWith, Opcode } from '../wasm/types.ts';
import type { Operation, Run } from './run.ts';
import { Vector } from './vector.ts';

const offsetOf = (instruction: Instruction): number => (instruction as InstructionWith<'memory'>).offset;

/** The address from which a load of `length` bytes reads. */
function from<V>(run: Run<V>, instruction: Instruction, length: number): number {
  const address = run.address(run.word(), offsetOf(instruction), length);
  run.reading(address, length);
  return address;
}

/** The address to which a store of `length` bytes writes; its value has already been popped. */
function to<V>(run: Run<V>, instruction: Instruction, length: number): number {
  const address = run.address(run.word(), offsetOf(instruction), length);
  run.writing(address, length);
  return address;
}

const words = <V>({ memory }: Run<V>, address: number, count: number): terms.Term[] =>
  Array.from({ length: count }, (_, i) => memory.word(address + 4 * i));

export const accessOperations: Partial<Record<Opcode, Operation>> = {
  'i32.load': (run, instruction) => run.push(run.memory.word(from(run, instruction, 4))),
  'i32.load8_u': (run, instruction) => run.push(terms.zeroExtend(run.memory.byte(from(run, instruction, 1)), 32)),
  'i32.store': (run, instruction) => {
    const value = run.word();
    run.memory.setWord(to(run, instruction, 4), value);
  },
  'i32.store8': (run, instruction) => {
    const value = terms.extract(run.word(), 8, 0);
    run.memory.setByte(to(run, instruction, 1), value);
  },

  'i64.load': (run, instruction) => {
    const [low, high] = words(run, from(run, instruction, 8), 2);
    run.push(run.integers64.fromWords(low, high));
  },
  'i64.load32_u': (run, instruction) =>
    run.push(run.integers64.extend_i32_u(run.memory.word(from(run, instruction, 4)))),
  'i64.store': (run, instruction) => {
    const value = run.integers64.words(run.long());
    const address = to(run, instruction, 8);
    value.forEach((word, i) => run.memory.setWord(address + 4 * i, word));
  },
  'i64.store32': (run, instruction) => {
    const value = run.integers64.wrap(run.long());
    run.memory.setWord(to(run, instruction, 4), value);
  },

  'v128.load': (run, instruction) => run.push(new Vector(words(run, from(run, instruction, 16), 4))),
  'v128.load32_splat': (run, instruction) => run.push(Vector.splat(run.memory.word(from(run, instruction, 4)))),
  'v128.load64_splat': (run, instruction) => {
    const [low, high] = words(run, from(run, instruction, 8), 2);
    run.push(new Vector([low, high, low, high]));
  },
  'v128.store': (run, instruction) => {
    const value = run.vector();
    const address = to(run, instruction, 16);
    value.words.forEach((word, i) => run.memory.setWord(address + 4 * i, word));
  },

  'memory.fill': (run) => {
    const length = run.decide(run.word(), 'length');
    const byte = terms.extract(run.word(), 8, 0);
    const address = run.address(run.word(), 0, length);
    run.writing(address, length);
    run.memory.fill(address, byte, length);
  },
  'memory.copy': (run) => {
    const length = run.decide(run.word(), 'length');
    const source = run.address(run.word(), 0, length);
    const destination = run.address(run.word(), 0, length);
    run.reading(source, length);
    run.writing(destination, length);
    run.memory.copy(destination, source, length);
  },
};
