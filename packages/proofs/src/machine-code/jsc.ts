/**
 * The machine code that JavaScriptCore makes of a kernel, in Bun on Linux: Bun says where it is, without a disassembler, and its memory is
 * read from outside.
 */
import { spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Kernel } from '../kernels.ts';
import { randomCalls } from '../mutations/calls.ts';
import type { Instruction, MachineFunction } from './instruction.ts';
import { disassembled } from './objdump.ts';

/** Functions are compiled at once by both, and code that a better one follows is kept. */
const OPTIONS = {
  useConcurrentJIT: 0,
  dumpBBQDisassembly: 1,
  dumpOMGDisassembly: 1,
  freeRetiredWasmCode: 0,
  thresholdForBBQOptimizeAfterWarmUp: 1,
  thresholdForBBQOptimizeSoon: 1,
  thresholdForOMGOptimizeAfterWarmUp: 1,
  thresholdForOMGOptimizeSoon: 1,
};
const CALLS = 40;

interface Place {
  readonly index: number;
  readonly compiler: 'BBQ' | 'OMG';
  readonly from: number;
  readonly to: number;
}

/** Code that enters in the midst of a loop has another beginning (OMGforOSREntry): it is left out. */
function placesIn(text: string): Place[] {
  return text
    .split('Generated ')
    .slice(1)
    .flatMap((part) => {
      const found = /^(BBQ|OMG) functionIndexSpace:\((\d+)\)/.exec(part);
      if (!found) return [];
      const ends = [...part.matchAll(/0x([\da-f]+)(?:\.\.\.|, )0x([\da-f]+)/g)].flatMap(([, from, to]) => [from, to]);
      const all = ends.map((end): number => parseInt(end, 16));
      return [
        {
          index: Number(found[2]),
          compiler: found[1] as Place['compiler'],
          from: Math.min(...all),
          to: Math.max(...all),
        },
      ];
    });
}

/**
 * A call of JavaScriptCore's `probe` saves and restores all registers, these first. It leaves in r10 where to go on, or 0. One instruction
 * stands for it.
 */
const PROBE =
  /^push rax;push rax;mov eax,0x\w+;push rdx;mov edx,0x\w+;push rbx;(?:mov|movabs|xor) [er]bx,\w+;call rax$/;
const PROBE_LENGTH = 8;
function withoutProbes(instructions: readonly Instruction[]): Instruction[] {
  const all: Instruction[] = [];
  for (let i = 0; i < instructions.length; i++) {
    const next = instructions.slice(i, i + PROBE_LENGTH).map(({ op, operands }) => `${op} ${operands.join()}`);
    if (PROBE.test(next.join(';'))) {
      all.push({ ...instructions[i], op: 'mov', operands: ['r10', '0x0'] });
      i += PROBE_LENGTH - 1;
    } else all.push(instructions[i]);
  }
  return all;
}

function memoryOf(process: number, { from, to }: Place): Uint8Array {
  const memory = openSync(`/proc/${process}/mem`, 'r');
  try {
    const code = new Uint8Array(to - from);
    if (readSync(memory, code, 0, code.length, from) !== code.length) throw new Error('the code cannot be read');
    return code;
  } finally {
    closeSync(memory);
  }
}

/** Compiles a kernel by both compilers of a Bun, by calls as the library may make them. */
export async function compiledByBun(bun: string, kernel: Kernel): Promise<MachineFunction[]> {
  const folder = mkdtempSync(join(tmpdir(), 'machine-code-'));
  const [file, list] = ['kernel.wasm', 'calls.json'].map((name) => join(folder, name));
  writeFileSync(file, kernel.bytes);
  writeFileSync(
    list,
    JSON.stringify([...randomCalls(kernel, CALLS)].map(({ name, parameters }) => [name, ...parameters])),
  );
  const options = Object.entries(OPTIONS).map(([name, value]) => [`BUN_JSC_${name}`, String(value)]);
  const child = spawn(bun, [join(import.meta.dirname, 'jsc-calls.js'), file, list], {
    env: { ...process.env, ...(Object.fromEntries(options) as Record<string, string>) },
  });
  try {
    let text = '';
    child.stderr.on('data', (data: Buffer) => (text += data.toString()));
    await new Promise<void>((resolve, reject) => {
      child.on('error', reject);
      child.on('exit', (code) => {
        reject(new Error(`Bun ends with ${code}: ${text.slice(-500)}`));
      });
      child.stdout.on('data', (data: Buffer) => {
        // The text of the last function may still be under way in the other pipe.
        if (data.toString().includes('ended')) setTimeout(resolve, 100);
      });
    });
    return placesIn(text).map((place) => ({
      index: place.index,
      compiler: place.compiler,
      instructions: withoutProbes(disassembled(memoryOf(child.pid!, place))),
    }));
  } finally {
    child.kill();
    rmSync(folder, { recursive: true });
  }
}
