/** Calls of `lanewise/nacl.js`, by `door.name`. */
import * as nacl from '../../../src/nacl.ts';
import { fn, key, nonces, of, text, type Call } from '../../support/call.ts';

const boxed = nacl.secretbox(text, nonces[24], key);

export const calls: Readonly<Record<string, Call>> = {
  'nacl.secretbox': fn(nacl.secretbox, text, nonces[24], key),
  'nacl.secretbox.open': of(() => nacl.secretbox, 'open', boxed, nonces[24], key),
  'nacl.randomBytes': fn(nacl.randomBytes, 3),
  'nacl.verify': fn(nacl.verify, key, key),
};
