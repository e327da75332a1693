/** Operands of x64, as V8 and objdump print them: `[rax+rdx*1-0x20]`, `r14l`, `r14d`, `eax`. */
import type { Instruction } from './instruction.ts';

/** `r14l`, `al` and `rax` are parts of one register. */
export function registerOf(text: string): string | undefined {
  if (/^[xy]mm\d+$/.test(text)) return `x${text.slice(3)}`;
  const numbered = /^(r\d+)[bdlw]?$/.exec(text);
  if (numbered) return numbered[1];
  const letters = /^[er]?([a-d])x$|^([a-d])[hl]$/.exec(text);
  if (letters) return `r${letters[1] ?? letters[2]}x`;
  const pointer = /^[er]?([sd]i|[sb]p)l?$/.exec(text);
  return pointer ? `r${pointer[1]}` : undefined;
}

/** Names of parts of a register; the rest of it keeps its bits. V8 calls the lower half of `r8` `r8l`, and `rax` has no such name there. */
export const isByte = (text: string): boolean => /^(?:[a-d]l|[sd]il|[sb]pl|r\d+b)$/.test(text);
export const isWord = (text: string): boolean => /^(?:[a-d][hx]|[sd]i|[sb]p|r\d+w)$/.test(text);

export interface Address {
  readonly base: string | undefined;
  readonly index: string | undefined;
  readonly displacement: number;
}
export function addressOf(text: string): Address | undefined {
  const inside = /^\[(.*)\]$/.exec(text)?.[1];
  if (inside === undefined) return undefined;
  let [base, index]: (string | undefined)[] = [];
  let displacement = 0;
  for (const [, sign, part] of inside.matchAll(/([+-]?)([^+-]+)/g)) {
    if (part.startsWith('0x')) displacement = Number(part) * (sign === '-' ? -1 : 1);
    else if (part.includes('*') || base !== undefined) index = part.split('*')[0];
    else base = part;
  }
  return { base, index, displacement };
}

/** The bytes of memory that an instruction reads or writes. */
export function sizeOf({ op, operands, bytes }: Instruction): number {
  if (bytes !== undefined) return bytes;
  if (operands.some((text) => text.startsWith('ymm'))) return 32;
  if (/^v(?:movq|movsd|pinsrq|pextrq|movl|movh)/.test(op)) return 8;
  if (/^v(?:movd|movss|broadcastss|pinsrd|pextrd)/.test(op)) return 4;
  if (op.startsWith('v')) return 16;
  return op.endsWith('q') ? 8 : op.endsWith('b') ? 1 : op.endsWith('w') ? 2 : 4;
}

export const isJump = (op: string): boolean => op.startsWith('j');
export const isConditional = (op: string): boolean => isJump(op) && op !== 'jmp';
/** Loads and stores; `lea` only computes. */
const addressesOf = ({ op, operands }: Instruction): (Address | undefined)[] =>
  op.startsWith('lea') || op.includes('nop') ? [] : operands.map(addressOf);
export const isIndexed = (instruction: Instruction): boolean =>
  addressesOf(instruction).some((address) => address?.index !== undefined);
