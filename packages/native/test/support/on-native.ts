/**
 * Runs the library's own tests on native code, in the width of LANEWISE_LANES or in the widest: for vitest's project `native`, whose
 * files run on "each engine", which is this one alone.
 */
import { describe as describeBuilt, offerNative as offerBuilt } from 'lanewise/engine.js';
import { afterEach, beforeEach, expect } from 'vitest';
import { describe as chosen, offerNative } from '../../../lanewise/src/engine.ts';
import { codeOf, lanesHere } from '../../src/kernels.ts';
import { addon } from './compiled.ts';

if (addon) {
  const lanes = Number(process.env['LANEWISE_LANES'] ?? Math.max(...lanesHere(addon)));
  const code = codeOf(addon, lanes, 0);
  // packages/joints has calls of the sources, and of the package as it is built.
  const offer = (): void => {
    offerNative(code);
    offerBuilt(code);
  };
  offer();
  if (describeBuilt().engine !== 'native') throw new Error('the built package does not run on native code');
  beforeEach(offer);
  // A kernel that fails its self-test is put away, and the test would go on in WebAssembly.
  afterEach(() => {
    for (const { reason } of [chosen(), describeBuilt()]) expect(reason ?? '').not.toContain('gave a wrong answer');
  });
  const lanewiseReady = <Library extends { offerNative?: typeof offerNative }>(library: Library): Library => {
    library.offerNative?.(code);
    return library;
  };
  Object.assign(globalThis, { lanewiseEngines: ['native'], lanewiseReady });
}
