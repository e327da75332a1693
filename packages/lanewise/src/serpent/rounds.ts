/**
 * Serpent, as its authors draw it in bitslice mode: "Serpent: A Proposal for the Advanced Encryption Standard" (Anderson,
 * Biham, Knudsen, 1998), §3 to §5 and the appendix. A block is four words; an S-box works on 32 nibbles at once, whose
 * bits j are in word j.
 *
 * The S-boxes here are without their constant S(0), the image of zero: it is added to the round keys instead, moved
 * through the linear transformation. So a circuit needs no complement, and neither does its inverse: it takes zero to
 * zero too.
 */
import { FORWARD, INVERSE, SBOXES } from './boxes.ts';
import type { Logic } from '../words/machine.ts';

export const ROUNDS = 32;
export const BOXES = 8;

/** Runs a circuit: its gates in turn, each on two letters; the last four letters name the results. */
function run<V>(logic: Logic<V>, circuit: string, inputs: readonly V[]): V[] {
  const values = [...inputs];
  const valueOf = (letter: string): V => values[letter.charCodeAt(0) - 'a'.charCodeAt(0)];
  const steps = circuit.split(' ');
  const results = steps.pop()!;
  for (const [left, gate, right] of steps) {
    const [x, y] = [valueOf(left), valueOf(right)];
    values.push(
      gate === '^'
        ? logic.xor(x, y)
        : gate === '&'
          ? logic.and(x, y)
          : gate === '|'
            ? logic.or(x, y)
            : logic.andnot(x, y),
    );
  }
  return Array.from(results, valueOf);
}

/** S-box number `box` without its constant, S(x) ^ S(0), on the four words of a block. */
export const substitute = <V>(logic: Logic<V>, box: number, x: readonly V[]): V[] => run(logic, FORWARD[box], x);

/** Its inverse. */
export const restore = <V>(logic: Logic<V>, box: number, x: readonly V[]): V[] => run(logic, INVERSE[box], x);

/** The linear transformation. §3.1, and the equations of §3.3 */
export function transform<V>({ xor, rotl, shl }: Logic<V>, [a, b, c, d]: readonly V[]): V[] {
  const a1 = rotl(a, 13);
  const c1 = rotl(c, 3);
  const b1 = rotl(xor(xor(b, a1), c1), 1);
  const d1 = rotl(xor(xor(d, c1), shl(a1, 3)), 7);
  const a2 = rotl(xor(xor(a1, b1), d1), 5);
  const c2 = rotl(xor(xor(c1, d1), shl(b1, 7)), 22);
  return [a2, b1, c2, d1];
}

/** Its inverse: the same steps backwards. */
export function transformBack<V>({ xor, rotl, shl }: Logic<V>, [a2, b1, c2, d1]: readonly V[]): V[] {
  const c1 = xor(xor(rotl(c2, 32 - 22), d1), shl(b1, 7));
  const a1 = xor(xor(rotl(a2, 32 - 5), b1), d1);
  const d = xor(xor(rotl(d1, 32 - 7), shl(a1, 3)), c1);
  const b = xor(xor(rotl(b1, 32 - 1), a1), c1);
  return [rotl(a1, 32 - 13), b, rotl(c1, 32 - 3), d];
}

/** The golden ratio, in the recurrence of the prekeys. §4 */
export const PHI = 0x9e3779b9;

/** The S-box that makes round key i: S3, S2, S1, S0, S7 and so on. §4 */
export const boxOfKey = (i: number): number => (BOXES + 3 - i) & (BOXES - 1);

/** Operations on numbers, for values that are known in advance. */
const numbers: Logic<number> = {
  xor: (x, y) => x ^ y,
  and: (x, y) => x & y,
  or: (x, y) => x | y,
  andnot: (x, y) => x & ~y,
  rotl: (x, n) => (x << n) | (x >>> (32 - n)),
  shl: (x, n) => x << n,
};

/** S(0) of a box, on the four words of a block. */
const constantOf = (box: number): number[] => [0, 1, 2, 3].map((bit) => -((SBOXES[box][0] >> bit) & 1));

/**
 * The constants that are added to round key i because its S-boxes are without theirs: the constant of the S-box that
 * makes the key, and that of the S-box in the round before, as it comes out of that round. The last round has no linear
 * transformation.
 */
export function constantOfKey(i: number): number[] {
  const own = constantOf(boxOfKey(i));
  if (i === 0) return own;
  const before = constantOf((i - 1) % BOXES);
  const moved = i === ROUNDS ? before : transform(numbers, before);
  return own.map((word, j) => word ^ moved[j]);
}
