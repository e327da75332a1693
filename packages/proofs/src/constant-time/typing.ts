/**
 * Labels every value of a module as public or secret, on all paths and for all lengths, and reports every place where
 * the time may depend on a secret: a branch, an address, a length, a division, a `select`, a shift count, a trap.
 *
 * The code needs no annotations. Values loaded from memory are secret, because keys and messages are there. Parameters
 * of an exported function are public (lengths, counters, flags, addresses), and so are constants and values computed
 * from public values. While no branch depends on a secret, no value reveals the path on which it was computed.
 *
 * One exception is given from outside: parameters that are addresses by the definition of a primitive (scrypt's V[j]). They may be
 * addresses of loads; every other use of them is reported as that of a secret.
 */
import { Analysis } from '../static/analysis.ts';
import type { Lattice } from '../static/lattice.ts';
import { ENTRIES } from '../wasm/opcodes.ts';
import type { DecodedFunction, DecodedModule, Instruction, Opcode } from '../wasm/types.ts';
import {
  computed,
  joined,
  ofOr,
  ofXor,
  ofZero,
  resultsOf,
  type Label,
  type Results,
  type SecretAddresses,
} from './labels.ts';
import { RULES, type LeakKind } from './rules.ts';

export interface Violation {
  readonly kind: LeakKind;
  readonly op: Opcode;
  /** The offset of the instruction in the module. */
  readonly at: number;
  /** The index of the instruction's function. */
  readonly function: number;
}

export interface Typing extends Results {
  readonly violations: readonly Violation[];
}

/** The label of an instruction's result. */
function labelOf(instruction: Instruction, operands: readonly Label[]): Label {
  // Loaded values are secret, because memory holds secrets.
  if ('offset' in instruction) return 'secret';
  switch (instruction.op) {
    case 'i32.xor':
      return ofXor(operands[0], operands[1]);
    case 'i32.or':
      return ofOr(operands[0], operands[1]);
    case 'i32.eqz':
      return ofZero(operands[0]);
    default:
      return computed(operands);
  }
}

/** Whether an instruction is a load from an address that may depend on a secret. */
const isLoadFrom = ({ op }: Instruction, label: Label): boolean => label === 'address' && /\.load/.test(op);

class Labels implements Lattice<Label> {
  readonly zero = 'public';
  violations: Violation[] = [];
  readonly #secretAddresses: SecretAddresses;

  constructor(secretAddresses: SecretAddresses) {
    this.#secretAddresses = secretAddresses;
  }

  parameter({ name }: DecodedFunction, index: number): Label {
    return this.#secretAddresses[name!]?.includes(index) ? 'address' : 'public';
  }

  readonly join = joined;

  compute(instruction: Instruction, operands: readonly Label[], { index }: DecodedFunction): readonly Label[] {
    const { op, at } = instruction;
    for (const [operand, kind] of RULES.get(op)!)
      if (operands[operand] !== 'public' && !isLoadFrom(instruction, operands[operand]))
        this.violations.push({ kind, op, at, function: index });
    if (op === 'select') return [computed(operands)];
    return ENTRIES.get(op)!.leaves.map(() => labelOf(instruction, operands));
  }
}

export function typeModule(module: DecodedModule, secretAddresses: SecretAddresses = {}): Typing {
  const labels = new Labels(secretAddresses);
  const { results } = new Analysis(module, labels).run(() => {
    labels.violations = [];
  });
  // A function has one result or none.
  const exported = module.functions.flatMap(({ name, index }) =>
    name === undefined ? [] : (results[index] ?? []).map((label) => [name, label] as const),
  );
  return { violations: labels.violations, ...resultsOf(exported) };
}

/** A violation as one line of text. */
export const describeViolation = ({ kind, op, at, function: f }: Violation): string =>
  `a secret decides about the ${kind} of ${op} at ${at}, in function ${f}`;
