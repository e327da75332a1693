/** Calls of `lanewise/scrypt.js`, by `door.name` or `Type.method`. */
import * as scrypt from '../../../src/scrypt.ts';
import { fn, key, text, toolsOf, type Call } from '../../support/call.ts';

export const calls: Readonly<Record<string, Call>> = {
  'scrypt.scryptSync': fn(scrypt.scryptSync, text, key, { N: 2 }),
  // Its options are read at once but show an effect only in its promise: scrypt/scrypt.test.ts tests them.
  'scrypt.scrypt': { ...fn(scrypt.scrypt, text, key, { N: 2 }), takesOptions: false },
  'scrypt.randomBytes': toolsOf('scrypt')['scrypt.randomBytes'],
};
