/** In Node, for a processor that vitest cannot run on: runs the file that the argument names, and prints the result. */
import './surroundings.ts';
import type { Result, Surroundings } from './messages.ts';

const [, , file, surroundings] = process.argv;
const { runFile } = await import('./run-file.ts');
const load = (path: string): Promise<unknown> =>
  // A copy of all modules for each number, as the server gives them.
  import(path.replace(/^\.\/again\/(\d+)\.js$/, './again.js?$1')) as Promise<unknown>;
const result: Result = await runFile(file, JSON.parse(surroundings) as Surroundings, load);
console.log(JSON.stringify(result));
