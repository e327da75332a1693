/** The formats of Bao, written plainly from its specification over chaining values by `subtree`; and the input of its vectors. */
import { blake3, subtree } from '../../src/blake3.ts';
import { concat } from './bytes.ts';

/** The input of the vectors: a 4-byte little-endian integer that counts from 1. */
export function counting(length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  const view = new DataView(new ArrayBuffer(4));
  for (let i = 0; i < length; i++) {
    view.setUint32(0, (i >> 2) + 1, true);
    bytes[i] = view.getUint8(i & 3);
  }
  return bytes;
}

export const header = (length: number): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(length), true);
  return bytes;
};

const digest = (bytes: Uint8Array): string => Buffer.from(blake3(bytes)).toString('hex');
export { digest };

/** The encoding of a content, or without `withContent` its outboard: `subtree` is tested by itself. */
export function modelOf(content: Uint8Array, groupLength: number, withContent: boolean): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = [header(content.length)];
  const visit = (from: number, to: number): void => {
    if (to - from <= groupLength) {
      if (withContent) parts.push(content.subarray(from, to));
      return;
    }
    let left = 1024;
    while (2 * left < to - from) left *= 2;
    for (const [a, b] of [
      [from, from + left],
      [from + left, to],
    ])
      parts.push(subtree(content.subarray(a, b), { offset: a }).chainingValue);
    visit(from, from + left);
    visit(from + left, to);
  };
  visit(0, content.length);
  return concat(...parts);
}
