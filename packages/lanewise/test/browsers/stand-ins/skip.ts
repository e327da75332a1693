/** Skips the current test, with the reason, where the host lacks something. */
import { TestRunner } from 'vitest';

export function skip(reason: string): never {
  const test = TestRunner.getCurrentTest();
  if (!test) throw new Error(`${reason}, and no test runs`);
  return test.context.skip(reason);
}
