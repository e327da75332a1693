// The proofs about the generated files hold for the package, whose functions a bundler printed: most functions have the
// same trees, and for the others the proofs are repeated on the package's text.
import { afterAll, describe, expect, it } from 'vitest';
import { textClaims } from '../src/claims/index.ts';
import { parse } from '../src/javascript/parse.ts';
import { texts } from '../src/javascript/texts.ts';
import { forgetTerms } from '../src/terms/term.ts';
import { inPackage, reaching, treeOf } from './javascript-in-package.ts';

describe.each(texts)('$name in the package', (generated) => {
  afterAll(forgetTerms);
  const shipped = inPackage(generated);
  const [before, after] = [generated, shipped].map(({ text }) => parse(text));

  const changed = [...before.functions.keys()].filter((name) => treeOf(before, name) !== treeOf(after, name));
  const reached = reaching(after, changed);
  const again = textClaims(shipped).filter(
    // Claims about BLAKE3 name the function that they are about. Coverage, and the text that the generator makes, have
    // been claimed of the generated text.
    ({ claim, after: others }) =>
      !others &&
      !claim.startsWith('public numbers') &&
      reached.length &&
      (generated.family !== 'blake3' || reached.some((name) => claim.includes(name))),
  );
  it('exports what is reached', () => expect(before.exported).toEqual(expect.arrayContaining(reached)));
  if (again.length) it.each(again)('$claim', (claim) => claim.prove());
});
