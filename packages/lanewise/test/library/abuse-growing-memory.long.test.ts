/**
 * Another thread grows shared memory while a call reads a view whose length follows the memory. The call returns its result
 * for the bytes before or after the growth, or throws an error of this library; linear memory holds no bytes beyond those
 * that were asked for; and later calls are right.
 */
// Runs in Node only: starts a thread of Node, which makes memory grow while a call reads it.
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { blake3, hashMany } from '../../src/blake3.ts';
import { select } from '../../src/engine.ts';
import type { Instance } from '../../src/engine/instance.ts';
import { concat, expectBytes, sample } from '../support/bytes.ts';
import { LENGTHS, type Call } from '../support/byte-call.ts';
import { callsOf } from '../support/byte-calls.ts';
import { expectNoSecrets, instances, watchMemories, type Found } from '../support/memories.ts';

const { eachStep, restoreLanguage } = await vi.hoisted(() => import('../support/steps.ts'));
restoreLanguage();

const BEHIND = 0xa7;
const behind = (length: number): Uint8Array => new Uint8Array(length).fill(BEHIND);

let found: () => Found;
beforeAll(() => {
  select('auto');
  found = watchMemories(BEHIND);
});
function expectNothingLeft(what: string, isPublic: boolean): void {
  const left = found();
  expectNoSecrets(left, what);
  if (left.marked && !isPublic) expect.fail(`${what}: bytes that were not asked for are left in memory`);
}

const many = Array.from({ length: 64 }, (_, i) => sample(100, i));
const digests = many.map((each) => blake3(each));
function expectLaterCallsRight(what: string): void {
  hashMany(many).forEach((digest, i) => expectBytes(digest, digests[i], `${what}: digest ${i} of a later call`));
}

/** Runs a call with its argument `number` replaced. */
const runWith = (call: Call, number: number, replace: (bytes: Uint8Array) => Uint8Array): Uint8Array => {
  let next = 0;
  return call.run((bytes) => (next++ === number ? replace(bytes) : bytes));
};
const OURS =
  /^(Type|Range)?Error: ("[\w[\]]+" |cannot |(chunk|message) \d+ is |invalid tag$|invalid padding$|bad (key|nonce) size$)/;
const attempt = (work: () => Uint8Array): Uint8Array | string => {
  try {
    return work();
  } catch (error) {
    return String(error);
  }
};

/** Whether the result is as expected; `out` itself may have grown. */
const isSame = (got: Uint8Array | string, wanted: Uint8Array | string): boolean =>
  typeof got === 'string' || typeof wanted === 'string'
    ? got === wanted
    : got.length >= wanted.length && Buffer.compare(got.subarray(0, wanted.length), wanted) === 0;

function expectOneOf(got: Uint8Array | string, whole: readonly (Uint8Array | string)[], what: string): void {
  if (typeof got === 'string') expect(got, what).toMatch(OURS);
  else if (!whole.some((wanted) => isSame(got, wanted)))
    expect.fail(`${what}: neither what the bytes gave as they were nor as they became`);
}

describe('memory that grows between any two steps of a call', () => {
  /** Growth by a few bytes, by more than a short message, and by more than linear memory holds. */
  const GROWTHS = [16, 4000, 300_000];

  const titles = callsOf(LENGTHS[1]).map(({ title }) => title);
  test.each(titles)('%s', (title) => {
    for (const length of LENGTHS)
      for (const call of callsOf(length).filter((each) => each.title === title)) expectWhole(call, length);
  });

  /** Runs `work` with such bytes, which grow before the step of this number; whether there was one. */
  function growingAt(step: number, bytes: Uint8Array, growth: number, work: (bytes: Uint8Array) => void): boolean {
    const shared = new SharedArrayBuffer(bytes.length, { maxByteLength: bytes.length + growth });
    const view = new Uint8Array(shared);
    view.set(bytes);
    let count = 0;
    const isShared = (value: unknown): boolean => ArrayBuffer.isView(value) && value.buffer === shared;
    eachStep(
      (self, [value]) => {
        if ((!isShared(self) && !isShared(value)) || ++count !== step) return;
        shared.grow(bytes.length + growth);
        view.set(behind(growth), bytes.length);
      },
      () => work(view),
    );
    return count >= step;
  }

  test('an empty view that grows when it is looked at: its bytes stay', () => {
    let grown = 0;
    for (; ; grown++) {
      let view = new Uint8Array();
      const done = growingAt(grown + 1, new Uint8Array(), 10, (bytes) => {
        view = bytes as Uint8Array<ArrayBuffer>;
        blake3(bytes);
      });
      expectBytes(view, behind(done ? 10 : 0), `grown at step ${grown + 1}`);
      if (!done) break;
    }
    expect(grown).toBeGreaterThan(1);
  });

  /** Each argument, each growth, each step. */
  function expectWhole(call: Call, length: number): void {
    let count = 0;
    const expected = call.run((bytes) => {
      count++;
      return bytes;
    });
    let grown = 0;
    for (let number = 0; number < count; number++)
      for (const growth of length > 100 ? [4000] : GROWTHS) {
        let argument = new Uint8Array() as Uint8Array;
        const longer = attempt(() =>
          runWith(call, number, (bytes) => {
            argument = bytes;
            return concat(bytes, behind(growth));
          }),
        );
        for (let step = 1, done = true; done; step++) {
          const what = `${length} bytes, argument ${number} grows by ${growth} at step ${step}`;
          let got: Uint8Array | string = '';
          done = growingAt(step, argument, growth, (view) => {
            got = attempt(() => runWith(call, number, () => view));
          });
          // Where all of them were counted, they may be the ciphertext that was asked for.
          expectNothingLeft(what, isSame(got, longer));
          expectLaterCallsRight(what);
          expectOneOf(got, [expected, longer], what);
          if (done) grown++;
        }
      }
    expect(grown, 'how often it grew').toBeGreaterThan(count);
  }
});

