/**
 * The client as a program for Node, Bun and Deno: reads a Task as JSON from standard input and writes Messages as lines
 * of JSON to standard output. SIGTERM ends it early, with the results it has.
 */
import { run } from '../client.ts';
import type { Task } from '../messages.ts';
import { inCrew } from './worker.ts';

async function input(): Promise<string> {
  let text = '';
  for await (const chunk of process.stdin.setEncoding('utf8')) text += chunk as string;
  return text;
}

if (!inCrew) {
  const stop = new AbortController();
  process.once('SIGTERM', () => stop.abort(new Error('stopped')));
  const task = JSON.parse(await input()) as Task;
  await run(task, (message) => void process.stdout.write(JSON.stringify(message) + '\n'), { signal: stop.signal });
}
