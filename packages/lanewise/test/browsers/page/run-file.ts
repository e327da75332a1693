/** Runs one test file with vitest's own runner, in a realm that has seen no other. */
import { config, currentGeneration } from './surroundings.ts';
import { startTests } from 'vitest/internal/browser';
import { broken, type Result, type Surroundings } from './messages.ts';

/** Vitest's tasks, as far as they are used here. */
interface Task {
  readonly type: 'suite' | 'test';
  readonly name: string;
  readonly mode: string;
  readonly tasks?: readonly Task[];
  readonly result?: { readonly state: string; readonly errors?: readonly Thrown[]; readonly note?: string };
}
interface Thrown {
  readonly name?: string;
  readonly message?: string;
  readonly stack?: string;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer U)[] ? U[] : T[K] };

function inWords({ name = 'Error', message = '', stack = '' }: Thrown): string {
  const frames = stack.split('\n').filter((line) => line.includes('.js:') && !line.includes(message));
  return [`${name}: ${message}`, ...frames.slice(0, 4)].join('\n');
}

function collect(task: Task, path: readonly string[], found: Mutable<Result>): void {
  const { state, errors = [], note } = task.result ?? { state: task.mode };
  const test = path.join(' > ') || '(the file)';
  // A suite or a file fails by itself if a hook threw, or if it could not be loaded.
  if (state === 'fail' && (task.type === 'test' || errors.length > 0))
    found.failed.push({ test, error: errors.map(inWords).join('\n') });
  if (task.type === 'test' && state === 'pass') found.passed++;
  if (task.type === 'test' && state !== 'pass' && state !== 'fail')
    found.skipped.push({ test, reason: note ?? `without a reason: ${state}` });
  for (const child of task.tasks ?? []) collect(child, [...path, child.name], found);
}

/** Paths are relative to the bundles. Paths in this file would be relative to a bundle that several files share. */
export type Load = (path: string) => Promise<unknown>;

export async function runFile(
  file: string,
  { engines, isolated, emulated }: Surroundings,
  load: Load,
): Promise<Result> {
  const globals = Object.assign(globalThis as { lanewiseNote?: string }, {
    lanewiseEngines: engines,
    lanewiseIsolated: isolated,
    lanewiseEmulated: emulated,
    /** Modules of the library that a test loads anew after `vi.resetModules`: one copy of all for each time. */
    async lanewiseImport(name: string): Promise<unknown> {
      const again = (await load(`./again/${currentGeneration()}.js`)) as Record<string, unknown>;
      if (!(name in again)) throw new Error(`${name} is not among the modules that can be loaded anew`);
      return again[name];
    },
  });
  const start = performance.now();
  const found: Mutable<Result> = { file, passed: 0, failed: [], skipped: [], milliseconds: 0 };
  try {
    const importFile = (name: string): Promise<unknown> => load(`./files/${name}.js`);
    const runner = { config, pool: 'browser', importFile } as unknown as Parameters<typeof startTests>[1];
    for (const task of (await startTests([file], runner)) as unknown as readonly Task[]) collect(task, [], found);
  } catch (error) {
    return broken(file, inWords(error as Error));
  }
  if (found.passed + found.failed.length + found.skipped.length === 0) return broken(file, 'it has no tests');
  return { ...found, note: globals.lanewiseNote, milliseconds: Math.round(performance.now() - start) };
}
