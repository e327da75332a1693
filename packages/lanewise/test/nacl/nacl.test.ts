/** lanewise/nacl.js beside TweetNaCl: both get the same calls. */
// Runs in every mode: known answers.
import { describe, expect, test } from 'vitest';
import tweetnacl from 'tweetnacl';
import nacl, * as named from '../../src/nacl.ts';
import { expectBytes, range, refusal, sample } from '../support/bytes.ts';
import { onEachEngine } from '../support/engines.ts';

const key = sample(32, 31);
const nonce = sample(24, 32);
const data = sample(70_000, 33);
const wrong = <T>(value: unknown): T => value as T;

/** Calls that must return or throw the same. */
type Nacl = Pick<typeof tweetnacl, 'verify' | 'randomBytes'> & { readonly secretbox: typeof tweetnacl.secretbox };
const calls: readonly (readonly [string, (its: Nacl) => unknown])[] = [
  ['an array for a message', ({ secretbox }) => secretbox(wrong([1, 2]), nonce, key)],
  ['text for a nonce', ({ secretbox }) => secretbox(data, wrong('nonce'), key)],
  ['nothing for a key', ({ secretbox }) => secretbox(data, nonce, wrong(undefined))],
  ['words for a key', ({ secretbox }) => secretbox(data, nonce, wrong(new Uint32Array(8)))],
  ['an ArrayBuffer for a box', ({ secretbox }) => secretbox.open(wrong(new ArrayBuffer(32)), nonce, key)],
  ['null for a nonce of a box', ({ secretbox }) => secretbox.open(data, wrong(null), key)],
  ['a short key', ({ secretbox }) => secretbox(data, nonce, key.subarray(1))],
  ['a long key', ({ secretbox }) => secretbox.open(data, nonce, sample(33))],
  ['a short nonce', ({ secretbox }) => secretbox(data, nonce.subarray(1), key)],
  ['a long nonce', ({ secretbox }) => secretbox.open(data, sample(25), key)],
  ['key and nonce exchanged: the key is named first', ({ secretbox }) => secretbox(data, key, nonce)],
  ['no box at all', ({ secretbox }) => secretbox.open(new Uint8Array(0), nonce, key)],
  ['a box of 15 bytes', ({ secretbox }) => secretbox.open(new Uint8Array(15), nonce, key)],
  ['a box of 16 zeros', ({ secretbox }) => secretbox.open(new Uint8Array(16), nonce, key)],
  ['a forged box', ({ secretbox }) => secretbox.open(data, nonce, key)],
  ['equal bytes', ({ verify }) => verify(data, data.slice())],
  ['different bytes', ({ verify }) => verify(data, sample(70_000, 34))],
  ['different lengths', ({ verify }) => verify(data, data.subarray(1))],
  ['no bytes', ({ verify }) => verify(new Uint8Array(0), new Uint8Array(0))],
  ['no bytes and one', ({ verify }) => verify(new Uint8Array(0), new Uint8Array(1))],
  ['text', ({ verify }) => verify(wrong('a'), wrong('a'))],
];

/** The result of a call as text. */
function outcome(work: () => unknown): string {
  let value: unknown;
  const error = refusal(() => (value = work()));
  return error === 'nothing was refused' ? `returns ${JSON.stringify(value)}` : error;
}

onEachEngine(() => {
  test.each(calls)('%s', (_, call) => {
    expect(outcome(() => call(nacl as Nacl))).toBe(outcome(() => call(tweetnacl)));
  });

  test('boxes are the same bytes, at every length up to 600 and longer', () => {
    for (const length of [...range(0, 601), 1024, 4096, 65_536, 70_000]) {
      const msg = data.subarray(0, length);
      const box = nacl.secretbox(msg, nonce, key);
      expectBytes(box, tweetnacl.secretbox(msg, nonce, key), `box of ${length}`);
      expectBytes(nacl.secretbox.open(box, nonce, key)!, msg, `message of ${length}`);
      expectBytes(tweetnacl.secretbox.open(box, nonce, key)!, msg, `message of ${length}, by the other`);
    }
  });

  test('a forgery gives null, whichever byte it is', () => {
    const box = nacl.secretbox(data.subarray(0, 100), nonce, key);
    for (let i = 0; i < box.length; i++) {
      box[i] ^= 0x80;
      expect(nacl.secretbox.open(box, nonce, key), `byte ${i}`).toBeNull();
      box[i] ^= 0x80;
    }
    expect(nacl.secretbox.open(box, sample(24, 1), key)).toBeNull();
    expect(nacl.secretbox.open(box, nonce, sample(32, 1))).toBeNull();
    expect(nacl.secretbox.open(box, nonce, key)).toEqual(data.slice(0, 100));
  });

  test('may be used again and again under one nonce, as there', () => {
    const boxes = [1, 2].map(() => nacl.secretbox(data, nonce, key));
    expect(boxes[0]).toEqual(boxes[1]);
  });
});

describe('the module', () => {
  test('says the lengths that TweetNaCl says', () => {
    const lengthsOf = ({ keyLength, nonceLength, overheadLength }: typeof tweetnacl.secretbox) => [
      keyLength,
      nonceLength,
      overheadLength,
    ];
    expect(lengthsOf(nacl.secretbox)).toEqual([32, 24, 16]);
    expect(lengthsOf(nacl.secretbox)).toEqual(lengthsOf(tweetnacl.secretbox));
  });

  test('has the same by name as by default', () => {
    expect(named.secretbox).toBe(nacl.secretbox);
    expect(named.randomBytes).toBe(nacl.randomBytes);
    expect(named.verify).toBe(nacl.verify);
  });

  test('randomBytes gives as many bytes, and others each time', () => {
    expect(nacl.randomBytes(0)).toHaveLength(0);
    const [first, second] = [nacl.randomBytes(24), nacl.randomBytes(24)];
    expect([first.length, second.length]).toEqual([24, 24]);
    expect(first).not.toEqual(second);
  });
});
