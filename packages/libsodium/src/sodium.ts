/** The object that both formats of the package export. */
import { aeads } from './aead.ts';
import { conversionsOf } from './conversions.ts';
import { hashes } from './hashes.ts';
import { oneTimeAuth } from './onetimeauth.ts';
import type { Call, Original } from './original.ts';
import { boxes } from './secretbox.ts';
import { secretstream } from './secretstream.ts';
import { streams } from './streams.ts';

/** The functions that are ours, of those that the original has: the smaller of its two builds lacks many. */
function replacementsFor(original: Original): Record<string, Call> {
  const conversions = conversionsOf(original);
  const replaced: Record<string, Call> = {};
  for (const part of [boxes, aeads, secretstream, streams, oneTimeAuth, hashes])
    for (const [name, replacementFor] of Object.entries(part(original, conversions))) {
      const theirs = original[name];
      if (typeof theirs === 'function') replaced[name] = replacementFor(theirs as Call);
    }
  return replaced;
}

/**
 * The original's object with our functions in it. Like the original, it has only names that need no WebAssembly until `ready` is
 * fulfilled, and all names afterwards.
 */
export function sodiumOf<Sodium extends object>(theirs: Sodium): Sodium {
  const original = theirs as Sodium & Original;
  const sodium = { ...original };
  const ready = original.ready.then(() => {
    Object.assign(sodium, original, replacementsFor(original), { ready });
  });
  return Object.assign(sodium, { ready });
}
