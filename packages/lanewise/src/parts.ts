/** Messages that do not fit the stage. */
import { runsIntoItself } from './checks.ts';
import { Bytes, copyBytes, fillBytes, min, part } from './engine/intrinsics.ts';
import { DATA_BYTES } from './kernels/stream.ts';

/**
 * Visits `input` part by part, one of `first` bytes and then as much as the stage takes. If writing to `out` would change
 * parts still to come, what is visited is a copy, wiped afterwards.
 */
export function inParts(
  input: Uint8Array,
  length: number,
  out: Uint8Array,
  first: number,
  visit: (input: Uint8Array, from: number, size: number) => void,
): void {
  const copied = runsIntoItself(input, out);
  const source = copied ? new Bytes(length) : input;
  if (copied) copyBytes(source, part(input, 0, length));
  try {
    let size = first;
    for (let from = 0; from < length; from += size, size = DATA_BYTES) visit(source, from, min(size, length - from));
  } finally {
    if (copied) fillBytes(source, 0);
  }
}
