/** Calls of `lanewise/sha2.js`, by `door.name` or `Type.method`. */
import * as sha2 from '../../../src/sha2.ts';
import { bytes, fn, key, methods, of, text, type Call } from '../../support/call.ts';

const { sha256 } = sha2;
const names = ['sha224', 'sha256', 'sha384', 'sha512', 'sha512_256'] as const;

export const calls: Readonly<Record<string, Call>> = {
  ...Object.fromEntries(
    names.flatMap((name) => [
      [`sha2.${name}`, fn(sha2[name], text)],
      [`sha2.${name}.create`, of(() => sha2[name], 'create')],
    ]),
  ),
  'sha2.hmac': fn(sha2.hmac, sha256, key, text),
  'sha2.hmac.create': of(() => sha2.hmac, 'create', sha256, key),
  'sha2.hkdf': fn(sha2.hkdf, sha256, key, key, text, 32),
  'sha2.extract': fn(sha2.extract, sha256, key, key),
  'sha2.expand': fn(sha2.expand, sha256, key, text, 32),
  'sha2.hashMany': fn(sha2.hashMany, sha256, [text]),
  'sha2.pbkdf2Sync': fn(sha2.pbkdf2Sync, sha256, text, key, { c: 1 }),
  // Its options are read at once but show an effect only in its promise: sha2/sha2.test.ts tests them.
  'sha2.pbkdf2': { ...fn(sha2.pbkdf2, sha256, text, key, { c: 1 }), takesOptions: false },
  ...methods('Sha2', () => sha256.create(), {
    update: [text],
    digest: [],
    digestInto: [bytes(32)],
    clone: [],
    destroy: [],
  }),
  ...methods('Hmac', () => sha2.hmac.create(sha256, key), { update: [text], digest: [], destroy: [] }),
};
