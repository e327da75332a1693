/** The reason of a failed program has words, also where the program had none. */
// Runs in Node only: starts programs.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { failureOf } from '../src/failure.ts';

const failed = async (program: string, timeout?: number): Promise<unknown> => {
  try {
    await promisify(execFile)(process.execPath, ['-e', program], timeout === undefined ? {} : { timeout });
  } catch (error) {
    return error;
  }
  throw new Error('it did not fail');
};

test('is some of the lines that it wrote', async () => {
  const error = await failed("console.error('\\nfirst\\nsecond\\n\\nlast\\n'); process.exitCode = 1");
  expect(failureOf(error, 0, 1)).toBe('first');
  expect(failureOf(error, 0, 2)).toBe('first second');
  expect(failureOf(error, -1)).toBe('last');
});

test('is the command of a program that wrote nothing', async () => {
  const error = await failed('process.exitCode = 1');
  expect(failureOf(error, -1)).toMatch(/^Command failed: .*process\.exitCode = 1$/);
  expect(failureOf(error, 0, 2)).toBe(failureOf(error, -1));
});

test('names the signal of one that took too long', async () => {
  expect(failureOf(await failed('setInterval(() => {}, 1000)', 200), -1)).toMatch(
    /^Command failed: .* \(ended by SIGTERM\)$/,
  );
});

test('has words for any error', () => {
  expect(failureOf(new Error('of a folder'), -1)).toBe('of a folder');
  expect(failureOf(new Error(''), -1)).toBe('Error');
  expect(failureOf('a text', -1)).toBe('a text');
});
