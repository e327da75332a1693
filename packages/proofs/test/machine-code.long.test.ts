// The machine code that V8 makes of the kernels has no branch, address or division that depends on a secret. It is read on x64 only.
import { describe, expect, it } from 'vitest';
import * as i32 from '../../lanewise/src/wasm/i32.ts';
import { when } from '../../lanewise/src/wasm/control.ts';
import type { Expression, Statement } from '../../lanewise/src/wasm/types.ts';
import { kernelOf, kernels } from '../src/kernels.ts';
import { compiledBy, functionsIn, type Compiler } from '../src/machine-code/disassembly.ts';
import { secretsIn } from '../src/machine-code/secrets.ts';
import { atStart, flip } from '../src/mutations/plant.ts';
import { proofsOf } from '../src/rooms.ts';
import { decode } from '../src/wasm/decode.ts';

const COMPILERS: readonly Compiler[] = ['TurboFan', 'Liftoff'];
const isX64 = process.arch === 'x64';
if (!isX64) console.log(`the machine code of V8 is not read on ${process.arch}: the reader knows x64 only`);

const findingsOf = (compiler: Compiler, bytes: Uint8Array): string[] =>
  compiledBy(compiler, bytes).flatMap((compiled) => secretsIn(compiled).findings.map(({ what }) => what));

const DIV_U = '\x6e';
/** Each has an effect, or TurboFan would remove it. */
const leaks: Readonly<Record<string, (key: number) => Statement>> = {
  branch: (key) => when(i32.and(i32.load(0, key), 1), flip(key + 4)),
  address: (key) => i32.store(0, key + 4, i32.load8_u(i32.and(i32.load(0, key), 63))),
  division: (key) =>
    i32.store(0, key + 4, (i32.value(1000) + i32.or(i32.load(0, key), 1) + DIV_U) as Expression<'i32'>),
};

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

    describe.each(['chacha long relaxed', 'blake3 relaxed', 'serpent swizzle', 'disk scalar'])('%s', (name) => {
      it.each(Object.keys(leaks))('a %s that is planted is found', (what) => {
        const kernel = kernelOf(name);
        const { name: called, key } = proofsOf(kernel.family).mutations.leak;
        expect(findingsOf(compiler, atStart(called, leaks[what](key))(kernel).bytes)).toContain(what);
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
