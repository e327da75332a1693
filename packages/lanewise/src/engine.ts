/**
 * The engine that runs the ciphers. You need not call anything here: the first use of a cipher picks the best engine.
 * @module
 */
export {
  describe,
  offerNative,
  provide,
  select,
  type Description,
  type Engine,
  type NativeCode,
} from './calls/choice.ts';
