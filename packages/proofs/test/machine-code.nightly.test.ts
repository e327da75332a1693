// The machine code that V8 makes of the kernels has no branch, address or division that depends on a secret. It is read on x64 only.
import { describe, expect, it } from 'vitest';
import { kernels } from '../src/kernels.ts';
import { compiledBy, functionsIn } from '../src/machine-code/v8.ts';
import { secretsIn } from '../src/machine-code/secrets.ts';
import { decode } from '../src/wasm/decode.ts';
import { leaking, leaks, showsAs, withLeak } from './machine-code-leaks.ts';

const COMPILERS = ['TurboFan', 'Liftoff'] as const;
type Compiler = (typeof COMPILERS)[number];
const isX64 = process.arch === 'x64';
if (!isX64) console.log(`the machine code of V8 is not read on ${process.arch}: the reader knows x64 only`);

const findingsOf = (compiler: Compiler, bytes: Uint8Array): string[] =>
  compiledBy(compiler, bytes).flatMap((compiled) => secretsIn(compiled).findings.map(({ what }) => what));

describe.runIf(isX64)('machine code', () => {
  describe.each(COMPILERS)('of %s', (compiler) => {
    it.each(kernels)('$name: nothing depends on a secret', ({ bytes }) => {
      const compiled = compiledBy(compiler, bytes);
      expect(compiled.map(({ index }) => index)).toEqual(decode(bytes).functions.map(({ index }) => index));
      for (const one of compiled) {
        const { findings, instructions } = secretsIn(one);
        expect(findings).toEqual([]);
        expect(instructions).toBeGreaterThan(3);
      }
    });

    describe.each(leaking)('%s', (name) => {
      it.each(leaks)('a %s that is planted is found', (what) => {
        expect(findingsOf(compiler, withLeak(name, what).bytes)).toContain(showsAs(what));
      });
    });
  });

  it('a secret that was spilled to the frame stays one', () => {
    const lines = [
      'push rbp',
      'movq rax,[rsi+0x1f]',
      'movl rcx,[rax+0x40]',
      'movl [rbp-0x20],rcx',
      'xorl rcx,rcx',
      'movl rdx,[rbp-0x20]',
      'testl rdx,rdx',
      'jz 0x9  <+0x9>',
      'movl rdi,[rax+rdx*1]',
      'retl',
    ];
    const text = lines.map((line, i) => `0x${(4096 + i).toString(16)} ${i.toString(16)}  90  ${line}`).join('\n');
    const [compiled] = functionsIn(
      `--- WebAssembly code ---\nindex: 0\nkind: wasm function\ncompiler: TurboFan\n${text}\n`,
    );
    expect(secretsIn(compiled).findings.map(({ offset, what }) => `${offset} ${what}`)).toEqual([
      '7 branch',
      '8 address',
    ]);
  });
});
