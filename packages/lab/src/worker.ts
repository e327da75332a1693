/** Fresh processes for measurements. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';

/** No measurement takes this long; a process that does hangs. */
const LIMIT_MILLISECONDS = 180_000;

/** Runs a file of this folder in a new process and gives the JSON that it printed; in this Node, or by another program. */
export function runWorker<Result>(
  file: string,
  argument: string,
  [program, ...values]: readonly [string, ...string[]] = [process.execPath],
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const path = join(import.meta.dirname, file);
    const options = { timeout: LIMIT_MILLISECONDS, maxBuffer: 2 ** 28 };
    execFile(program, [...values, path, argument], options, (error, stdout, stderr) => {
      if (error === null) {
        resolve(JSON.parse(stdout) as Result);
        return;
      }
      const lines = stderr.split('\n');
      const told = lines.find((line) => /^\w*Error\b/.test(line)) ?? lines.find((line) => line.trim() !== '');
      reject(new Error(error.killed === true ? 'did not end in time' : (told ?? error.message)));
    });
  });
}
