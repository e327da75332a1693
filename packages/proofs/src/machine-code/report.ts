// node packages/proofs/src/machine-code/report.ts [TEXT]
//
// Prints how much code V8 makes of the kernels whose names have the text in them, and of each loop: docs/inside/machine-code.md explains it. Exit code 1 if
// a branch, an address or a division depends on a secret.
import { kernels } from '../kernels.ts';
import { compiledBy } from './v8.ts';
import { secretsIn } from './secrets.ts';

const COMPILERS = ['TurboFan', 'Liftoff'] as const;
const text = process.argv[2] ?? '';
const row = (...cells: readonly (string | number)[]): void => console.log(`| ${cells.join(' | ')} |`);

console.log(`V8 ${process.versions.v8}, Node ${process.versions.node}, ${process.arch}\n`);
row('kernel', 'compiler', 'function', 'loop', 'instructions', 'conditional branches', 'indexed accesses', 'findings');
row('---', '---', '--:', '---', '--:', '--:', '--:', '--:');
for (const { name, bytes } of kernels.filter((kernel) => kernel.name.includes(text)))
  for (const compiler of COMPILERS)
    for (const compiled of compiledBy(compiler, bytes)) {
      const { instructions, branches, indexed, loops, findings } = secretsIn(compiled);
      row(name, compiler, compiled.index, 'all of it', instructions, branches, indexed, findings.length);
      for (const loop of loops)
        row(
          name,
          compiler,
          compiled.index,
          `+0x${loop.from.toString(16)}`,
          loop.instructions,
          loop.branches,
          loop.indexed,
          '',
        );
      for (const { offset, what, instruction } of findings) {
        console.error(
          `${name}, ${compiler}, function ${compiled.index}, +0x${offset.toString(16)}: ${what} by a secret: ${instruction}`,
        );
        process.exitCode = 1;
      }
    }
