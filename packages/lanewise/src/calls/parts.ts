/** Messages that do not fit the stage. */
import { runsIntoItself } from './checks.ts';
import { copyOf, fillBytes, min, part } from '../engine/intrinsics.ts';

/**
 * Visits the `length` bytes of `input` part by part, each a view of its own: the first of `first` bytes, all others as large as
 * the stage. If writing to `out` would change parts still to come, what is visited is a copy, wiped afterwards.
 */
export function inParts(
  input: Uint8Array,
  length: number,
  out: Uint8Array,
  stageBytes: number,
  visit: (bytes: Uint8Array, from: number, size: number) => void,
  first: number = stageBytes,
): void {
  if (length <= first) {
    if (length > 0) visit(input, 0, length);
    return;
  }
  const copied = runsIntoItself(input, out);
  const source = copied ? copyOf(input, length) : input;
  try {
    for (let from = 0, size = first; from < length; from += size, size = min(stageBytes, length - from))
      visit(part(source, from, size), from, size);
  } finally {
    if (copied) fillBytes(source, 0);
  }
}
