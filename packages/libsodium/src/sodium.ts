/** The object that both formats of the package export. */
import { aeads } from './aead.ts';
import { conversionsOf, type Conversions } from './conversions.ts';
import { genericHash } from './generichash.ts';
import { hashes } from './hashes.ts';
import { oneTimeAuth } from './onetimeauth.ts';
import type { Call, Original, Replacements } from './original.ts';
import { boxes } from './secretbox.ts';
import { secretstream } from './secretstream.ts';
import { streams } from './streams.ts';

/** A file of our functions. */
type Part = (original: Original, conversions: Conversions) => Replacements;
const PARTS: readonly Part[] = [boxes, aeads, secretstream, streams, oneTimeAuth, hashes, genericHash];

/** The functions that are ours, of those that the original has: the smaller of its two builds lacks many. */
function replacementsFor(original: Original, more: readonly Part[]): Record<string, Call> {
  const conversions = conversionsOf(original);
  const replaced: Record<string, Call> = {};
  for (const part of [...PARTS, ...more])
    for (const [name, replacementFor] of Object.entries(part(original, conversions))) {
      const theirs = original[name];
      if (typeof theirs === 'function') replaced[name] = replacementFor(theirs as Call);
    }
  return replaced;
}

/**
 * The original's object with our functions in it. Like the original, it has only names that need no WebAssembly until `ready` is
 * fulfilled, and all names afterwards. `more` are parts that only the larger build needs, so that bundles of the smaller are without them.
 */
export function sodiumOf<Sodium extends object>(theirs: Sodium, more: readonly Part[] = []): Sodium {
  const original = theirs as Sodium & Original;
  const sodium = { ...original };
  const ready = original.ready.then(() => {
    Object.assign(sodium, original, replacementsFor(original, more), { ready });
  });
  return Object.assign(sodium, { ready });
}
