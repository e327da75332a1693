/**
 * The calls that our kernels answer: plain ones, with real Uint8Arrays of the right lengths. Every other call goes to the original
 * package whole, which refuses it with its own words or gives its own result.
 */
import { isMessage } from '../../drop-ins/src/message.ts';

export { isMessage };

/** Whether a value is `length` bytes. */
export const isBytesOf = (value: unknown, length: number): value is Uint8Array =>
  isMessage(value) && value.length === length;

/** Whether the caller's `output`, if there is one, has `length` bytes. */
export const isOutput = (output: unknown, length: number): output is Uint8Array | undefined =>
  output === undefined || isBytesOf(output, length);

/** Whether `output` starts after the start of `data` and before its end; the originals refuse or garble this. */
export const startsInside = (data: Uint8Array, output: Uint8Array): boolean =>
  data.buffer === output.buffer &&
  data.byteOffset < output.byteOffset &&
  output.byteOffset < data.byteOffset + data.byteLength;
