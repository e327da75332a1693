// node packages/proofs/src/machine-code/report.ts [TEXT] [--bun PATH]
//
// Prints how much code engines make of the kernels whose names have the text in them, and of each loop: V8, SpiderMonkey if js102 is
// there, and JavaScriptCore in the given Bun. docs/inside/machine-code.md explains it. Exit code 1 if a branch, an address or a division
// depends on a secret.
import { parseArgs } from 'node:util';
import { kernels, type Kernel } from '../kernels.ts';
import type { MachineFunction } from './instruction.ts';
import { compiledByBun } from './jsc.ts';
import { secretsIn } from './secrets.ts';
import { compiledBySpiderMonkey, shellVersion } from './spidermonkey.ts';
import { compiledBy } from './v8.ts';

const { values, positionals } = parseArgs({ allowPositionals: true, options: { bun: { type: 'string' } } });
const text = positionals[0] ?? '';
const shell = process.arch === 'x64' ? shellVersion() : undefined;

async function* compiledOf(kernel: Kernel): AsyncGenerator<MachineFunction> {
  for (const compiler of ['TurboFan', 'Liftoff'] as const) yield* compiledBy(compiler, kernel.bytes);
  // Its version 102 knows no relaxed instructions.
  if (shell !== undefined && kernel.form !== 'relaxed')
    for (const compiler of ['Ion', 'Baseline'] as const) yield* compiledBySpiderMonkey(compiler, kernel.bytes);
  if (values.bun !== undefined) yield* await compiledByBun(values.bun, kernel);
}

const at = (offset: number): string => `+0x${offset.toString(16)}`;
const row = (...cells: readonly (string | number)[]): void => console.log(`| ${cells.join(' | ')} |`);

console.log(`V8 ${process.versions.v8}, Node ${process.versions.node}, ${process.arch}; ${shell ?? 'no js102'}\n`);
row('kernel', 'compiler', 'function', 'loop', 'instructions', 'conditional branches', 'indexed accesses', 'findings');
row('---', '---', '--:', '---', '--:', '--:', '--:', '--:');
for (const kernel of kernels.filter(({ name }) => name.includes(text)))
  for await (const compiled of compiledOf(kernel)) {
    const { instructions, branches, indexed, loops, findings } = secretsIn(compiled);
    const { index, compiler } = compiled;
    row(kernel.name, compiler, index, 'all of it', instructions, branches, indexed, findings.length);
    for (const loop of loops)
      row(kernel.name, compiler, index, at(loop.from), loop.instructions, loop.branches, loop.indexed, '');
    for (const { offset, what, instruction } of findings) {
      console.error(
        `${kernel.name}, ${compiler}, function ${index}, ${at(offset)}: ${what} by a secret: ${instruction}`,
      );
      process.exitCode = 1;
    }
  }
