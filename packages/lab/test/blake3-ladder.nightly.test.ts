/** The steps of BLAKE3 kept for study give right digests in every engine of this machine. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Message, Task } from '../src/client/messages.ts';
import { engines } from '../src/engines/all.ts';
import { asm, ours, published } from '../src/kernels/blake3-ladder/steps.ts';
import { buildClients, type Clients } from '../src/lab/clients.ts';
import { placeOf } from '../src/lab/field.ts';

const CONTEST = 'studies/blake3-ladder/hash/65536'; // where the clock is coarse as well
const task: Task = {
  seed: 7,
  kind: 'quick',
  plan: { rounds: [1, 1], budgetMilliseconds: 0, batchMilliseconds: 0.1, warmUpMilliseconds: 1 },
  contests: [CONTEST],
};
const LIMIT = 120_000;
/** Faults come right behind the list of the cases that are timed. */
const FAULTS_MILLISECONDS = 200;

let clients: Clients;
beforeAll(async () => {
  clients = await buildClients();
});
afterAll(() => clients.remove());

const names = (steps: readonly { readonly name: string }[]): string[] => steps.map(({ name }) => name);
const compiling = published.slice(9).concat(ours);

describe.each(engines)('in $name $id', (engine) => {
  test('every step is right, and takes part', { timeout: 2 * LIMIT }, async () => {
    const found = await engine.find();
    if (found.missing !== undefined) {
      console.log(`skipped: ${found.missing} is missing; ${found.howToGet}`);
      return;
    }
    const heard: Message[] = [];
    const stop = new AbortController();
    const client = clients.fileFor(placeOf(engine));
    const listen = (message: Message): void => {
      heard.push(message);
      // All steps were checked at their edges by now. How fast they are is no matter of a test.
      if (message.type === 'contest-start') setTimeout(() => stop.abort(), FAULTS_MILLISECONDS);
    };
    await engine.run(task, { client, limitMilliseconds: LIMIT }, listen, stop.signal);
    const of = <T extends Message['type']>(type: T) =>
      heard.filter((message): message is Extract<Message, { type: T }> => message.type === type);
    expect(of('fault')).toEqual([]);
    expect(of('error').filter(({ message }) => message !== 'stopped')).toEqual([]);

    const timed = of('contest-start').flatMap(({ cases }) => cases.map(({ id }) => id));
    const all = names([...published, asm, ...ours]);
    const absent = all.filter((name) => !timed.includes(name));
    // A Worker compiles nothing at run time: there the steps end with the eighth.
    expect(absent).toEqual(engine.id === 'workerd' ? names(compiling) : []);
    expect(timed).toEqual(expect.arrayContaining(all.filter((name) => !absent.includes(name))));
  });
});
