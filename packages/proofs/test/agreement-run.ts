/** A program run three ways: by the engine, by the machine on constants, and by the machine on variables. */
import { Machine, type Event } from '../src/execute/machine.ts';
import { evaluateAll, forgetTerms, constant, valueOf } from '../src/terms/term.ts';
import { decode } from '../src/wasm/decode.ts';
import { INPUT, SHARED_BYTES, type Program } from './agreement-opcodes.ts';
import { randomValue } from './terms-random.ts';

/** The first bytes of memory before the call. */
export type Input = Uint8Array<ArrayBuffer>;

/** Anything everywhere, and words and double words that are often edge cases where programs take their operands. */
export function randomInput(random: (limit: number) => number): Input {
  const bytes = Uint8Array.from({ length: SHARED_BYTES }, () => random(256));
  const view = new DataView(bytes.buffer);
  const repeated = random(4) === 0 ? randomValue(random, 32) : undefined;
  for (let at = INPUT; at < INPUT + 96; at += 8) {
    if (random(2)) view.setBigUint64(at, randomValue(random, 64), true);
    else for (const i of [0, 4]) view.setUint32(at + i, Number(repeated ?? randomValue(random, 32)), true);
  }
  return bytes;
}

export async function byEngine({ bytes }: Program, inputs: readonly Input[]): Promise<Uint8Array[]> {
  const { instance } = await WebAssembly.instantiate(bytes);
  const { memory, run } = instance.exports as { memory: WebAssembly.Memory; run: () => void };
  const all = new Uint8Array(memory.buffer);
  return inputs.map((input) => {
    all.set(input);
    run();
    return all.slice(0, SHARED_BYTES);
  });
}

export interface Outcome {
  readonly memory: Uint8Array;
  readonly events: readonly Event[];
}

export function onConstants({ bytes }: Program, inputs: readonly Input[]): Outcome[] {
  const module = decode(bytes);
  forgetTerms();
  return inputs.map((input) => {
    const machine = new Machine(module);
    machine.write(
      0,
      [...input].map((byte) => constant(8, byte)),
    );
    machine.call('run');
    const values = machine.read(0, SHARED_BYTES).map((byte) => valueOf(byte));
    if (values.includes(undefined)) throw new Error('a byte that is not constant, though all of memory was');
    return { memory: Uint8Array.from(values as number[]), events: machine.events };
  });
}

/** Runs a program once for all inputs; the terms left in memory are then evaluated on each input. */
export function onVariables({ bytes }: Program, inputs: readonly Input[]): Outcome[] {
  forgetTerms();
  const machine = new Machine(decode(bytes));
  machine.call('run');
  const written = machine.written();
  const terms = written.map((address) => machine.read(address, 1)[0]);
  return inputs.map((input) => {
    const memory = input.slice();
    const values = evaluateAll(terms, (name) => input[addressOf(name)]);
    written.forEach((address, i) => (memory[address] = Number(values[i])));
    return { memory, events: machine.events };
  });
}

/** Runs a program anew for each input, because the input decides the way of the run; memory still holds terms. */
export function followingInputs({ bytes }: Program, inputs: readonly Input[]): Outcome[] {
  const module = decode(bytes);
  return inputs.map((input) => {
    forgetTerms();
    const assignment = (name: string): number => input[addressOf(name)];
    const machine = new Machine(module, { follow: assignment });
    machine.call('run');
    const memory = input.slice();
    const written = machine.written();
    const terms = written.map((address) => machine.read(address, 1)[0]);
    evaluateAll(terms, assignment).forEach((value, i) => (memory[written[i]] = Number(value)));
    return { memory, events: machine.events };
  });
}

/** The address in the name of a variable that stands for the earlier content of memory. */
export const addressOf = (name: string): number => Number(/^memory\[(\d+)\]$/.exec(name)![1]);
