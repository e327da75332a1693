// The machine code that JavaScriptCore makes of the kernels, in Bun: no branch, address or division depends on a secret, but those that are planted.
import { describe, expect, it } from 'vitest';
import { BUN, fetched } from '../../runtimes/src/fetched.ts';
import { kernels } from '../src/kernels.ts';
import type { MachineFunction } from '../src/machine-code/instruction.ts';
import { compiledByBun } from '../src/machine-code/jsc.ts';
import { secretsIn } from '../src/machine-code/secrets.ts';
import { decode } from '../src/wasm/decode.ts';
import { leaking, leaks, showsAs, withLeak } from './machine-code-leaks.ts';

const isHere = process.arch === 'x64' && process.platform === 'linux';
const bun = isHere ? await fetched(BUN).catch((error: unknown) => error as Error) : new Error('needs x64 and Linux');
if (bun instanceof Error) console.log(`the machine code of JavaScriptCore is not read: ${bun.message}`);

/** A group of sets takes a longer message than the calls have: this function is not called, so it is not compiled. */
const NOT_CALLED: Readonly<Record<string, readonly number[]>> = { 'disk relaxed': [2], 'disk swizzle': [2] };

const COMPILERS = ['OMG', 'BBQ'] as const;
const by = (compiler: string, all: readonly MachineFunction[]): readonly MachineFunction[] =>
  all.filter((one) => one.compiler === compiler);

describe.skipIf(bun instanceof Error)('machine code of JavaScriptCore', () => {
  it.each(kernels)('$name: nothing depends on a secret', { timeout: 60_000 }, async (kernel) => {
    const all = await compiledByBun(bun as string, kernel);
    const missing = NOT_CALLED[kernel.name] ?? [];
    const expected = decode(kernel.bytes).functions.flatMap(({ index }) => (missing.includes(index) ? [] : [index]));
    for (const compiler of COMPILERS) {
      const indexes = new Set(by(compiler, all).map(({ index }) => index));
      expect([...indexes].sort((x, y) => x - y)).toEqual(expected);
    }
    for (const one of all) {
      const { findings, instructions, unreached } = secretsIn(one);
      expect({ findings, unreached }).toEqual({ findings: [], unreached: 0 });
      expect(instructions).toBeGreaterThan(3);
    }
  });

  describe.each(leaking)('%s', (name) => {
    it.each(leaks)('a %s that is planted is found in the code of both compilers', { timeout: 60_000 }, async (what) => {
      const all = await compiledByBun(bun as string, withLeak(name, what));
      for (const compiler of COMPILERS) {
        const findings = by(compiler, all).flatMap((one) => secretsIn(one).findings);
        expect(findings.map((finding) => finding.what)).toContain(showsAs(what));
      }
    });
  });
});
