/** Bytes of machine code, disassembled by objdump of GNU binutils. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Instruction } from './instruction.ts';

const BYTES = { BYTE: 1, WORD: 2, DWORD: 4, QWORD: 8, XMMWORD: 16, YMMWORD: 32 } as const;
const LINE = /^ *([\da-f]+):\t([^\t#<]+)/;

/** Operands are separated by commas, which addresses don't contain. */
function instructionOf(line: string): Instruction | undefined {
  const found = LINE.exec(line);
  if (!found) return undefined;
  const words = found[2].trim().replace(/^(?:(?:data16|cs|ds|es|ss|rex(?:\.\w+)?|bnd|notrack) )+/, '');
  const [op, ...rest] = words.replace(/^(rep\w*|lock) /, '$1-').split(/ +/);
  const text = rest.join(' ');
  const size = /\b(BYTE|WORD|DWORD|QWORD|XMMWORD|YMMWORD) (?:PTR|BCST)/.exec(text)?.[1];
  const operands = text
    .replace(/\b\w+ (?:PTR|BCST) /g, '')
    .replace(/\b[c-gs]s:/g, '')
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
  const isJump = op.startsWith('j') && /^0x[\da-f]+$/.test(operands[0]);
  return {
    offset: parseInt(found[1], 16),
    op,
    operands,
    target: isJump ? Number(BigInt.asIntN(64, BigInt(operands[0]))) : undefined,
    isStub: false,
    bytes: size === undefined ? undefined : BYTES[size as keyof typeof BYTES],
  };
}

export function disassembled(code: Uint8Array): Instruction[] {
  const folder = mkdtempSync(join(tmpdir(), 'objdump-'));
  try {
    const file = join(folder, 'code');
    writeFileSync(file, code);
    const options = ['-D', '-b', 'binary', '-m', 'i386:x86-64', '-M', 'intel', '--no-show-raw-insn', file];
    const text = execFileSync('objdump', options, { encoding: 'utf8', maxBuffer: 2 ** 28 });
    return text.split('\n').flatMap((line) => instructionOf(line) ?? []);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
