/** A wrong answer is detected, reported, and not timed. */
import { describe, expect, test } from 'vitest';
import { joined } from '../src/client/bytes.ts';
import type { Aead, CipherContestant } from '../src/client/contestants/contestant.ts';
import { libsodium } from '../src/client/contestants/libsodium.ts';
import { nobleCiphers } from '../src/client/contestants/noble.ts';
import { nodeCrypto } from '../src/client/node/node-crypto.ts';
import { ReferencesDiffer, runJob, sealing, type Field } from '../src/start/job.ts';
import { fileReport } from '../src/start/report.ts';

const plan = { rounds: [2, 2], budgetMilliseconds: 0, batchMilliseconds: 0.01, warmUpMilliseconds: 0 } as const;
const key = Uint8Array.from({ length: 32 }, (_, i) => i);
const nonce = Uint8Array.from({ length: 24 }, (_, i) => 100 + i);
const plaintext = Uint8Array.from({ length: 1000 }, (_, i) => i & 255);

/** A correct implementation with one change. */
const spoiled = (name: string, change: (good: Aead) => Partial<Aead>): CipherContestant => ({
  ...nobleCiphers,
  name,
  aead: (cipher, ...rest) => {
    const good = nobleCiphers.aead(cipher, ...rest);
    return { ...good, ...change(good) };
  },
});

const good = spoiled('good', () => ({}));
const wrongSeal = spoiled('wrong seal', (aead) => ({
  seal: (message, out) => {
    const sealed = Uint8Array.from(joined(aead.seal(message, out)));
    sealed[500] ^= 4;
    return sealed;
  },
}));
const wrongOpen = spoiled('wrong open', () => ({ open: (sealed) => new Uint8Array(sealed.length - 16) }));
const credulous = spoiled('credulous', () => ({ open: () => plaintext }));
const shorter = spoiled('shorter', (aead) => ({ seal: (message, out) => joined(aead.seal(message, out)).subarray(1) }));
const throwing = spoiled('throwing', () => ({
  seal: () => {
    throw new Error('no mood');
  },
}));

const field = (...ours: CipherContestant[]): Field => ({
  ours,
  auto: good,
  peers: [nobleCiphers, libsodium, nodeCrypto],
  references: [libsodium, nodeCrypto],
});
const job = (of: Field, message = plaintext) => runJob(message, key, nonce, of, plan, () => undefined);

describe('faults', () => {
  test.each([
    [wrongSeal, /seals to wrong bytes/],
    [shorter, /seals to wrong bytes/],
    [wrongOpen, /opens to wrong bytes/],
    [credulous, /opens a message of which byte \d+ was changed/],
    [throwing, /throws: no mood/],
  ])('%# is found', (contestant, message) => {
    const of = field(good, contestant);
    const result = job(of);
    expect(result.faults).toEqual([{ contestant: contestant.name, fault: expect.stringMatching(message) as string }]);
    expect(result.samples.nanoseconds[sealing(contestant)]).toBeUndefined();
    expect(result.samples.nanoseconds[sealing(good)]).toHaveLength(2);

    const about = { file: 'x', bytes: plaintext.length, relaxed: true, reason: undefined };
    const line = fileReport(about, of, result)
      .split('\n')
      .find((text) => text.startsWith(contestant.name));
    expect(line).toMatch(/ - +- +- +- +WRONG: /);
  });

  test('none where all is right, also for nothing at all', () => {
    for (const length of [0, 1, 16, 64, 1000]) {
      expect(job(field(good), plaintext.subarray(0, length)).faults).toEqual([]);
    }
  });
});

test('references that disagree stop everything', () => {
  const of: Field = { ...field(good), references: [wrongSeal, nodeCrypto] };
  expect(() => job(of)).toThrow(ReferencesDiffer);
});

test('a reference that cannot take the file is named, and the other one decides', () => {
  const of: Field = { ...field(good), references: [throwing, nodeCrypto] };
  expect(job(of)).toMatchObject({ faults: [], missing: [{ contestant: 'throwing', reason: 'no mood' }] });
  expect(() => job({ ...of, references: [throwing, throwing] })).toThrow(ReferencesDiffer);
});

test('an engine that is not available is shown with the reason', () => {
  const absent: CipherContestant = { ...good, name: 'absent', unavailable: 'not on this machine' };
  const of = field(good, absent);
  const result = job(of);
  expect(result.faults).toEqual([]);
  expect(fileReport({ file: 'x', bytes: 1000, relaxed: true, reason: undefined }, of, result)).toMatch(
    /^absent .*not available: not on this machine$/m,
  );
});
