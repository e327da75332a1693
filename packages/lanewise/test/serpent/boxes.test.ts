/** The circuits of the S-boxes: each computes its table, all of it, in the gates that are allowed, and few of them. */
import { describe, expect, it } from 'vitest';
import { circuitOf } from '../../scripts/circuits/schedule.ts';
import { INPUTS, search, tableOf } from '../../scripts/circuits/search.ts';
import { FORWARD, INVERSE, SBOXES } from '../../src/serpent/boxes.ts';

/** The outputs of a circuit for one input, bit by bit. */
function valueOf(circuit: string, x: number): number {
  const bits = [0, 1, 2, 3].map((bit) => (x >> bit) & 1);
  const at = (letter: string): number => bits[letter.charCodeAt(0) - 97];
  const steps = circuit.split(' ');
  const outputs = steps.pop()!;
  for (const step of steps) {
    const [, left, gate, right] = /^([a-z])([&|^-])([a-z])$/.exec(step)!;
    const [a, b] = [at(left), at(right)];
    bits.push(gate === '&' ? a & b : gate === '|' ? a | b : gate === '^' ? a ^ b : a & (b ^ 1));
  }
  expect(outputs).toMatch(/^[a-z]{4}$/);
  return Array.from(outputs).reduce((y, letter, bit) => y | (at(letter) << bit), 0);
}
const inputs = Array.from({ length: 16 }, (_, x) => x);
const gatesOf = (circuits: readonly string[]): number =>
  circuits.reduce((sum, circuit) => sum + circuit.split(' ').length - 1, 0);

describe.each(inputs.slice(0, 8))('S%i', (box) => {
  it('is a permutation', () => {
    expect([...SBOXES[box]].sort((a, b) => a - b)).toEqual(inputs);
  });
  it('is its circuit and a constant', () => {
    expect(inputs.map((x) => valueOf(FORWARD[box], x) ^ SBOXES[box][0])).toEqual(SBOXES[box]);
  });
  it('is undone by the inverse circuit', () => {
    expect(inputs.map((x) => valueOf(INVERSE[box], SBOXES[box][x] ^ SBOXES[box][0]))).toEqual(inputs);
  });
});

it('takes no more gates than it is said to', () => {
  expect(SBOXES).toHaveLength(8);
  expect(FORWARD).toHaveLength(8);
  expect(INVERSE).toHaveLength(8);
  expect(gatesOf(FORWARD)).toBe(111);
  expect(gatesOf(INVERSE)).toBe(115);
});

it('is found by the search, which gives circuits that are right', () => {
  const box = SBOXES[4].map((y) => y ^ SBOXES[4][0]);
  const outputs = [0, 1, 2, 3].map((bit) => tableOf(box, bit));
  const found = search(outputs, 20);
  expect(found.length).toBeGreaterThan(0);
  for (const tables of found) {
    const { gates, outputs: letters } = circuitOf(tables, outputs);
    expect(gates.split(' ')).toHaveLength(tables.length - INPUTS.length);
    expect(inputs.map((x) => valueOf(`${gates} ${letters}`, x))).toEqual(box);
  }
});
