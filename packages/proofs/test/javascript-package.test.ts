// The proofs about the generated files hold for the package, whose functions a bundler printed: they are the same
// functions. Where the trees differ, javascript-package.nightly.test.ts repeats the proofs.
import { describe, expect, it } from 'vitest';
import { INTRINSICS } from '../src/javascript/intrinsics.ts';
import { parse } from '../src/javascript/parse.ts';
import { texts } from '../src/javascript/texts.ts';
import { expectIntrinsic, fileOf, importsOf, inPackage } from './javascript-in-package.ts';

describe.each(texts)('$name in the package', (generated) => {
  const shipped = inPackage(generated);
  const [before, after] = [generated, shipped].map(({ text }) => parse(text));

  it('exports the same functions', () => {
    expect(after.exported).toEqual(before.exported);
    expect([...after.functions.keys()]).toEqual([...before.functions.keys()]);
  });

  it('takes from the language what the interpreter takes it for', async () => {
    const imported = await importsOf(fileOf(generated));
    const used = INTRINSICS.filter((name) => new RegExp(`\\b${name}\\(`).test(shipped.text));
    expect(used.length).toBeGreaterThan(0);
    for (const name of used) expectIntrinsic(name, imported.get(name));
  });
});
