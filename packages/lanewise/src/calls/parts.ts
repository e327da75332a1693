/** Messages that do not fit the stage. */
import { runsIntoItself } from './checks.ts';
import { copyOf, fillBytes, min, part } from '../engine/intrinsics.ts';

/**
 * Visits `length` bytes of `input` part by part: the first of `first` bytes, all others as large as the stage. If writing to
 * `out` would change parts still to come, what is visited is a copy, wiped afterwards.
 */
export function inParts(
  input: Uint8Array,
  length: number,
  out: Uint8Array,
  stageBytes: number,
  visit: (input: Uint8Array, from: number, size: number) => void,
  first: number = stageBytes,
): void {
  const copied = length > first && runsIntoItself(input, out);
  const source = copied ? copyOf(part(input, 0, length)) : input;
  try {
    let size = first;
    for (let from = 0; from < length; from += size, size = stageBytes) visit(source, from, min(size, length - from));
  } finally {
    if (copied) fillBytes(source, 0);
  }
}