/** A thread that grows memory by `step` on each request, and fills the new bytes. */
const GROWER = `
const { shared, turns, step } = require('node:worker_threads').workerData;
const bytes = new Uint8Array(shared);
for (let turn = 1; ; turn++) {
  while (Atomics.load(turns, 0) < turn) {
    Atomics.wait(turns, 0, turn - 1);
    if (Atomics.load(turns, 0) < 0) process.exit();
  }
  const end = shared.byteLength;
  shared.grow(end + step);
  bytes.fill(${BEHIND}, end);
  Atomics.store(turns, 1, turn);
  Atomics.notify(turns, 1);
}`;

describe('a thread that grows memory while a kernel is at work', () => {
  const STEP = 4000;
  const shared = new SharedArrayBuffer(0, { maxByteLength: 2 ** 24 });
  /** The number of requests, and of those that it has carried out. */
  const turns = new Int32Array(new SharedArrayBuffer(8));
  const worker = new Worker(GROWER, { eval: true, workerData: { shared, turns, step: STEP } });
  let turn = 0;
  let pending = false;

  /** These bytes, in a view that ends where shared memory does; that grows as soon as a kernel does something. */
  function growing(bytes: Uint8Array): Uint8Array {
    const at = shared.byteLength;
    shared.grow(at + bytes.length);
    const view = new Uint8Array(shared, at);
    view.set(bytes);
    pending = true;
    return view;
  }
  function grow(): void {
    if (!pending) return;
    pending = false;
    Atomics.store(turns, 0, ++turn);
    Atomics.notify(turns, 0);
    for (let seen; (seen = Atomics.load(turns, 1)) !== turn;) Atomics.wait(turns, 1, seen);
  }

  const plain = new Map<Instance<unknown>, unknown>();
  beforeAll(() => {
    for (const instance of instances()) {
      const run = instance.run as Record<string, (...operands: unknown[]) => unknown>;
      plain.set(instance, run);
      const waiting = Object.entries(run)
        .filter(([, each]) => typeof each === 'function')
        .map(([name, each]) => {
          const call = (...operands: unknown[]): unknown => {
            grow();
            return each(...operands);
          };
          return [name, call] as const;
        });
      Object.assign(instance, { run: Object.fromEntries(waiting) });
    }
  });
  afterAll(async () => {
    for (const [instance, run] of plain) Object.assign(instance, { run });
    Atomics.store(turns, 0, -1);
    Atomics.notify(turns, 0);
    await worker.terminate();
  });

  test('hashMany beside a long message: its digests are right, and later ones', () => {
    const list = [new Uint8Array(200_000), ...Array.from({ length: 64 }, (_, i) => sample(10, i))];
    const expected = list.map((each) => blake3(each));
    for (const number of [1, 30, 64]) {
      const found = hashMany(list.map((each, i) => (i === number ? growing(each) : each)));
      expect(pending).toBe(false);
      found.forEach((digest, i) => expectBytes(digest, expected[i], `digest ${i}`));
      expectNothingLeft('hashMany', false);
      expectLaterCallsRight('hashMany');
    }
  });

  test.each(callsOf(100).map((call) => ({ call, title: call.title })))('$title', ({ call }) => {
    const expected = call.run((bytes) => bytes);
    let grown = 0;
    for (let number = 0, more = true; more; number++) {
      more = false;
      // Each kernel runs its self-test first: after the arguments were checked, before they are read.
      select('auto');
      const before = turn;
      const got = attempt(() =>
        runWith(call, number, (bytes) => {
          more = true;
          return growing(bytes);
        }),
      );
      grown += turn - before;
      pending = false;
      expectNothingLeft(`argument ${number}`, false);
      expectLaterCallsRight(`argument ${number}`);
      // The length of a message is read after its options, for which a context is hashed.
      const longer = attempt(() => runWith(call, number, (bytes) => concat(bytes, behind(STEP))));
      expectOneOf(got, [expected, longer], `argument ${number}`);
    }
    expect(grown).toBeGreaterThan(0);
  });
});
