/**
 * node packages/proofs/src/lints/module-numbers-golden.ts
 *
 * Writes module-numbers.golden.json: the numbers as they are, with the reasons that they had. New ones are marked, and the
 * lint refuses them until a person has written why the number is there.
 */
import { writeFileSync } from 'node:fs';
import {
  GOLDEN,
  listedNumbers,
  MISSING,
  named,
  numbersIn,
  shippedModules,
  type ModuleNumbers,
  type Sources,
} from './module-numbers.ts';

export const goldenNumbers = (sources: Sources, before: ModuleNumbers): ModuleNumbers =>
  Object.fromEntries(
    Object.entries(sources).flatMap(([file, text]) => {
      const numbers = named(numbersIn(file, text));
      const reasons = numbers.map((one) => [one, before[file]?.[one] ?? MISSING]);
      return numbers.length ? [[file, Object.fromEntries(reasons) as Readonly<Record<string, string>>]] : [];
    }),
  );

if (import.meta.main) {
  const golden = goldenNumbers(shippedModules(), listedNumbers());
  writeFileSync(GOLDEN, JSON.stringify(golden, null, 2) + '\n');
  const missing = Object.values(golden).flatMap((all) => Object.values(all).filter((reason) => reason === MISSING));
  console.log(
    missing.length ? `${missing.length} numbers have no reason yet: search for ${MISSING}` : 'all have reasons',
  );
}
