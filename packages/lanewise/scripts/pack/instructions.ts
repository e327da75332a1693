/** The bytes of modules as instructions, each with its operand apart. WebAssembly core specification §5.4 */

/** Where the operand of an instruction is in a packed text. */
export type Kind = 'local' | 'store' | 'load' | 'constant' | 'numbered' | 'vector' | 'other';

export interface Instruction {
  readonly kind: Kind;
  /** The bytes before the operand, as a string. */
  readonly code: string;
  readonly operand: Uint8Array;
  /** The address of the next instruction. */
  readonly next: number;
}

/** The number of LEB128 bytes at an address, §5.2.2 */
function lengthAt(bytes: Uint8Array, at: number): number {
  let end = at;
  while (bytes[end] > 127) end++;
  return end + 1 - at;
}

export function unsignedAt(bytes: Uint8Array, at: number): { value: number; next: number } {
  const next = at + lengthAt(bytes, at);
  let value = 0;
  for (let i = next; i-- > at;) value = value * 128 + (bytes[i] & 127);
  return { value, next };
}

export const stringOf = (bytes: Uint8Array): string => String.fromCharCode(...bytes);

/** Instructions whose operands occur so often that they are a part of them. */
const usual: ReadonlySet<string> = new Set([
  '\x41\x00', // i32.const 0, the address of all that has a fixed place
  '\x42\x20', // i64.const 32, by which Poly1305 shifts
  '\x0d\x00', // br_if 0, the end of a loop
]);

const VECTORS = 0xfd;
const BULK = 0xfc;

/** The kind of an instruction, the number of bytes before its operand, and that of the operand's unless it is LEB128. */
function formOf(bytes: Uint8Array, at: number): [kind: Kind, before: number, operand?: number] {
  const opcode = bytes[at];
  if (opcode === VECTORS) {
    const before = 1 + lengthAt(bytes, at + 1);
    const { value } = unsignedAt(bytes, at + 1);
    if (value <= 10) return ['load', before + 1];
    if (value === 11) return ['store', before + 1];
    if (value === 12 || value === 13) return ['vector', before, 16];
    if (value >= 21 && value <= 34) return ['numbered', before];
    if (value >= 84 && value <= 93) refuse(opcode, at);
    return ['other', before, 0];
  }
  if (opcode === BULK) {
    // memory.copy has two bytes for its memories, one as a part of the instruction, and memory.fill has one.
    if (bytes[at + 1] === 10) return ['numbered', 3];
    if (bytes[at + 1] === 11) return ['other', 3, 0];
    return refuse(opcode, at);
  }
  if (opcode >= 0x02 && opcode <= 0x04) return ['other', 2, 0];
  if (usual.has(stringOf(bytes.subarray(at, at + 2)))) return ['other', 2, 0];
  if (opcode === 0x0c || opcode === 0x0d || opcode === 0x10) return ['numbered', 1];
  if (opcode >= 0x20 && opcode <= 0x22) return ['local', 1];
  if (opcode >= 0x28 && opcode <= 0x35) return ['load', 2];
  if (opcode >= 0x36 && opcode <= 0x3e) return ['store', 2];
  if (opcode === 0x41 || opcode === 0x42) return ['constant', 1];
  if (opcode === 0x05 || opcode === 0x0b || opcode === 0x0f || opcode === 0x1a || opcode === 0x1b || opcode >= 0x45)
    return ['other', 1, 0];
  return refuse(opcode, at);
}

function refuse(opcode: number, at: number): never {
  throw new Error(`no packed form for opcode 0x${opcode.toString(16)} at ${at}`);
}

export function instructionAt(bytes: Uint8Array, at: number): Instruction {
  const [kind, before, length] = formOf(bytes, at);
  const from = at + before;
  const next = from + (length ?? lengthAt(bytes, from));
  return { kind, code: stringOf(bytes.subarray(at, from)), operand: bytes.subarray(from, next), next };
}

/** The body of a function: where its declarations of locals and its code begin, and where it ends. */
export interface Body {
  readonly from: number;
  readonly declarations: number;
  readonly code: number;
  readonly end: number;
}

const CODE_SECTION = 10;
const HEADER_BYTES = 8;

/** The bodies of a module, and the addresses before the size of the first and after the last. §5.5.13 */
export function bodiesOf(bytes: Uint8Array): { bodies: Body[]; from: number; end: number } {
  let at = HEADER_BYTES;
  for (;;) {
    const size = unsignedAt(bytes, at + 1);
    if (bytes[at] === CODE_SECTION) {
      const count = unsignedAt(bytes, size.next);
      const bodies: Body[] = [];
      at = count.next;
      for (let i = 0; i < count.value; i++) {
        const length = unsignedAt(bytes, at);
        const declared = unsignedAt(bytes, length.next);
        let code = declared.next;
        for (let j = 0; j < declared.value; j++) code = unsignedAt(bytes, code).next + 1;
        at = length.next + length.value;
        bodies.push({ from: length.next, declarations: declared.next, code, end: at });
      }
      return { bodies, from: count.next, end: at };
    }
    at = size.next + size.value;
  }
}
