/** Calls of `lanewise/poly1305.js`, by `door.name` or `Type.method`. */
import * as poly1305 from '../../../src/poly1305.ts';
import { bytes, fn, key, methods, of, text, type Call } from '../../support/call.ts';

export const calls: Readonly<Record<string, Call>> = {
  'poly1305.poly1305': fn(poly1305.poly1305, text, key),
  'poly1305.poly1305.create': of(() => poly1305.poly1305, 'create', key),
  ...methods('Poly1305', () => poly1305.poly1305.create(key), {
    update: [text],
    digest: [],
    digestInto: [bytes(16)],
    destroy: [],
  }),
};
