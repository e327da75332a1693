/**
 * Whether a polynomial is congruent to an expression of the specification modulo p = 2^130 - 5.
 *
 * The expression is taken apart from the outside. Where it is r·e, the polynomial must be r times another polynomial,
 * which must be congruent to e; where it is e + n, the polynomial minus n must be congruent to e. Atoms that name
 * polynomials are expanded only as far as the next multiplication by r, so that each block costs the same.
 */
import { Failure } from '../claims/claim.ts';
import { accumulate, P, type Arithmetic } from '../rooms/poly1305/specification.ts';
import type { Monomial } from './polynomial.ts';
import { Polynomial } from './polynomial.ts';
import { requireEqualAtRandomPoint } from './random-point.ts';
import type { Definition, Ring, Sum } from './ring.ts';

/** The specification's formula, on polynomials. */
export type Expression =
  | { readonly kind: 'is'; readonly value: Sum }
  | { readonly kind: 'add'; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'multiply'; readonly left: Expression; readonly right: Expression };

const expressions = (zero: Sum): Arithmetic<Expression> => ({
  zero: { kind: 'is', value: zero },
  add: (left, right) => ({ kind: 'add', left, right }),
  multiply: (left, right) => ({ kind: 'multiply', left, right }),
});

const modulo = (x: bigint): bigint => ((x % P) + P) % P;
const reduced = (x: Sum): Sum => Polynomial.sum([...x.terms].map(([monomial, c]) => [monomial, modulo(c)]));

/** 1/x mod p, by Fermat: x^(p - 2). */
function inverse(x: bigint): bigint {
  let result = 1n;
  for (let exponent = P - 2n, power = modulo(x); exponent; exponent >>= 1n, power = (power * power) % P)
    if (exponent & 1n) result = (result * power) % P;
  return result;
}

/** The polynomial with the names that stand alone expanded, and reduced modulo p. */
function writtenOut(x: Sum): Sum {
  let written = reduced(x);
  for (;;) {
    const [names, others] = written.parted(
      (_, { atoms, degree }) => degree === 1 && atoms[0].definition.kind === 'sum',
    );
    if (!names.terms.size) return written;
    const meanings = [...names.terms].flatMap(([{ atoms }, coefficient]) => {
      const { definition } = atoms[0];
      return definition.kind === 'sum' ? [...definition.of.scaled(coefficient).terms] : [];
    });
    written = reduced(Polynomial.sum([...others.terms, ...meanings]));
  }
}

/** Long division, x ≡ r·quotient + rest: the atom that comes first in r does not occur in the rest. */
function divided(one: Monomial<Definition>, x: Sum, r: Sum): { quotient: Sum; rest: Sum } {
  const pivot = [...r.terms].find(([{ degree }, coefficient]) => degree === 1 && modulo(coefficient) !== 0n);
  if (!pivot) throw new Failure('r is a constant');
  const [monomial, coefficient] = pivot;
  const [atom] = monomial.atoms;
  const by = inverse(coefficient);
  const times = ({ atoms }: Monomial<Definition>): number => atoms.filter((other) => other === atom).length;
  let quotient = new Polynomial<Definition>(new Map());
  let rest = x;
  for (;;) {
    const most = [...rest.terms.keys()].reduce((highest, term) => Math.max(highest, times(term)), 0);
    if (most === 0) return { quotient, rest };
    const [leading] = rest.parted((_, term) => times(term) === most);
    const part = Polynomial.sum(
      [...leading.terms].map(([{ atoms }, c]): [Monomial<Definition>, bigint] => {
        const at = atoms.indexOf(atom);
        return [one.of(atoms.filter((_, i) => i !== at)), modulo(c * by)];
      }),
    );
    quotient = quotient.plus(part);
    rest = reduced(rest.minus(r.times(part)));
  }
}

function requireZero(x: Sum, what: string): void {
  const { size } = x.terms;
  if (size) throw new Failure(`not congruent mod 2^130 - 5: ${size} terms are left of ${what}`);
}

/** Throws Failure unless `x` is shown to be congruent to the expression. */
function requireCongruent(one: Monomial<Definition>, x: Sum, expression: Expression): void {
  for (let depth = 0; ; depth++) {
    const where = `the expression ${depth} operations deep`;
    if (expression.kind === 'is') {
      requireZero(writtenOut(x.minus(expression.value)), where);
      return;
    }
    const { kind, left, right } = expression;
    if (kind === 'add') {
      if (right.kind !== 'is') throw new Failure(`${where} does not end in a known number`);
      x = writtenOut(x).minus(right.value);
      expression = left;
    } else {
      if (left.kind !== 'is') throw new Failure(`${where} does not start with a known number`);
      const { quotient, rest } = divided(one, writtenOut(x), reduced(left.value));
      requireZero(rest, `a number that is r times ${where}`);
      x = quotient;
      expression = right;
    }
  }
}

/** Throws Failure unless `h` is the specification's accumulator over the blocks, modulo 2^130 - 5. */
export function requireAccumulated(ring: Ring, h: Sum, r: Sum, blocks: readonly Sum[], start: Sum): void {
  const is = (value: Sum): Expression => ({ kind: 'is', value });
  const f = expressions(ring.constant(0n).polynomial);
  requireCongruent(ring.one, h, accumulate(f, is(r), blocks.map(is), is(start)));
  requireEqualAtRandomPoint(h, r, blocks, start);
}
