/**
 * Tests every engine of this machine with a client that measures nothing: a session that comes to its end, one that
 * hangs and one that is stopped. `npm run test:browsers` runs it. No process or file of any of them may remain.
 */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Message, Task } from '../../src/client/messages.ts';
import { engines as usualEngines, studyEngines } from '../../src/engines/all.ts';
import type { Engine, SessionOptions } from '../../src/engines/engine.ts';
import { strays } from '../../../runtimes/src/processes.ts';
import { runtimes } from '../../src/engines/runtimes.ts';

const SECOND = 1000;
const engines = [...usualEngines, ...studyEngines];

async function session(
  engine: Engine,
  contests: readonly string[],
  options: Partial<SessionOptions>,
  stopAt?: Message['type'],
): Promise<string> {
  const plan = { rounds: [1, 1], budgetMilliseconds: 0, batchMilliseconds: 1, warmUpMilliseconds: 0 } as const;
  const task: Task = { seed: 1, kind: 'quick', plan, contests };
  const client = join(import.meta.dirname, runtimes.includes(engine) ? 'program.mjs' : 'client.mjs');
  const stop = new AbortController();
  const heard: string[] = [];
  const listen = (message: Message): void => {
    heard.push(message.type === 'error' ? message.message : message.type);
    if (message.type === stopAt) stop.abort();
  };
  await engine.run(task, { client, limitMilliseconds: 60 * SECOND, ...options }, listen, stop.signal);
  const folders = readdirSync(tmpdir()).filter((name) => name.startsWith(`lanewise-engine-${process.pid}-`));
  assert.deepEqual([folders, strays()], [[], []], `${engine.name} left something behind`);
  return heard.join(', ');
}

let missing = 0;
for (const engine of engines) {
  const found = await engine.find();
  if (found.missing !== undefined) {
    console.log(`${engine.id.padEnd(18)}NOT RUN: there is no ${found.missing}: ${found.howToGet}`);
    missing++;
    continue;
  }
  assert.equal(await session(engine, ['one'], {}), 'hello, unavailable, done', engine.name);
  const limit = { limitMilliseconds: 4 * SECOND };
  assert.match(await session(engine, ['hang'], limit), /^(hello, )?it took more than 4 s$/, engine.name);
  assert.equal(await session(engine, ['wait'], {}, 'hello'), 'hello, stopped', engine.name);
  console.log(`${engine.id.padEnd(18)}${found.version.padEnd(16)}ok`);
}
console.log(`\nengines: ${engines.length - missing} passed, 0 failed, ${missing} skipped`);
