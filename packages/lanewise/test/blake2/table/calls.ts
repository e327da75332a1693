/** Calls of `lanewise/blake2.js`, by `door.name` or `Type.method`. */
import * as blake2 from '../../../src/blake2.ts';
import { bytes, fn, methods, of, text, type Call } from '../../support/call.ts';

export const calls: Readonly<Record<string, Call>> = {
  'blake2.blake2b': fn(blake2.blake2b, text, { dkLen: 3 }),
  'blake2.blake2b.create': of(() => blake2.blake2b, 'create', { dkLen: 3 }),
  'blake2.blake2s': fn(blake2.blake2s, text, { dkLen: 3 }),
  'blake2.blake2s.create': of(() => blake2.blake2s, 'create', { dkLen: 3 }),
  ...methods('Blake2', () => blake2.blake2b.create(), {
    update: [text],
    digest: [],
    digestInto: [bytes(64)],
    clone: [],
    destroy: [],
  }),
};
