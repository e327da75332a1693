/** The yardstick computes its definition, and the canary detects slow tiers. */
import { describe, expect, test } from 'vitest';
import { canary, canaryModules, CANARY_MODULES, doubt } from '../src/client/canary.ts';
import type { Family } from '../src/client/messages.ts';
import { yardstick, yardstickModule } from '../src/client/yardstick.ts';

const instance = (bytes: Uint8Array<ArrayBuffer>) => new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports;

/** x = rotl(x, 7) + k, 64 times for each turn, by the definition. */
function model(x: number, turns: number): number {
  let word = BigInt.asUintN(32, BigInt(x));
  for (let i = 0; i < 64 * turns; i++) {
    word = BigInt.asUintN(32, ((word << 7n) | (word >> 25n)) + 0x9e3779b9n);
  }
  return Number(BigInt.asIntN(32, word));
}

describe('the yardstick', () => {
  test('makes 64 steps in a turn', () => {
    const steps = instance(yardstickModule().bytes())['steps'] as (x: number, turns: number) => number;
    for (const [x, turns] of [
      [1, 1],
      [0, 3],
      [-7, 10],
    ]) {
      expect(steps(x, turns)).toBe(model(x, turns));
    }
  });

  test('does the same in JavaScript where there is no WebAssembly', () => {
    const module = WebAssembly.Module;
    const compiled = yardstick();
    expect(compiled.language).toBe('wasm');
    const first = compiled.run();
    try {
      WebAssembly.Module = new Proxy(module, {
        construct() {
          throw new WebAssembly.CompileError('not here');
        },
      });
      const here = yardstick();
      expect(here.language).toBe('js');
      expect(here.run()).toBe(first);
      expect(here.run()).toBe(compiled.run());
    } finally {
      WebAssembly.Module = module;
    }
  });

  test('takes a module that was compiled elsewhere', () => {
    const compiled = new WebAssembly.Module(yardstickModule().bytes());
    expect(yardstick(compiled)).toMatchObject({ language: 'wasm' });
  });

  test('counts two cycles a step', () => {
    const { cycle, run } = yardstick();
    expect(run()).toBe(model(1, 64));
    // 64 turns of 64 steps of 2 cycles at 4 GHz.
    expect(cycle(2048)).toBe(0.25);
  });
});

describe('the canary', () => {
  test('its scalar kernel mixes all of its 8 KiB, and nothing else', () => {
    const { memory, pass } = instance(canaryModules.scalar().bytes()) as {
      memory: WebAssembly.Memory;
      pass: () => void;
    };
    const words = new Uint32Array(memory.buffer);
    words.forEach((_, i) => (words[i] = Math.imul(i, 0x9e3779b1)));
    const expected = Array.from(words);
    const rotl = (x: number, n: number): number => ((x << n) | (x >>> (32 - n))) >>> 0;
    let state = [0, 0, 0, 0];
    for (let at = 8192 / 4 - 4; at >= 0; at -= 4) {
      let [a, b, c, d] = state.map((word, i) => (word + expected[at + i]) >>> 0);
      a = (a + b) >>> 0;
      d = rotl(d ^ a, 16);
      c = (c + d) >>> 0;
      b = rotl(b ^ c, 12);
      a = (a + b) >>> 0;
      d = rotl(d ^ a, 8);
      c = (c + d) >>> 0;
      b = rotl(b ^ c, 7);
      state = [a, b, c, d];
      state.forEach((word, i) => (expected[at + i] = word));
    }
    pass();
    expect(Array.from(words)).toEqual(expected);
  });

  test.each<[kernel: 'simd' | 'scalar' | 'none', cyclesPerByte: number, gigahertz: number, Family, RegExp | undefined]>(
    [
      ['simd', 2.1, 3.7, 'v8', undefined],
      ['simd', 3, 3.7, 'v8', undefined],
      ['none', 0, 3.7, 'v8', undefined],
      // Firefox with a debugger attached.
      ['simd', 40, 3.7, 'spidermonkey', /not its optimised tier/],
      ['scalar', 2, 3.7, 'jsc', /not its optimised tier/],
      // Liftoff alone: the yardstick is slowed even more.
      ['simd', 0.57, 0.9, 'v8', /the yardstick is not in/],
      ['scalar', 0.7, 0.58, 'v8', /0\.58 GHz/],
      ['none', 0, 0.1, 'v8', /0\.10 GHz/],
      ['simd', 2, 50, 'jsc', /50 GHz/],
      ['simd', Number.NaN, Number.NaN, 'jsc', /GHz/],
    ],
  )('%s, %d cycles per byte at %d GHz in %s', (kernel, cyclesPerByte, gigahertz, family, message) => {
    const reason = doubt({ kernel, cyclesPerByte, gigahertz }, family);
    if (message) expect(reason).toMatch(message);
    else expect(reason).toBeUndefined();
  });

  test('measures here, and reports the batch of the yardstick', async () => {
    const stick = yardstick();
    const compiled = {
      [CANARY_MODULES.simd]: new WebAssembly.Module(canaryModules.simd().bytes()),
    };
    const { message, yardstickCount } = await canary('start', 'v8', stick, compiled, 0.25, {});
    expect(message).toMatchObject({ type: 'canary', when: 'start', kernel: 'simd', best: 2 });
    expect(message.gigahertz).toBeGreaterThan(0);
    expect(message.cyclesPerByte).toBeGreaterThan(0);
    expect(message.trusted).toBe(message.reason === undefined);
    expect(yardstickCount).toBeGreaterThan(1);
  });
});
