/**
 * The congruence modulo p = 2^130 - 5 again, by another method than in congruence.ts: both sides are evaluated at a
 * random point of the field of p elements. Words and quotients are atoms, and each has a random residue; a name of a
 * polynomial has the residue of that polynomial. Two polynomials of degree d that differ modulo p agree at a random
 * point with a probability of at most d / p (Schwartz, 1980; Zippel, 1979). So a long division that went wrong would be
 * noticed, in every run anew.
 */
import { randomBytes } from 'node:crypto';
import { Failure } from '../claims/claim.ts';
import { accumulate, P, residues } from '../rooms/poly1305/specification.ts';
import type { Atom, Sum } from './ring.ts';

/** 192 random bits reduced modulo p, so that the bias of the residue is at most 2^-62. */
const randomResidue = (): bigint => BigInt(`0x${randomBytes(24).toString('hex')}`) % P;

/** Evaluates polynomials at one random point. */
function evaluator(): (polynomial: Sum) => bigint {
  const known = new Map<Atom, bigint>();
  const valueOf = (polynomial: Sum): bigint => {
    let total = 0n;
    for (const [{ atoms }, coefficient] of polynomial.terms)
      total += atoms.reduce((product, atom) => (product * atomValue(atom)) % P, coefficient);
    return ((total % P) + P) % P;
  };
  const atomValue = (atom: Atom): bigint => {
    const { definition } = atom;
    const value = known.get(atom) ?? (definition.kind === 'sum' ? valueOf(definition.of) : randomResidue());
    known.set(atom, value);
    return value;
  };
  return valueOf;
}

/** Throws Failure if `h` differs from the specification's accumulator over the blocks. */
export function requireEqualAtRandomPoint(h: Sum, r: Sum, blocks: readonly Sum[], start: Sum): void {
  const valueOf = evaluator();
  const expected = accumulate(residues, valueOf(r), blocks.map(valueOf), valueOf(start));
  if (valueOf(h) !== expected) throw new Failure('not congruent mod 2^130 - 5 at a random point');
}
