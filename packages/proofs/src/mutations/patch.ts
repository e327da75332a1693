/** Changes a few instructions of a module, to plant faults that claims must find. */
import { unsigned } from '../../../lanewise/src/wasm/types.ts';
import { decode } from '../wasm/decode.ts';
import { Reader } from '../wasm/reader.ts';
import type { DecodedFunction } from '../wasm/types.ts';

const CODE = 10;
const HEADER_BYTES = 8;

/** The bytes of the assembler's code, which is a string with one character per byte. */
const bytesOf = (code: string): number[] => Array.from(code, (character) => character.charCodeAt(0));

const textOf = (bytes: Uint8Array): string => String.fromCharCode(...bytes);

type Body = Pick<DecodedFunction, 'at' | 'byteLength'>;

/** Where the section of code starts and ends, its id and size included. */
export function codeSection(bytes: Uint8Array): { from: number; content: number; to: number } {
  const reader = new Reader(bytes, HEADER_BYTES);
  for (;;) {
    const from = reader.at;
    const id = reader.byte();
    const section = reader.part(reader.u32());
    if (id === CODE) return { from, content: section.at, to: reader.at };
  }
}

/** Code in the place of `removed` bytes from an instruction's offset on. */
export interface Edit {
  readonly at: number;
  readonly removed: number;
  readonly code: string;
}

/** The module with its code edited, at places in rising order. */
export function edited(bytes: Uint8Array, functions: readonly Body[], edits: readonly Edit[]): Uint8Array<ArrayBuffer> {
  const left = [...edits];
  const bodies = functions.map(({ at, byteLength }) => {
    let body = '';
    let from = at;
    for (; left.length > 0 && left[0].at >= from && left[0].at < at + byteLength; left.shift()) {
      body += textOf(bytes.subarray(from, left[0].at)) + left[0].code;
      from = left[0].at + left[0].removed;
    }
    body += textOf(bytes.subarray(from, at + byteLength));
    return unsigned(body.length) + body;
  });
  if (left.length > 0) throw new Error(`no function has the offset ${left[0].at}, or edits are not in order`);
  const content = unsigned(functions.length) + bodies.join('');
  const { from, to } = codeSection(bytes);
  return Uint8Array.from([
    ...bytes.subarray(0, from),
    ...bytesOf('\x0a' + unsigned(content.length) + content),
    ...bytes.subarray(to),
  ]);
}

/** The module with one edit. */
export const patched = (bytes: Uint8Array, at: number, removed: number, code: string): Uint8Array<ArrayBuffer> =>
  edited(bytes, decode(bytes).functions, [{ at, removed, code }]);
