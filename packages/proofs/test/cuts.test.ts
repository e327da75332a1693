/** S-boxes on terms: a circuit that is wrong is refused, and the outputs of one that is right are named. */
import { describe, expect, it } from 'vitest';
import { FORWARD } from '../../lanewise/src/serpent/boxes.ts';
import { serpentSymbols } from '../src/rooms/serpent/symbols.ts';
import { SBOXES } from '../src/rooms/serpent/specification.ts';
import { substitution } from '../src/terms/cuts.ts';
import * as terms from '../src/terms/term.ts';

describe('a proposed circuit', () => {
  const [table] = SBOXES;
  const circuit = { text: FORWARD[0], before: 0, behind: table[0] };

  it('is refused if one row is wrong', () => {
    for (let x = 0; x < 16; x++)
      for (const bit of [1, 2, 4, 8])
        expect(() => substitution(table.with(x, table[x] ^ bit), circuit)).toThrow(`at ${x}`);
    expect(() => substitution(table, { ...circuit, behind: 0 })).toThrow('does not compute');
  });

  it('gives variables, the same ones for the same inputs, as secret as these', () => {
    const inputs = [0, 1, 2, 3].map((i) => terms.variable(32, `x${i}`, true));
    const outputs = substitution(table, circuit)(inputs);
    const others = substitution(table, circuit)(inputs.with(0, terms.variable(32, 'y', true)));
    expect(substitution(table, circuit)(inputs)).toEqual(outputs);
    outputs.forEach((output, i) => {
      expect(output.secret).toBe(true);
      expect(output).not.toBe(others[i]);
      expect(terms.variablesOf(output)).toHaveLength(1);
    });
  });

  it('is what a kernel that has another one does not come out as', () => {
    const [a, b, c, d] = [0, 1, 2, 3].map((i) => terms.variable(32, `z${i}`, true));
    const outputs = serpentSymbols.substitute(table, [a, b, c, d]);
    const other = serpentSymbols.substitute(SBOXES[1], [a, b, c, d]);
    outputs.forEach((output, i) => {
      expect(output).not.toBe(other[i]);
    });
  });
});
