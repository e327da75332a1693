/** Calls of `lanewise/serpent.js`, by `door.name` or `Type.method`. */
import * as serpent from '../../../src/serpent.ts';
import { bytes, fn, key, methods, nonces, of, text, toolsOf, type Call } from '../../support/call.ts';

export const calls: Readonly<Record<string, Call>> = {
  'serpent.ocb': fn(serpent.ocb, key, nonces[12], text),
  'serpent.ctr': fn(serpent.ctr, key, nonces[16]),
  'serpent.ctrLittleEndian': fn(serpent.ctrLittleEndian, key, nonces[16]),
  'serpent.cbc': fn(serpent.cbc, key, nonces[16], { disablePadding: true }),
  'serpent.cbc.encryptMany': of(() => serpent.cbc, 'encryptMany', key, [nonces[16]], [text], { disablePadding: true }),
  'serpent.ecb': fn(serpent.ecb, key, { disablePadding: true }),
  ...methods('Ctr', () => serpent.ctr(key, nonces[16]), {
    encrypt: [text, bytes(48)],
    decrypt: [text, bytes(48)],
    destroy: [],
  }),
  ...methods('BlockMode', () => serpent.ecb(key, { disablePadding: true }), {
    encrypt: [text, bytes(48)],
    decrypt: [text, bytes(48)],
    destroy: [],
  }),
  ...toolsOf('serpent'),
};
