// The machine code that SpiderMonkey makes of the kernels has no branch, address or division that depends on a secret, but those that are planted.
import { describe, expect, it } from 'vitest';
import { kernels } from '../src/kernels.ts';
import { secretsIn } from '../src/machine-code/secrets.ts';
import { compiledBySpiderMonkey, shellVersion } from '../src/machine-code/spidermonkey.ts';
import { decode } from '../src/wasm/decode.ts';
import { leaks, showsAs, withLeak } from './machine-code-leaks.ts';

const isHere = process.arch === 'x64' && shellVersion() !== undefined;
if (!isHere) console.log('the machine code of SpiderMonkey is not read: it needs js102, of libmozjs-102-dev, and x64');
else console.log(shellVersion());

/** Version 102 has no relaxed instructions. */
const own = kernels.filter(({ form }) => form !== 'relaxed');

describe.runIf(isHere).each(['Ion', 'Baseline'] as const)('machine code of %s', (compiler) => {
  it.each(own)('$name: nothing depends on a secret', ({ bytes }) => {
    const compiled = compiledBySpiderMonkey(compiler, bytes);
    expect(compiled.map(({ index }) => index)).toEqual(decode(bytes).functions.map(({ index }) => index));
    for (const one of compiled) {
      const { findings, instructions, unreached } = secretsIn(one);
      expect({ findings, unreached }).toEqual({ findings: [], unreached: 0 });
      expect(instructions).toBeGreaterThan(3);
    }
  });

  describe.each(['chacha long swizzle', 'blake3 swizzle', 'serpent swizzle', 'disk scalar'])('%s', (name) => {
    it.each(leaks)('a %s that is planted is found', (what) => {
      const findings = compiledBySpiderMonkey(compiler, withLeak(name, what).bytes).flatMap(
        (one) => secretsIn(one).findings,
      );
      expect(findings.map((finding) => finding.what)).toContain(showsAs(what));
    });
  });
});
