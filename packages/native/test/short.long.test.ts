/** Runs in Node only: which lengths of a keystream native code leaves to WebAssembly. */
import { describe, expect, test } from 'vitest';
import { chacha20, chacha20poly1305, xchacha20poly1305 } from '../../lanewise/src/chacha.ts';
import { longKernel as chachaKernel } from '../../lanewise/src/chacha/binding.ts';
import { offerNative, type NativeCode } from '../../lanewise/src/engine.ts';
import { Instance } from '../../lanewise/src/engine/instance.ts';
import { STAGE } from '../../lanewise/src/keystream/map.ts';
import { salsa20, xsalsa20poly1305 } from '../../lanewise/src/salsa.ts';
import { sample } from '../../lanewise/test/support/bytes.ts';
import type { Addon } from '../src/addon.ts';
import { codeOf, lanesHere } from '../src/kernels.ts';
import { addon } from './support/compiled.ts';

type Code = Extract<NativeCode, { lanes: number }>;

const bytes = sample(1000, 30);
const [key, nonce, longNonce, aad] = [sample(32, 31), sample(12, 32), sample(24, 33), sample(37, 34)];
const widths = addon ? lanesHere(addon) : [];

describe.skipIf(!addon)('a keystream for short messages', () => {
  let inC = 0;
  const counted: Addon = {
    widths: addon ? addon.widths : [],
    find: (text) => addon!.find(text),
    create(...operands) {
      const functions = addon!.create(...operands);
      return functions && (Object.fromEntries(Object.entries(functions).map(([name, its]) => [name, typeof its === 'number' ? its : (...all: Parameters<typeof its>) => (inC++, its(...all))])) as typeof functions); // prettier-ignore
    },
  };
  const counting = (work: () => unknown): number => {
    inC = 0;
    work();
    return inC;
  };
  const calls: readonly (readonly [most: number, (length: number) => unknown])[] = [
    [512, (n) => chacha20(key, nonce, bytes.subarray(0, n))],
    [512, (n) => salsa20(key, nonce.subarray(0, 8), bytes.subarray(0, n))],
    [640, (n) => chacha20poly1305(key, nonce).encrypt(bytes.subarray(0, n))],
    [640, (n) => xsalsa20poly1305(key, longNonce).encrypt(bytes.subarray(0, n))],
    [640 - 37, (n) => xchacha20poly1305(key, longNonce, aad).encrypt(bytes.subarray(0, n))],
  ];

  test.each(calls)('runs in WebAssembly up to %i bytes', (most, call) => {
    offerNative(codeOf(counted, Math.max(...widths)));
    call(100);
    expect([most, most + 1].map((length) => counting(() => call(length)))).toEqual([0, 1]);
  });

  test('runs in C at each length if that gives a wrong answer', () => {
    const fresh = codeOf(counted, Math.max(...widths)) as Code;
    const source: typeof chachaKernel = { ...chachaKernel, selfTest: () => false };
    const { run } = fresh.instanceOf(source, Instance)!;
    expect(counting(() => run.xor(1, 10, STAGE, 1))).toBe(1);
    expect(counting(() => run.seal(1, 0, 100))).toBe(1);
  });
});
