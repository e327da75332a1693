// node --import hooks.ts write.ts DIR TEXT: proves the claims with the text in their names, and writes the obligations of all steps.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { forgetTerms } from '../terms/term.ts';
import { callsOfConstructors } from './recording.ts';
import { fileOf, obligationsOfRules } from './rules.ts';

const [folder, only] = process.argv.slice(2);
// After the hooks: these modules get the terms that are recorded.
const { allClaims } = await import('../claims/index.ts');
const { outcomeOf } = await import('../prove-outcome.ts');

const claims = allClaims().filter(({ kernel, claim, after }) => !after && `${kernel}: ${claim}`.includes(only));
let failed = 0;
const first = new Map<number, string>();
for (const [i, claim] of claims.entries()) {
  const before = obligationsOfRules().length;
  const { failure } = await outcomeOf(claim, i);
  if (failure !== undefined) {
    failed++;
    console.error(`not proved: ${claim.kernel}: ${claim.claim}: ${failure}`);
  }
  for (const { number } of obligationsOfRules().slice(before)) first.set(number, `${claim.kernel}: ${claim.claim}`);
  forgetTerms();
}

const rules = join(folder, 'rules');
rmSync(rules, { recursive: true, force: true });
mkdirSync(rules, { recursive: true });
const obligations = obligationsOfRules();
for (const { about, number, steps, text } of obligations) {
  const head = [
    about === 'bits'
      ? 'Bits that are 0, of a node whose operands have these.'
      : `The operation "${about}", and the term that the prover made of it.`,
    `It stands for ${steps} steps; the first is one of the claim "${first.get(number)}".`,
  ].join('\n');
  writeFileSync(join(rules, `${about}-${String(number).padStart(5, '0')}.smt2`), fileOf(head, text));
}
console.log(
  `${obligations.length} obligations stand for ${callsOfConstructors()} operations of ${claims.length} claims; files in ${rules}`,
);
process.exitCode = failed > 0 ? 1 : claims.length === 0 ? 2 : 0;
