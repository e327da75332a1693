/** Independent readers of the assembler's output: wabt for text, and the few parts of the format that tests look at. */
import binaryen from 'binaryen';
import wabt from 'wabt';

const tools = await wabt();

export interface Features {
  readonly simd?: boolean;
  readonly relaxed_simd?: boolean;
}

/** The text of a module that wabt finds valid under the standard's second version, with or without vectors. */
export function disassembled(bytes: Uint8Array, features: Features = {}, foldExprs = false): string {
  const module = tools.readWasm(bytes, { ...features, check: true });
  try {
    module.validate();
    return module.toText({ foldExprs, inlineExport: false });
  } finally {
    module.destroy();
  }
}

/** The module as binaryen understands it and writes it anew. */
export function roundTrip(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const module = binaryen.readBinary(bytes);
  try {
    module.setFeatures(binaryen.Features.All);
    if (!module.validate()) throw new Error('binaryen finds the module invalid');
    return Uint8Array.from(module.emitBinary());
  } finally {
    module.dispose();
  }
}

/** The lines of a function's body, after parameters and locals. */
export function bodyOf(text: string, index = 0): string[] {
  const start = text.indexOf(`(func (;${index};)`);
  const lines = text
    .slice(start)
    .split('\n')
    .map((line) => line.trim());
  const end = lines.findIndex((line, i) => i > 0 && /^\((func|memory|export|data|table|global)\b/.test(line));
  const body = lines.slice(1, end).filter((line) => !line.startsWith('(local '));
  // The parenthesis that closes the function is on its last line.
  if (body.length === 0) return [];
  body.push(body.pop()!.replace(/\)$/, ''));
  return body.filter((line) => line !== '');
}

/** LEB128, WebAssembly core specification §5.2.2, decoded in integers of any size. */
export function readLeb(bytes: Uint8Array, at: number, signed = false): { value: bigint; next: number } {
  let value = 0n;
  for (let shift = 0n, next = at; ; shift += 7n) {
    const byte = bytes[next++];
    if (byte === undefined) throw new Error('the integer runs out of the bytes');
    value |= BigInt(byte & 0x7f) << shift;
    if (byte & 0x80) continue;
    return { value: signed ? BigInt.asIntN(Number(shift) + 7, value) : value, next };
  }
}

/** The sections of a module by their numbers, in order. WebAssembly core specification §5.5.2 */
export function sectionsOf(bytes: Uint8Array): { id: number; content: Uint8Array }[] {
  const sections = [];
  for (let at = 8; at < bytes.length;) {
    const size = readLeb(bytes, at + 1);
    const end = size.next + Number(size.value);
    sections.push({ id: bytes[at], content: bytes.subarray(size.next, end) });
    at = end;
  }
  return sections;
}

/** The bodies of the functions with their locals. WebAssembly core specification §5.5.13 */
export function codeOf(bytes: Uint8Array): Uint8Array[] {
  const { content } = sectionsOf(bytes).find(({ id }) => id === 10)!;
  const count = readLeb(content, 0);
  const bodies = [];
  for (let i = 0n, at = count.next; i < count.value; i++) {
    const size = readLeb(content, at);
    at = size.next + Number(size.value);
    bodies.push(content.subarray(size.next, at));
  }
  return bodies;
}

/** The types of a body's local variables: a count of runs, and of each its length and type. */
export function localsOf(body: Uint8Array): number[] {
  const types: number[] = [];
  const runs = readLeb(body, 0);
  for (let i = 0n, at = runs.next; i < runs.value; i++) {
    const length = readLeb(body, at);
    types.push(...Array<number>(Number(length.value)).fill(body[length.next]));
    at = length.next + 1;
  }
  return types;
}

/** Characters of code as bytes. */
export const bytesOf = (code: string): Uint8Array => Uint8Array.from(code, (c) => c.charCodeAt(0));
