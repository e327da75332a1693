/**
 * Which engine runs the ciphers. Nothing here needs to be called: the first use of a cipher picks the best engine.
 * @module
 */
export { describe, provide, select, type Description } from './calls/choice.ts';
export type { Engine } from './engine/detect.ts';
