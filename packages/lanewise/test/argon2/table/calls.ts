/** Calls of `lanewise/argon2.js`, by `door.name` or `Type.method`. */
import * as argon2 from '../../../src/argon2.ts';
import { createPool } from '../../../src/pool.ts';
import { fn, key, Later, text, toolsOf, type Call } from '../../support/call.ts';

const options = { m: 8, t: 1 };
const ENCODED = '$argon2id$v=19$m=8,t=1,p=1$c29tZXNhbHQ$AAAAAAAAAAAAAAAA';
// Their options are read at once but show an effect only in a promise: argon2/argon2.test.ts tests them.
const asynchronous = { takesOptions: false };

export const calls: Readonly<Record<string, Call>> = {
  'argon2.argon2dSync': fn(argon2.argon2dSync, text, key, options),
  'argon2.argon2iSync': fn(argon2.argon2iSync, text, key, options),
  'argon2.argon2idSync': fn(argon2.argon2idSync, text, key, options),
  'argon2.argon2d': { ...fn(argon2.argon2d, text, key, options), ...asynchronous },
  'argon2.argon2i': { ...fn(argon2.argon2i, text, key, options), ...asynchronous },
  'argon2.argon2id': { ...fn(argon2.argon2id, text, key, options), ...asynchronous },
  // argon2/passwords.test.ts tests their options.
  'argon2.hashPassword': { ...fn(argon2.hashPassword, text, options), ...asynchronous },
  'argon2.verifyPassword': { ...fn(argon2.verifyPassword, text, ENCODED, {}), ...asynchronous },
  'argon2.needsRehash': { ...fn(argon2.needsRehash, ENCODED, options), ...asynchronous },
  'argon2.lanesOn': fn(argon2.lanesOn, new Later(() => createPool({ threads: 1 }))),
  'argon2.randomBytes': toolsOf('argon2')['argon2.randomBytes'],
};
