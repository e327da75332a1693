/**
 * Runs a program in an engine and returns its result, for measurements that aren't contests. A program is a module of
 * `programs/` that exports `measure`: it is bundled with the library in the place of the client, and finds the worker of the library
 * beside it.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as esbuild from 'esbuild';
import { MODULE, POOL_WORKER, poolWorkerBundle } from '../bundle.ts';
import type { DoneMessage, Task } from '../client/messages.ts';
import type { Engine } from '../engines/engine.ts';
import { lab } from '../host.ts';
import { placeOf } from '../lab/field.ts';

/** A program that takes longer hangs. */
const LIMIT_MILLISECONDS = 600_000;

/** The program as a client, which takes any task, and whose last message has its result. */
const clientOf = (program: string, inPage: boolean): string => `
import { measure } from ${JSON.stringify(`./programs/${program}.ts`)};
export const run = async (task, emit) =>
  emit(await measure(task).then((result) => ({ type: 'done', result }), (error) => ({ type: 'error', message: String(error) })));
${
  inPage
    ? ''
    : `
let text = '';
for await (const piece of process.stdin.setEncoding('utf8')) text += piece;
run(JSON.parse(text), (message) => process.stdout.write(JSON.stringify(message) + '\\n', () => process.exit()));
`
}`;

/** Rejects if the engine is missing or the program fails. */
export async function resultOf(engine: Engine, program: string, task: unknown): Promise<unknown> {
  const cache = join(lab, '.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'program-'));
  try {
    const [{ outputFiles }, worker] = await Promise.all([
      esbuild.build({
        ...MODULE,
        stdin: { contents: clientOf(program, placeOf(engine) === 'page'), resolveDir: import.meta.dirname },
      }),
      poolWorkerBundle(),
    ]);
    const client = join(folder, 'program.mjs');
    writeFileSync(client, outputFiles[0].text);
    writeFileSync(join(folder, POOL_WORKER), worker);
    let done: (DoneMessage & { readonly result?: unknown }) | undefined;
    let failure = 'it said nothing';
    await engine.run(task as Task, { client, limitMilliseconds: LIMIT_MILLISECONDS }, (message) => {
      if (message.type === 'done') done = message;
      if (message.type === 'error') failure = message.message;
    });
    if (!done) throw new Error(failure);
    return done.result;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
