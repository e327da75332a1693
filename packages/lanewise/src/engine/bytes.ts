/** Modules as they are published: their bytes as hexadecimal text, which gzip packs better than any other. */
import { Bytes, fromHex, sliceOf, toNumber } from './intrinsics.ts';

/** The bytes of a kernel's modules. */
export interface ModuleTexts {
  /** With vectors and their relaxed instructions; left out where vectors make no difference. */
  readonly vectors?: string;
  readonly scalar: string;
}

export function decoded(text: string): Uint8Array<ArrayBuffer> {
  if (fromHex) return fromHex(text);
  const length = text.length >> 1;
  const bytes = new Bytes(length);
  // Four bytes at a time: until this loop is compiled, its cost is the number of its iterations. Writes behind the end
  // of the array have no effect.
  const padded = text + '000000';
  for (let i = 0; i < length; i += 4) {
    const word = toNumber('0x' + sliceOf(padded, 2 * i, 2 * i + 8));
    bytes[i] = word >>> 24;
    bytes[i + 1] = word >>> 16;
    bytes[i + 2] = word >>> 8;
    bytes[i + 3] = word;
  }
  return bytes;
}
