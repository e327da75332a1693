// The modules that call kernels have no way that nobody takes: the calls that are recorded for the claims about wiping,
// and some that are refused, take both ways of every condition. A step that is omitted or added at one length, which no
// call has, is found by this coverage, as in kernels.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Library } from '../src/claims/recorded.ts';
import { branchCalls } from './branch-calls.ts';
import { BranchRecorder, conditionsIn } from '../src/library/branches.ts';
import { rooms } from '../src/rooms.ts';

const source = join(import.meta.dirname, '../../lanewise/src');

/** The modules that pass their messages on to these. */
const AROUND = ['keystream/counter.ts', 'calls/aead.ts', 'calls/parts.ts', 'blake3/hasher.ts'];
/** Not those whose kernels run in other threads: nothing here waits for these. `argon2/lanes.test.ts` of the library has their ways. */
const callsKernels = (file: string): boolean =>
  !/binding|self-test|[\\/]parallel\.ts$|^argon2[\\/]jobs\.ts$/.test(file) &&
  /from '\.\.?\/(?:[\w-]+\/)?(?:(?:[\w-]+-)?binding|engine\/instance)\.ts'/.test(
    readFileSync(join(source, file), 'utf8'),
  );
const files = [
  ...AROUND,
  ...[...rooms.map(({ name }) => name), 'keystream']
    .flatMap((room) => globSync(`${room}/*.ts`, { cwd: source }))
    .filter(callsKernels),
].sort();

const { ordinary, refused } = await branchCalls();
const scenarios = rooms.flatMap((room) => room.recorded.scenarios());

const NATIVE = 'Native code alone fills many blocks in a call: memory-hard.long.test.ts of packages/native.';
const LANES = 'The lanes of a derivation are filled by other threads: argon2/lanes.test.ts of the library.';
/** Never taken, and why. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'argon2/derive.ts: run.fill never holds': NATIVE,
  'argon2/fill.ts: run.fill never holds': NATIVE,
  'argon2/functions.ts: found never holds': LANES,
  'argon2/functions.ts: lanes never holds': LANES,
  'blake3/hasher.ts: this.#ended !== HALF_WAY always holds':
    'An exception in the middle of an update is what the claims about wiping plant, in a kernel that runs on symbols.',
  'stream/secretstream-state.ts: carry never holds':
    'It would be the last of 2^32 messages; stream/known-answers.test.ts of the library starts before it.',
};

async function run(recorder: BranchRecorder): Promise<string[]> {
  const doors = new Set(rooms.flatMap((room) => room.recorded.doors));
  const modules = [...doors].map(async (door) => [door, await recorder.load(`${door}.ts`)] as const);
  const library = Object.fromEntries(await Promise.all(modules)) as unknown as Library;
  for (const { call, before, throws } of scenarios) {
    const given = before?.(library) ?? new Uint8Array(0);
    if (throws) expect(() => call(library, given)).toThrow(throws);
    else call(library, given);
  }
  for (const call of ordinary) call(library);
  for (const call of refused) expect(() => call(library), call.toString()).toThrow();
  // One text may stand for several conditions.
  return [...new Set(recorder.gaps())].sort();
}

const recorders: BranchRecorder[] = [];
afterAll(() => recorders.forEach((recorder) => recorder.remove()));
const recorded = (...parameters: ConstructorParameters<typeof BranchRecorder>): BranchRecorder => {
  const recorder = new BranchRecorder(...parameters);
  recorders.push(recorder);
  return recorder;
};

it('is about all modules that call kernels', () => {
  expect(files.length).toBeGreaterThan(20);
  expect(files).toContain('chacha/aead.ts');
});

it('finds the conditions of a text', () => {
  const text = `if (a && !(b > 1 || c)) d();
    for (let i = 0; i < 4; i++) while (e) f = g ? h : i;
    const j = k || (l && m);`;
  expect(conditionsIn(text).map((x) => x.getText())).toEqual(['a', 'b > 1', 'c', 'i < 4', 'e', 'g', 'k', 'l']);
});

it('takes both ways of every condition', async () => {
  const recorder = recorded(files);
  expect(recorder.count).toBeGreaterThan(200);
  expect(await run(recorder)).toEqual(Object.keys(EXCEPTIONS));
});

describe('finds what was planted and nothing noticed', () => {
  it.each([
    [
      'J04: what a message leaves is not wiped at one length',
      'chacha/aead.ts',
      'STAGE + length + MARGIN;',
      (line: string) => `length === 3333 ? 0 : ${line}`,
      'chacha/aead.ts: length === 3333 never holds',
    ],
    [
      'J05: a wrong tag is taken for right beyond 5,000,000 bytes',
      'chacha/aead.ts',
      'if (run.verify(STAGE) !== 1) return false;',
      (line: string) => line.replace('run.', 'length <= 5_000_000 && run.'),
      'chacha/aead.ts: length <= 5_000_000 always holds',
    ],
  ])('%s', async (_, file, line, changed, gap) => {
    const edit = (name: string, text: string): string => {
      if (name !== file) return text;
      expect(text.split(line)).toHaveLength(2);
      return text.replace(line, changed(line));
    };
    expect(await run(recorded(files, edit))).toEqual([...Object.keys(EXCEPTIONS), gap].sort());
  });
});
