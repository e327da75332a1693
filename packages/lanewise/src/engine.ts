/**
 * The engine that runs the ciphers. You need not call anything here: the first use of a cipher picks the best engine.
 * @module
 */
export { describe, provide, select, type Description } from './calls/choice.ts';
export type { Engine } from './engine/detect.ts';
