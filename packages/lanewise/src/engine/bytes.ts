/** Modules as they are published: small ones in hexadecimal, all others packed. */
import { unpacker } from './generated-bytes.ts';
import { Bytes, codeAt, copyBytes, fromHex, instantiate, sliceOf, utf8Of } from './intrinsics.ts';

/** The texts of a kernel's modules. */
export interface ModuleTexts {
  readonly decode: (text: string) => Uint8Array<ArrayBuffer>;
  /** With vectors and their relaxed instructions; left out where vectors make no difference. */
  readonly vectors?: string;
  /** Makes plain instructions of relaxed ones, if the vectors have any. */
  readonly toPlain?: (bytes: Uint8Array, length: number) => void;
  readonly scalar: string;
}

export function decoded(text: string): Uint8Array<ArrayBuffer> {
  if (fromHex) return fromHex(text);
  const bytes = new Bytes(text.length >> 1);
  for (let i = 0; 2 * i < text.length; i++) bytes[i] = +('0x' + sliceOf(text, 2 * i, 2 * i + 2));
  return bytes;
}

/** Where the module that unpacks the others takes their texts, and where it makes their bytes: see unpacker-module.ts. */
const TEXT = 2048;
const MODULE = 0x8000;

/** The bytes of a packed text, made by WebAssembly: JavaScript that has never run takes several times as long. */
export function unpacked(text: string): Uint8Array<ArrayBuffer> {
  const { exports, buffer } = instantiate!(decoded(unpacker));
  const bytes = new Bytes(buffer);
  if (utf8Of) copyBytes(bytes, utf8Of(text), TEXT);
  else for (let i = 0; i < text.length; i++) bytes[TEXT + i] = codeAt(text, i);
  return new Bytes(buffer, MODULE, (exports as { unpack(): number }).unpack());
}
