/** Congruence modulo 2^64 of polynomials in words and the quotients of carrying. */
import { Failure } from '../claims/claim.ts';
import type { Monomial } from './polynomial.ts';
import { Polynomial } from './polynomial.ts';
import type { Definition, Sum } from './ring.ts';

const MODULUS = 1n << 64n;

const reduced = (x: Sum): Sum =>
  Polynomial.sum(
    [...x.terms].map(([monomial, c]): [Monomial<Definition>, bigint] => [
      monomial,
      ((c % MODULUS) + MODULUS) % MODULUS,
    ]),
  );

/** The polynomial with the names that stand alone expanded. */
function writtenOut(x: Sum): Sum {
  for (let written = reduced(x); ;) {
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

/** Throws Failure unless the two polynomials are shown to be congruent modulo 2^64. */
export function requireCongruent64(x: Sum, y: Sum, what: string): void {
  const { size } = writtenOut(x.minus(y)).terms;
  if (size) throw new Failure(`${what}: not congruent mod 2^64, ${size} terms are left`);
}
