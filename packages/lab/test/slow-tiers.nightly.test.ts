/** Firefox in tiers that users do not have, for studies: the canary must find the baseline compiler, and samples must come. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { plans } from '../src/client/catalogue.ts';
import type { Message } from '../src/client/messages.ts';
import { studyEngines } from '../src/engines/all.ts';
import { buildClients, type Clients } from '../src/lab/clients.ts';

let clients: Clients;
beforeAll(async () => {
  clients = await buildClients();
});
afterAll(() => clients.remove());

const contest = 'platforms/chacha20/encrypt/65536';

test.each(studyEngines)('$name', async (engine) => {
  const found = await engine.find();
  if (found.missing !== undefined) {
    console.log(`skipped: ${found.missing} is missing; ${found.howToGet}`);
    return;
  }
  const heard: Message[] = [];
  const task = { seed: 1, kind: 'quick', plan: plans.quick, contests: [contest] } as const;
  const client = clients.fileFor('page');
  await engine.run(task, { client, limitMilliseconds: 120_000 }, (message) => void heard.push(message));
  const of = <T extends Message['type']>(type: T): Extract<Message, { type: T }>[] =>
    heard.filter((message): message is Extract<Message, { type: T }> => message.type === type);
  expect(of('error')).toEqual([]);
  expect(of('fault')).toEqual([]);
  // Twice as slow as the optimised tier is the least that the canary calls slow, and the baseline compiler is little slower than that. One
  // of both canaries, before and after, sets the session aside.
  const canaries = of('canary').map(({ trusted }) => trusted);
  expect(canaries).toHaveLength(2);
  expect(canaries).toContain(false);
  const [{ nanoseconds }] = of('samples');
  expect(Object.keys(nanoseconds)).toEqual(expect.arrayContaining(['lanewise simd', 'lanewise scalar']));
});
