/** Calls of the room's public modules that nothing is recorded of. */
import type { Library } from '../../../src/claims/recorded.ts';
import { key, ones, STAGE, type Call } from '../../branch-calls.ts';

/** Messages of one secretstream, sealed, and opened from shared memory. */
function through({ stream }: Library, lengths: readonly number[]): void {
  const sealer = stream.secretstream(key).sealer();
  const sealed = lengths.map((length) => sealer.push(ones(length)).slice());
  const opener = stream.secretstream(key).opener({ header: sealer.header });
  for (const message of sealed) {
    const shared = new Uint8Array(new SharedArrayBuffer(message.length));
    shared.set(message);
    opener.push(shared);
  }
}

export const ordinary: readonly Call[] = [
  // Woven and long; apart, then shorter in the same working memory; apart, and too long to keep it.
  (library) => through(library, [STAGE + 8, 1001, 3, 140_001, 5]),
];
export const refused: readonly Call[] = [];
