/** SHA-2 in noble's shape: a message that is all there goes to our functions, and one in pieces is the original's. */
import { describe } from 'lanewise/engine.js';
import type { Sha2Function } from 'lanewise/sha2.js';
import { isMessage } from '../../drop-ins/src/message.ts';
import { answered, dressed, type Call, type Encode } from './calls.ts';

const hashes = /* @__PURE__ */ new WeakMap<object, Sha2Function>();
let isPlain: boolean | undefined;

/** Words of 64 bits take the original less time than our plain JavaScript. */
const isSlow = (ours: Sha2Function): boolean => ours.blockLen === 128 && (isPlain ??= describe().engine === 'js');

/** Our function for one of this package; undefined for all other hashes, which HMAC and its users take, too. */
export function oursOf(hash: unknown): Sha2Function | undefined {
  if (typeof hash !== 'function') return undefined;
  const ours = hashes.get(hash);
  return ours && !isSlow(ours) ? ours : undefined;
}

/** Version 1 takes texts, too. Version 2 gives options to its hashes, and SHA-2 has none. */
export function hashOf<Hash extends object>(theirs: Hash, ours: Sha2Function, encode: Encode): Hash {
  const answer = (message: unknown): Uint8Array | undefined => {
    if (isSlow(ours)) return undefined;
    return isMessage(message) ? ours(message) : answered([message], encode, (bytes) => ours(bytes));
  };
  const its = dressed((message, options) => answer(message) ?? (theirs as unknown as Call)(message, options), theirs);
  hashes.set(its, ours);
  return its;
}
