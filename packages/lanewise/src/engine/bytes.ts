/** Modules as they are published: their bytes as hexadecimal text, which gzip packs better than any other. */
import { Bytes, charCodeAt, fromHex } from './intrinsics.ts';

/** The bytes of a kernel's modules. */
export interface ModuleTexts {
  /** With vectors and their relaxed instructions; left out where vectors make no difference. */
  readonly vectors?: string;
  readonly scalar: string;
}

/** The value of a hexadecimal digit, in lower case, from its code. */
const digit = (code: number): number => (code & 15) + 9 * (code >> 6);

export function decoded(text: string): Uint8Array<ArrayBuffer> {
  if (fromHex) return fromHex(text);
  const length = text.length >> 1;
  const bytes = new Bytes(length);
  for (let i = 0; i < length; i++)
    bytes[i] = (digit(charCodeAt(text, 2 * i)) << 4) | digit(charCodeAt(text, 2 * i + 1));
  return bytes;
}
