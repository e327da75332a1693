/** The machine code that V8 makes of a module, as `node --print-wasm-code` prints it. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Instruction, MachineFunction } from './instruction.ts';

type Compiler = 'TurboFan' | 'Liftoff';

const FLAGS: Readonly<Record<Compiler, readonly string[]>> = {
  TurboFan: ['--no-liftoff', '--no-wasm-dynamic-tiering'],
  Liftoff: ['--liftoff-only'],
};
/** A program without modules of its own: the printed code is the kernel's. */
const PROGRAM = 'new WebAssembly.Instance(new WebAssembly.Module(require("fs").readFileSync(process.argv[1])), {})';

const LINE = /^(0x[\da-f]+) +([\da-f]+) +[\da-f]+ +(?:REX\.W )?(\S+) ?(.*)$/;

/** Operands are separated by commas, which addresses don't contain. `stubs` are the places of the addresses that calls of stubs have. */
function instructionOf(line: string, stubs: ReadonlySet<bigint>): Instruction | undefined {
  const found = LINE.exec(line);
  if (!found) return undefined;
  const [, at, offset, op, rest] = found;
  const target = /<\+0x([\da-f]+)>/.exec(rest)?.[1];
  const operands = rest
    .replace(/\s*[;(<].*$/, '')
    .split(',')
    .map((text) => text.trim())
    .filter((text) => text !== '');
  return {
    offset: parseInt(offset, 16),
    op,
    operands,
    target: target === undefined ? undefined : parseInt(target, 16),
    isStub: stubs.has(BigInt(at) + 1n),
  };
}

export function functionsIn(text: string): MachineFunction[] {
  return text
    .split('--- WebAssembly code ---')
    .slice(1)
    .flatMap((part): MachineFunction[] => {
      const index = /^index: (\d+)$/m.exec(part)?.[1];
      const compiler = /^compiler: (TurboFan|Liftoff)$/m.exec(part)?.[1];
      // Wrappers that JavaScript calls have another kind.
      if (index === undefined || compiler === undefined || !part.includes('\nkind: wasm function\n')) return [];
      const stubs = new Set([...part.matchAll(/^(0x[\da-f]+) +wasm stub call/gm)].map(([, at]) => BigInt(at)));
      const instructions = part.split('\n').flatMap((line) => instructionOf(line, stubs) ?? []);
      return [{ index: Number(index), compiler: compiler as Compiler, instructions }];
    })
    .sort((x, y) => x.index - y.index);
}

/** Compiles a module by one of V8's compilers, in the Node that runs this. */
export function compiledBy(compiler: Compiler, bytes: Uint8Array): MachineFunction[] {
  const folder = mkdtempSync(join(tmpdir(), 'machine-code-'));
  try {
    const file = join(folder, 'kernel.wasm');
    writeFileSync(file, bytes);
    const flags = ['--print-wasm-code', '--no-wasm-lazy-compilation', ...FLAGS[compiler]];
    const { stdout, status, stderr } = spawnSync(process.execPath, [...flags, '--eval', PROGRAM, file], {
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    if (status !== 0) throw new Error(`V8 does not print its code: ${stderr}`);
    return functionsIn(stdout).filter((one) => one.compiler === compiler);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
