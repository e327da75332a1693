/**
 * The calls that our kernels answer: plain ones, with real Uint8Arrays of the right lengths. Every other call goes to the original
 * package whole, which refuses it with its own words or gives its own result.
 */
import { isMessage, partOf, placeOf, sizeOf } from '../../drop-ins/src/message.ts';

export { isMessage, partOf, sizeOf };

/** Whether a value is `length` bytes. */
export const isBytesOf = (value: unknown, length: number): value is Uint8Array =>
  isMessage(value) && sizeOf(value) === length;

/** Whether the caller's `output`, if there is one, has `length` bytes. */
export const isOutput = (output: unknown, length: number): output is Uint8Array | undefined =>
  output === undefined || isBytesOf(output, length);

/** Whether `output` starts after the start of `data` and before its end; the originals refuse or garble this. */
export function startsInside(data: Uint8Array, output: Uint8Array): boolean {
  const [its, out] = [placeOf(data), placeOf(output)];
  return its.buffer === out.buffer && its.from < out.from && out.from < its.from + sizeOf(data);
}
