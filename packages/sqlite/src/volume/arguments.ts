/** Arguments of calls for files, checked. */
import { isBytes } from 'lanewise/utils.js';
import { viewOf } from '../bytes.ts';
import { checkText, typeOf } from '../values.ts';

export const textPath = (path: unknown, name = 'path'): string => {
  if (typeof path !== 'string') throw new TypeError(`"${name}" expected string, got ${typeOf(path)}`);
  return checkText(path, name);
};

export function checkWhole(value: unknown, name: string): asserts value is number {
  if (typeof value !== 'number') throw new TypeError(`"${name}" expected number, got ${typeOf(value)}`);
  if (!Number.isSafeInteger(value) || value < 0)
    throw new RangeError(`"${name}" expected an integer from 0 on, got ${value}`);
}

export function partOf(buffer: Uint8Array, offset: number, length: number): Uint8Array {
  if (!isBytes(buffer)) throw new TypeError(`"buffer" expected Uint8Array, got ${typeOf(buffer)}`);
  const bytes = viewOf(buffer);
  checkWhole(offset, 'offset');
  checkWhole(length, 'length');
  if (offset + length > bytes.length)
    throw new RangeError(`"length" expected at most ${bytes.length - offset}, got ${length}`);
  return bytes.subarray(offset, offset + length);
}

export function wholePosition(position: number): number {
  checkWhole(position, 'position');
  return position;
}
