/** Programs that the release runs. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Runs a program and returns its output; rejects with all of it if the program fails. */
export async function run(
  program: string,
  values: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv = {},
): Promise<string> {
  const options = { cwd, env: { ...process.env, ...env }, maxBuffer: 2 ** 28, shell: process.platform === 'win32' };
  try {
    return (await promisify(execFile)(program, values, options)).stdout;
  } catch (error) {
    const { stdout, stderr, message } = error as Error & { stdout: string; stderr: string };
    throw new Error(`${message.split('\n')[0]}\n${stdout}${stderr}`, { cause: error });
  }
}
