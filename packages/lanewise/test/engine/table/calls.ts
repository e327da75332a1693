/** Calls of `lanewise/engine.js`. */
import * as engine from '../../../src/engine.ts';
import { decoded } from '../../../src/engine/bytes.ts';
import { poly1305Scalar } from '../../../src/poly1305/generated-bytes.ts';
import '../../../src/poly1305.ts';
import { fn, type Call } from '../../support/call.ts';

/** Poly1305's module, where the host compiles any. */
function compiled(): WebAssembly.Module | undefined {
  try {
    return new WebAssembly.Module(decoded(poly1305Scalar));
  } catch {
    return undefined;
  }
}
const module = compiled();

export const calls: Readonly<Record<string, Call>> = {
  // First, because describe() tells the reason that was given.
  'engine.offerNative': { ...fn(engine.offerNative, { reason: 'not in this test' }), takesOptions: false },
  'engine.describe': fn(engine.describe),
  'engine.select': fn(engine.select, 'auto'),
  ...(module && { 'engine.provide': fn(engine.provide, module) }),
};
