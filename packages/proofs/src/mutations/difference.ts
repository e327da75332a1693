/** Whether the engine sees a difference between two modules: in results, traps and all of memory, on many random calls. */
import type { Range } from '../execute/machine.ts';
import type { Kernel } from '../kernels.ts';
import { decode } from '../wasm/decode.ts';
import type { DecodedModule } from '../wasm/types.ts';
import { callNames, prepare, type Call } from './calls.ts';
import { withFuel } from './fuel.ts';
import { Random } from './random.ts';

/** The limit of loop iterations and calls: more than all calls of an undamaged kernel take. */
const FUEL = 20_000_000;

type Functions = Readonly<Record<string, (...parameters: readonly number[]) => number | undefined>>;

interface Running {
  readonly memory: Uint8Array<ArrayBuffer>;
  /** Calls a function; returns its result or the name of the trap. */
  run(name: string, parameters: readonly number[]): string;
}

function start(bytes: Uint8Array, module: DecodedModule): Running {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(withFuel(bytes, module, FUEL)));
  const memory = new Uint8Array((exports['memory'] as WebAssembly.Memory).buffer);
  const functions = exports as unknown as Functions;
  return {
    memory,
    run(name, parameters) {
      try {
        return String(functions[name](...parameters));
      } catch (error) {
        // A trap, or a stack that overflows: mutants may call themselves.
        if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError) return error.name;
        throw error;
      }
    },
  };
}

export interface Difference {
  /** The function whose call distinguishes the two modules. */
  readonly name: string;
  /** A description of the difference. */
  readonly what: string;
  /** Whether it is in results or in memory that is read; in memory that the kernel has wiped; or only in scratch. */
  readonly where: 'results' | 'wiped' | 'scratch';
}

const within = (address: number, { from, to }: Range): boolean => address >= from && address < to;

/** The difference of memory after a call, preferably in the memory that matters most. */
function differenceOfMemory(call: Call, a: Uint8Array, b: Uint8Array): Difference | undefined {
  if (Buffer.compare(a, b) === 0) return undefined;
  const { name, scratch, wiped } = call;
  const without = (ranges: readonly Range[]): number =>
    a.findIndex((byte, at) => byte !== b[at] && !ranges.some((range) => within(at, range)));
  const found = ([[...scratch, ...wiped], scratch, []] as const).map(without);
  const worst = found.findIndex((at) => at >= 0);
  const where = (['results', 'wiped', 'scratch'] as const)[worst];
  return { name, what: `${textOf(call)} leaves another byte at ${found[worst]}`, where };
}

const textOf = ({ name, parameters }: Call): string => `${name}(${parameters.join(', ')})`;

/** A difference of two modules on the engine; undefined if the given number of calls of each function shows none. */
export function difference(
  kernel: Kernel,
  mutant: Uint8Array,
  mutantModule: DecodedModule,
  calls: number,
  seed: number,
): Difference | undefined {
  const random = new Random(seed);
  const original = start(kernel.bytes, decode(kernel.bytes));
  const other = start(mutant, mutantModule);
  let slight: Difference | undefined;
  for (let i = 0; i < calls; i++)
    for (const name of callNames(kernel)) {
      const call = prepare(kernel, name, random, original.memory);
      other.memory.set(original.memory);
      const [expected, found] = [original, other].map((running) => running.run(name, call.parameters));
      if (expected !== found)
        return { name, what: `${textOf(call)} gives ${found} instead of ${expected}`, where: 'results' };
      const seen = differenceOfMemory(call, original.memory, other.memory);
      if (seen?.where === 'results') return seen;
      if (seen && slight?.where !== 'wiped') slight = seen;
    }
  return slight;
}
