/** The machine code that SpiderMonkey makes of a module, as its shell gives it to scripts. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MachineFunction } from './instruction.ts';
import { disassembled } from './objdump.ts';

const SCRIPT = `
const [from, to] = scriptArgs;
const { code, segments } = wasmExtractCode(new WebAssembly.Module(os.file.readFile(from, 'binary')), 'stable');
os.file.writeTypedArrayToFile(to, code);
print(JSON.stringify(segments));
`;
const FLAGS = { Ion: 'ion', Baseline: 'baseline' } as const;

interface Segment {
  readonly funcIndex?: number;
  readonly funcBodyBegin?: number;
  readonly end: number;
}

/** Debian's shell. */
const SHELL = 'js102';
export function shellVersion(): string | undefined {
  const { status, stdout } = spawnSync(SHELL, ['--version'], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}

export function compiledBySpiderMonkey(compiler: 'Ion' | 'Baseline', bytes: Uint8Array): MachineFunction[] {
  const folder = mkdtempSync(join(tmpdir(), 'machine-code-'));
  try {
    const [kernel, script, code] = ['kernel.wasm', 'script.js', 'code'].map((name) => join(folder, name));
    writeFileSync(kernel, bytes);
    writeFileSync(script, SCRIPT);
    const { status, stdout, stderr } = spawnSync(SHELL, [`--wasm-compiler=${FLAGS[compiler]}`, script, kernel, code], {
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
    });
    if (status !== 0) throw new Error(`SpiderMonkey does not compile it: ${stderr}`);
    const all = readFileSync(code);
    return (JSON.parse(stdout) as Segment[])
      .flatMap(({ funcIndex: index, funcBodyBegin: from, end }): MachineFunction[] =>
        index === undefined || from === undefined
          ? []
          : [{ index, compiler, instructions: disassembled(all.subarray(from, end)) }],
      )
      .sort((x, y) => x.index - y.index);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
