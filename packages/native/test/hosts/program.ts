/**
 * Runs files of the library's tests on native code alone, in one width, in the host that runs this: operands are the path of the addon,
 * the number of lanes, `right`, and the files. Prints a line for each. With `wrong` in its place, each function of the addon spoils a bit
 * of the stage of the ciphers, and tests have to see that.
 */
import '../../../lanewise/test/browsers/page/surroundings.ts';
import type { Result, Surroundings } from '../../../lanewise/test/browsers/page/messages.ts';
import { STAGE } from '../../../lanewise/src/keystream/map.ts';
import type { Addon, NativeFunction, NativeFunctions } from '../../src/addon.ts';

const [, , path, lanes, answers, ...files] = process.argv;
const { afterEach, beforeEach, expect } = await import('vitest');
const { runFile } = await import('../../../lanewise/test/browsers/page/run-file.ts');
const { describe: chosen, offerNative } = await import('../../../lanewise/src/engine.ts');
const { codeOf } = await import('../../src/kernels.ts');

const { createRequire } = process.getBuiltinModule('node:module');
const addon = createRequire(path)(path) as Addon;

/** The same, with a wrong bit after each call. */
function spoiled(kernel: number, width: number, memory: Uint8Array): NativeFunctions | undefined {
  const functions = addon.create(kernel, width, memory);
  if (!functions) return undefined;
  const wrong = Object.entries(functions).map(([name, its]) => {
    if (typeof its === 'number') return [name, its];
    const spoiling: NativeFunction = (...operands) => {
      const result = its(...operands);
      memory[STAGE] ^= 1;
      return result;
    };
    return [name, spoiling];
  });
  return Object.fromEntries(wrong) as NativeFunctions;
}
const { widths } = addon;
const find = (text: string): number => addon.find(text);
const code = codeOf(answers === 'wrong' ? { widths, find, create: spoiled } : addon, Number(lanes));
const ready = <Library extends { offerNative?: typeof offerNative }>(library: Library): Library => {
  library.offerNative?.(code);
  return library;
};
Object.assign(globalThis, { lanewiseReady: ready });

let tested = 0;
const load = (name: string): Promise<unknown> => {
  if (name.startsWith('./files/')) {
    beforeEach(() => offerNative(code));
    // A kernel that fails its self-test is put away, and the test would go on in WebAssembly.
    afterEach(() => {
      expect(chosen().reason ?? '').not.toContain('gave a wrong answer');
      tested++;
    });
  }
  return import(name.replace(/^\.\/again\/(\d+)\.js$/, './again.js?$1')) as Promise<unknown>;
};
const surroundings: Surroundings = { engines: ['native'], isolated: false, emulated: false };
for (const file of files) {
  tested = 0;
  const result: Result = await runFile(file, surroundings, load);
  if (tested === 0 && result.passed > 0) throw new Error(`${file} ran without the checks of native code`);
  console.log(JSON.stringify(result));
}
