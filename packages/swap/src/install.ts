/** Runs the program's package manager. */
import { spawn } from 'node:child_process';
import { shell, type Project } from './project.ts';

/** By default managers leave the lockfile as it is in continuous integration, where this may run. */
function valuesOf({ manager, major }: Project): readonly string[] {
  switch (manager) {
    case 'npm':
      return ['install', '--no-audit', '--no-fund'];
    case 'pnpm':
      return ['install', '--no-frozen-lockfile'];
    case 'yarn':
      return major === 1 ? ['install', '--non-interactive'] : ['install', '--no-immutable'];
    case 'bun':
      return ['install', '--no-frozen-lockfile'];
    case 'deno':
      return ['install'];
  }
}

export const commandOf = (project: Project): string => [project.manager, ...valuesOf(project)].join(' ');

/** Installs from manifests and lockfile. Rejects with the manager's output if it fails. */
export async function install(project: Project): Promise<void> {
  let said = '';
  const status = await new Promise<number | string>((resolve, reject) => {
    const child = spawn(project.manager, valuesOf(project), { cwd: project.root, shell });
    child.stdin.end();
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (said += text));
    child.on('error', reject);
    child.on('close', (code, signal) => resolve(code ?? signal ?? 'a signal'));
  });
  if (status !== 0) throw new Error(`${commandOf(project)} ended with ${status}:\n${said.trim()}`);
}
