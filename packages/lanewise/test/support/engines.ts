import { afterAll, beforeEach, describe } from 'vitest';
import { describe as chosen, select, type Engine } from '../../src/engine.ts';

/** All, unless who runs the tests says which of them the host must have and which it cannot. */
export const engines: readonly Engine[] = (globalThis as { lanewiseEngines?: readonly Engine[] }).lanewiseEngines ?? [
  'simd',
  'scalar',
  'js',
];

/** Whether the processor is emulated, and everything slow. */
export const isEmulated = (globalThis as { lanewiseEmulated?: boolean }).lanewiseEmulated ?? false;

/** Readies a fresh copy of the library for the engines: who runs the tests may have to offer it native code. */
export const ready: <Library extends object>(library: Library) => Library =
  (globalThis as { lanewiseReady?: <Library extends object>(library: Library) => Library }).lanewiseReady ??
  ((library) => library);

/** Runs tests once on each engine. One that this host lacks makes them fail: skipped, it would seem to be tested. */
export function onEachEngine(tests: (engine: Engine) => void): void {
  describe.each(engines)('%s', (engine) => {
    // Before each test, because some change the engine.
    beforeEach(() => {
      select(engine);
      if (chosen().engine !== engine) throw new Error(`the engine is ${chosen().engine} and not ${engine}`);
    });
    afterAll(() => select('auto'));
    tests(engine);
  });
}
