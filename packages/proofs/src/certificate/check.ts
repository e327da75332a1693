// node packages/proofs/src/certificate/check.ts DIR [--coqchk]
//
// Has Coq check the certificates in a folder: 0 is the exit code if it accepts every one without an assumption. With --coqchk its
// second checker, which has no proof language, reads the first one's compiled files.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { parseArgs } from 'node:util';

function run(folder: string, program: string, args: readonly string[]): { isRight: boolean; said: string } {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: folder, encoding: 'utf8' });
  return { isRight: status === 0, said: `${stdout}${stderr}` };
}

/** `undefined` if there is no Coq. */
export function coqVersion(): string | undefined {
  const { status, stdout } = spawnSync('coqc', ['--version'], { encoding: 'utf8' });
  return status === 0 ? stdout.split('\n')[0] : undefined;
}

export interface Verdict {
  readonly name: string;
  readonly isAccepted: boolean;
  /** What Coq says of it. */
  readonly said: string;
  readonly seconds: number;
}

export const certificatesIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => /^LastStep\d+\.v$/.test(name))
    .map((name) => name.slice(0, -2))
    .sort();

export function* verdicts(folder: string, coqchk = false): Generator<Verdict> {
  for (const name of ['Words', 'Steps']) {
    const { isRight, said } = run(folder, 'coqc', [`${name}.v`]);
    if (!isRight) throw new Error(`Coq refuses ${name}.v: ${said}`);
  }
  for (const name of certificatesIn(folder)) {
    const start = performance.now();
    let { isRight, said } = run(folder, 'coqc', [`${name}.v`]);
    // The file ends with the assumptions of its theorem.
    let isAccepted = isRight && said.trim() === 'Closed under the global context';
    if (isAccepted && coqchk) {
      ({ isRight, said } = run(folder, 'coqchk', ['-silent', '-o', '-Q', '.', '', name]));
      isAccepted = isRight && /Axioms: <none>/.test(said);
    }
    yield { name, isAccepted, said, seconds: (performance.now() - start) / 1000 };
  }
}

function main(): number {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { coqchk: { type: 'boolean', default: false } },
  });
  const version = coqVersion();
  if (positionals.length !== 1 || !existsSync(positionals[0])) {
    console.error('node packages/proofs/src/certificate/check.ts DIR [--coqchk]');
    return 2;
  }
  if (version === undefined) {
    console.error('there is no coqc: Debian has it in the package coq');
    return 2;
  }
  let all = 0;
  let accepted = 0;
  for (const { name, isAccepted, said, seconds } of verdicts(positionals[0], values.coqchk)) {
    all++;
    if (isAccepted) accepted++;
    console.log(`${name}  ${seconds.toFixed(1)} s  ${isAccepted ? 'accepted' : `refused: ${said}`}`);
  }
  console.log(`${version}: ${accepted} of ${all} certificates accepted`);
  return all > 0 && accepted === all ? 0 : 1;
}

if (import.meta.main) process.exitCode = main();
