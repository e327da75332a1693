/** The program that times the `js` engine, in the hosts of this machine: that they give samples, not how long those are. */
import { expect, it } from 'vitest';
import { HOSTS } from '../src/timing/hosts.ts';

/** Of a browser that isn't installed, or a package that npm cannot fetch. */
const ABSENT = /^there is no |^npm install /;

it.each(Object.entries(HOSTS).flatMap(([name, { codes }]) => codes.map((code) => [name, code])))(
  '%s, %s',
  async (name, code) => {
    const answer = await HOSTS[name].run(code, { names: ['poly1305'], milliseconds: 1 }).catch((error: unknown) => {
      if (!ABSENT.test((error as Error).message)) throw error;
      console.log(`skipped: ${(error as Error).message}`);
      return undefined;
    });
    if (!answer) return;
    expect(answer.engine).toBe('js');
    expect(answer.host).toMatch(/\d/);
    expect(answer.samples.map(({ classes }) => classes)).toEqual(['top bits', 'fixed, random', 'random, random']);
    for (const { times } of answer.samples) expect(times.length).toBeGreaterThanOrEqual(400);
  },
);
