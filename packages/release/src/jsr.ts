/** The package for JSR: the sources of the library, which JSR compiles itself. */
import { copyFile, cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DENO, fetched } from '../../runtimes/src/fetched.ts';
import { workspace } from './packages.ts';
import { run } from './run.ts';

/** Copies it to a folder. */
export async function copyForJsr(to: string): Promise<void> {
  await mkdir(to);
  const library = join(workspace, 'packages/lanewise');
  await cp(join(library, 'src'), join(to, 'src'), { recursive: true });
  await copyFile(join(library, 'jsr.json'), join(to, 'jsr.json'));
  for (const name of ['README.md', 'LICENSE']) await copyFile(join(workspace, name), join(to, name));
}

/** Copies the package.json and the lock file of the program that publishes there, by which it is installed: every part by its hash. */
export async function copyJsrTool(to: string): Promise<void> {
  await mkdir(to);
  for (const name of ['package.json', 'package-lock.json'])
    await copyFile(join(workspace, 'packages/release/jsr-tool', name), join(to, name));
}

/** Rejects with Deno's objections to its publication; otherwise the reason why Deno was not asked, if it was not. */
export async function dryRun(folder: string): Promise<string | undefined> {
  let deno: string;
  try {
    deno = await fetched(DENO);
  } catch (error) {
    return (error as Error).message;
  }
  await run(deno, ['publish', '--dry-run', '--allow-dirty', '--quiet'], folder, { NO_COLOR: '1' });
  return undefined;
}
