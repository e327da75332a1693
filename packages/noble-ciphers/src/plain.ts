/**
 * The calls that our kernels answer: plain ones, with real Uint8Arrays of the right lengths. Every other call goes to the original
 * package whole, which refuses it with its own words or gives its own result.
 */
import { isBytes } from 'lanewise/utils.js';

/** Whether a value is bytes. A view of a detached buffer has length 0 and is not: versions of the originals refuse it in different places. */
export function isMessage(value: unknown): value is Uint8Array {
  if (!isBytes(value)) return false;
  if (value.length > 0) return true;
  try {
    value.fill(0);
    return true;
  } catch {
    return false;
  }
}

/** Whether a value is `length` bytes. */
export const isBytesOf = (value: unknown, length: number): value is Uint8Array =>
  isMessage(value) && value.length === length;

/** Whether the caller's `output`, if there is one, has `length` bytes. */
export const isOutput = (output: unknown, length: number): output is Uint8Array | undefined =>
  output === undefined || isBytesOf(output, length);

/** Whether `output` starts behind the start of `data` and before its end; the originals refuse or garble this. */
export const startsInside = (data: Uint8Array, output: Uint8Array): boolean =>
  data.buffer === output.buffer &&
  data.byteOffset < output.byteOffset &&
  output.byteOffset < data.byteOffset + data.byteLength;
