/** Messages that do not fit the stage. */
import { runsIntoItself } from './checks.ts';
import { lendBytes } from './lifetime.ts';
import type { Instance } from '../engine/instance.ts';
import { copyOf, min, part } from '../engine/intrinsics.ts';

/**
 * Visits the `length` bytes of `input` part by part, each a view of its own: the first of `first` bytes, all others as large as
 * the stage. If writing to `out` would change parts still to come, a copy is visited instead, and wiped afterwards.
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
  const visitAll = (bytes: Uint8Array): void => {
    for (let from = 0, size = first; from < length; from += size, size = min(stageBytes, length - from))
      visit(part(bytes, from, size), from, size);
  };
  if (runsIntoItself(input, out)) {
    const copy = copyOf(input, length);
    lendBytes(copy, length, () => visitAll(copy));
  } else visitAll(input);
}

/**
 * Passes the `length` bytes of `input` through the stage in parts: `run` works on the `size` bytes there, and the result goes to
 * `out`, if there is one.
 */
export function throughStage(
  kernel: Instance<unknown>,
  stage: number,
  stageBytes: number,
  input: Uint8Array,
  length: number,
  out: Uint8Array | undefined,
  run: (size: number, from: number) => void,
): void {
  inParts(input, length, out ?? input, stageBytes, (bytes, from, size) => {
    kernel.write(stage, size, bytes);
    run(size, from);
    if (out) kernel.read(stage, size, out, from);
  });
}
