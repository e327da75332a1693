// node --import hooks.ts write.ts DIR TEXT: proves the claims with the text in their names, but for the last step of Poly1305, and
// writes a file for Coq for each last step that is another: the statement, and its proof.
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Claim } from '../claims/claim.ts';
import { forgetTerms } from '../terms/term.ts';
import { keepInstructions } from './machine-bits64.ts';
import { takeLastSteps } from './recording.ts';
import { scriptOf } from './script.ts';
import { statementOf } from './statement.ts';

/** The kernels that have it. */
const WITH_POLY1305 = /^(chacha|salsa|secretbox|poly1305|disk)/;

export interface Written {
  /** Names of files, without an ending. */
  readonly certificates: readonly string[];
  /** How many claims have a last step. */
  readonly asked: number;
  readonly failures: readonly string[];
}

const fileOf = (statement: string, proof: string, claims: readonly string[]): string =>
  [
    `(* The last step of Poly1305, in ${claims.length} claims, among them "${claims[0]}". Words.v has the meaning of its operations. *)`,
    'From Coq Require Import ZArith Lia.',
    'Require Import Words Steps.',
    'Open Scope Z_scope.',
    '',
    'Definition statement : Prop :=',
    statement,
    '',
    'Theorem certified : statement.',
    'Proof.',
    '  cbv delta [statement].',
    proof,
    'Qed.',
    '',
    'Print Assumptions certified.',
    '',
  ].join('\n');

/** Writes the certificates that claims need into a folder, which is emptied first. */
export async function writeCertificates(claims: readonly Claim[], folder: string): Promise<Written> {
  const found = new Map<string, { readonly proof: string; readonly claims: Set<string> }>();
  let asked = 0;
  const failures: string[] = [];
  for (const one of claims) {
    const { kernel, claim } = one;
    keepInstructions(claim.startsWith('the last step'));
    try {
      await one.prove();
    } catch (error) {
      failures.push(`${kernel}: ${claim}: ${String(error)}`);
    }
    const steps = takeLastSteps();
    if (steps.length > 0) asked++;
    for (const step of steps) {
      const statement = statementOf(step);
      const known = found.get(statement.text);
      if (known) known.claims.add(`${kernel}: ${claim}`);
      else found.set(statement.text, { proof: scriptOf(statement, step), claims: new Set([`${kernel}: ${claim}`]) });
    }
    forgetTerms();
  }
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const name of ['Words.v', 'Steps.v']) copyFileSync(join(import.meta.dirname, name), join(folder, name));
  const certificates = [...found].map(([statement, { proof, claims: of }], i) => {
    const name = `LastStep${i + 1}`;
    writeFileSync(join(folder, `${name}.v`), fileOf(statement, proof, [...of]));
    return name;
  });
  return { certificates, asked, failures };
}

async function main(): Promise<number> {
  const [folder, only] = process.argv.slice(2);
  const { allClaims } = await import('../claims/index.ts');
  const claims = allClaims().filter(
    ({ kernel, claim, after }) => !after && WITH_POLY1305.test(kernel) && `${kernel}: ${claim}`.includes(only),
  );
  const { certificates, asked, failures } = await writeCertificates(claims, folder);
  failures.forEach((failure) => console.error(`not proved: ${failure}`));
  console.log(`${certificates.length} certificates for the last steps of ${asked} claims, in ${folder}`);
  return failures.length > 0 ? 1 : certificates.length === 0 ? 2 : 0;
}

if (import.meta.main) process.exitCode = await main();
