/**
 * A circuit as text, in an order of its gates that needs few values at a time. Inputs are the letters a, b, c and d;
 * each gate makes the next letter of two others: `a&b`, `a|b`, `a^b`, and `a-b` for a and not b.
 */
import { INPUTS } from './search.ts';

interface Gate {
  readonly table: number;
  readonly op: '&' | '|' | '^' | '-';
  readonly a: number;
  readonly b: number;
}

export interface Circuit {
  readonly gates: string;
  readonly outputs: string;
  /** The most values that are needed at one time, outputs among them. */
  readonly live: number;
  /** How many gates follow one another up to each output. */
  readonly depths: readonly number[];
}

const OPERATIONS: readonly (readonly [Gate['op'], (a: number, b: number) => number])[] = [
  ['^', (a, b) => a ^ b],
  ['&', (a, b) => a & b],
  ['|', (a, b) => a | b],
  ['-', (a, b) => a & ~b],
];

/** A gate that makes a function of functions before it. */
function gateOf(table: number, before: readonly number[]): Gate {
  for (const [op, of] of OPERATIONS)
    for (const a of before) for (const b of before) if (a !== b && of(a, b) === table) return { table, op, a, b };
  throw new Error('no gate makes this function');
}

/** The circuit of a list of truth tables, inputs first: the next gate is always the one that leaves the fewest alive. */
export function circuitOf(tables: readonly number[], outputs: readonly number[]): Circuit {
  const waiting = tables.flatMap((table, i) => (i < INPUTS.length ? [] : [gateOf(table, tables.slice(0, i))]));
  const letters = new Map(INPUTS.map((table, i) => [table, 'abcd'[i]]));
  const depthOf = new Map(INPUTS.map((table) => [table, 0]));
  const text: string[] = [];
  let alive = [...INPUTS];
  let live = alive.length;
  while (waiting.length) {
    const ready = waiting.filter(({ a, b }) => letters.has(a) && letters.has(b));
    const aliveAfter = (gate: Gate): number[] => {
      const rest = waiting.filter((other) => other !== gate);
      return [...alive, gate.table].filter(
        (table) => outputs.includes(table) || rest.some(({ a, b }) => a === table || b === table),
      );
    };
    const next = ready.reduce((best, gate) => (aliveAfter(gate).length < aliveAfter(best).length ? gate : best));
    text.push(letters.get(next.a)! + next.op + letters.get(next.b)!);
    letters.set(next.table, String.fromCharCode('a'.charCodeAt(0) + letters.size));
    depthOf.set(next.table, 1 + Math.max(depthOf.get(next.a)!, depthOf.get(next.b)!));
    alive = aliveAfter(next);
    live = Math.max(live, alive.length);
    waiting.splice(waiting.indexOf(next), 1);
  }
  const depths = outputs.map((table) => depthOf.get(table)!);
  return { gates: text.join(' '), outputs: outputs.map((table) => letters.get(table)).join(''), live, depths };
}
