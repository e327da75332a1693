/** The package has the names of the original, and does the same in every call. */
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { outcomeOf } from '../../drop-ins/src/compare.ts';
import { distOf } from '../../drop-ins/src/folders.ts';
import { lines } from '../../drop-ins/src/lines.ts';
import type Nacl from 'tweetnacl-1';

const require = createRequire(import.meta.url);
const folder = distOf(lines.find((line) => line.package === 'tweetnacl')!);
const ours = require(folder) as typeof Nacl;
const theirs = require('tweetnacl-1') as typeof Nacl;

/** All names, with kinds and with the properties of functions. */
function shapeOf(value: unknown): unknown {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return value;
  const names = Object.keys(value).sort();
  const properties = names.map((name) => [name, shapeOf((value as Record<string, unknown>)[name])]);
  return [typeof value === 'function' ? value.length : 'object', ...properties];
}

test('names', () => {
  expect(shapeOf(ours)).toEqual(shapeOf(theirs));
  for (const file of ['nacl-fast', 'nacl', 'nacl-fast.min', 'nacl.min'])
    expect(require(`${folder}/${file}.js`)).toBe(ours);
});

const bytes = (length: number, first = 1): Uint8Array => Uint8Array.from({ length }, (_, i) => (first + 7 * i) % 256);

function detached(): Uint8Array {
  const view = bytes(32);
  structuredClone(view.buffer, { transfer: [view.buffer] });
  return view;
}

const WRONG: readonly unknown[] = [
  undefined,
  null,
  'text',
  7,
  [1],
  new Uint16Array(32),
  bytes(31),
  bytes(0),
  detached(),
];

function calls(nacl: typeof Nacl): string[] {
  const found: string[] = [];
  type Call = (...values: unknown[]) => unknown;
  const note = (call: unknown, ...values: unknown[]): unknown => found.push(outcomeOf(() => (call as Call)(...values)));
  const [key, nonce] = [bytes(32), bytes(24)];
  const [alice, bob] = [bytes(32, 3), bytes(32, 9)].map((secret) => nacl.box.keyPair.fromSecretKey(secret));
  interface Both {
    secretbox: Call & { open: Call };
    box: Call & { open: Call & { after: Call }; after: Call };
  }
  const { secretbox, box } = nacl as unknown as Both;
  for (const [seal, open, ...keys] of [
    [secretbox, secretbox.open, key],
    [box, box.open, bob.publicKey, alice.secretKey],
    [box.after, box.open.after, key],
  ] as const) {
    for (const size of [0, 1, 31, 32, 33, 1000, 200_000]) {
      const sealed = seal(bytes(size), nonce, ...keys) as Uint8Array;
      found.push(Buffer.from(sealed).toString('hex'));
      note(open, sealed, nonce, ...keys);
      note(open, sealed.subarray(1), nonce, ...keys);
      note(open, bytes(size), nonce, ...keys);
    }
    for (const call of [seal, open])
      for (const wrong of WRONG) {
        note(call, wrong, nonce, ...keys);
        note(call, bytes(40), wrong, ...keys);
        for (const i of keys.keys()) note(call, bytes(40), nonce, ...keys.map((each, j) => (i === j ? wrong : each)));
      }
    note(seal, bytes(5), nonce, ...keys, 'one more');
  }
  return found;
}

test('calls', () => {
  const expected = calls(theirs);
  expect(expected.length).toBeGreaterThan(150);
  expect(calls(ours)).toEqual(expected);
});
