/** Job data from an unknown author: every field is checked, and unknown ones are refused. No server is needed. */
import { blake3, subtree } from 'lanewise/blake3.js';
import { bytesToHex } from 'lanewise/utils.js';
import { describe, expect, test } from 'vitest';
import { hashLeaf } from '../src/jobs/hash-leaf.ts';
import { hashRoot } from '../src/jobs/hash-root.ts';
import { kindOf } from '../src/jobs/kinds.ts';
import { addressOf, queueNameOf } from '../src/queue/address.ts';
import { bytesFor } from './objects-on-disk.ts';

const object = { url: 'file:///data/object', size: 10_000, etag: 'etag' };
const leaf = { object, mode: { name: 'hash' }, leafBytes: 4096, offset: 8192, length: 1808 };
const root = { object, mode: { name: 'hash' }, leafBytes: 4096, seek: 0, dkLen: 32 };

/** A copy with one field changed; `undefined` takes it away. */
function changed(data: object, path: string, value: unknown): unknown {
  const copy = structuredClone(data) as Record<string, unknown>;
  const names = path.split('.');
  const last = names.pop()!;
  const place = names.reduce((at, name) => at[name] as Record<string, unknown>, copy);
  if (value === undefined) Reflect.deleteProperty(place, last);
  else place[last] = value;
  return copy;
}

/** Values that aren't texts, nor numbers in any range. */
const strange = [undefined, null, true, [], {}, [1], { length: 1 }, '', Number.NaN, Infinity, -1, 0.5, 2 ** 53, '1'];
const noText = [undefined, null, 1, true, [], {}, '', 'nul\0', '\ud800', 'x'.repeat(10_000)];

const wrongObjects: readonly (readonly [string, readonly unknown[]])[] = [
  ['object', strange],
  ['object.url', noText],
  ['object.etag', noText],
  ['object.version', noText.slice(1)],
  ['object.size', [...strange, 2 ** 51]],
  ['object.other', [1]],
  ['mode', [...strange, 'hash', { name: 'hash', keyId: 'a' }, { name: 'keyed' }, { name: 'derive', keyId: 'a' }]],
  ['mode.name', [...strange, 'HASH', 'toString', '__proto__']],
  ['mode.key', ['00'.repeat(32)]],
  ['leafBytes', [...strange, 0, 512, 1023, 1025, 3072, 2 ** 41]],
  ['other', [1, null]],
  ['__proto__x', [1]],
];

describe('a leaf', () => {
  test('that is right is taken', () => expect(hashLeaf.check(leaf)).toEqual(leaf));

  test.each([
    ...wrongObjects,
    ['offset', [...strange, 1, 1024, 4095, 12_288, 10_000]] as const,
    ['length', [...strange, 0, 1807, 1809, 4096]] as const,
  ])('with a wrong %s is refused', (path, values) => {
    for (const value of values) expect(() => hashLeaf.check(changed(leaf, path, value)), String(value)).toThrow(/^"/);
  });

  test('of the right length at an offset between leaves is refused', () =>
    expect(() => hashLeaf.check({ ...leaf, offset: 1024, length: 4096 })).toThrow(
      '"offset" expected a multiple of 4096, got 1024',
    ));

  test('of an empty object is refused', () =>
    expect(() => hashLeaf.check({ ...leaf, object: { ...object, size: 0 }, offset: 0, length: 0 })).toThrow(
      /"length" expected integer from 1/,
    ));

  test('that is no object is refused', () => {
    for (const value of strange) expect(() => hashLeaf.check(value)).toThrow(/^"data" expected/);
  });
});

describe('a root', () => {
  test('that is right is taken', () => expect(hashRoot.check(root)).toEqual(root));

  test.each([...wrongObjects, ['seek', [...strange, 2 ** 51]] as const, ['dkLen', [...strange, 0, 65_537]] as const])(
    'with a wrong %s is refused',
    (path, values) => {
      for (const value of values) expect(() => hashRoot.check(changed(root, path, value)), String(value)).toThrow(/^"/);
    },
  );

  test('of more than 10,000 leaves is refused', () => {
    expect(() => hashRoot.check({ ...root, leafBytes: 1024, object: { ...object, size: 10_240_001 } })).toThrow(
      '"leafBytes" expected at most 10000 leaves, got 10001',
    );
  });
});

describe('the results of leaves', () => {
  const message = bytesFor('merged', object.size);
  const leaves = [0, 4096, 8192].map((offset) => {
    const part = message.subarray(offset, offset + 4096);
    return {
      offset,
      length: part.length,
      mode: 'hash',
      chainingValue: bytesToHex(subtree(part, { offset }).chainingValue),
    };
  });
  const settings = { allow: [], allowWrite: [], keyFiles: {}, identityFile: undefined, objects: {}, native: false };
  const merge = async (children: readonly unknown[]): Promise<string> =>
    await hashRoot.run(hashRoot.check(root), { settings, children, signal: new AbortController().signal });

  test('are merged in any order', async () => {
    const hash = bytesToHex(blake3(message));
    expect(await merge(leaves)).toBe(hash);
    expect(await merge(leaves.toReversed())).toBe(hash);
  });

  test.each([
    ['one too few', leaves.slice(1), 'leaves expected 3, got 2'],
    ['one twice', [leaves[0], leaves[0], leaves[2]], 'leaf expected bytes 4096 to 8192, got 0 to 4096'],
    ['one too many', [...leaves, leaves[0]], 'leaves expected 3, got 4'],
    ['one too long', leaves.with(2, { ...leaves[2], length: 4096 }), 'leaf expected bytes 8192 to 10000'],
    ['another mode', leaves.with(1, { ...leaves[1], mode: 'keyed' }), 'leaf expected the mode of its root'],
    [
      'another key',
      leaves.with(1, { ...leaves[1], key: '00' } as never),
      '"keyId" expected the same key on all workers',
    ],
    ['no hexadecimal', leaves.with(1, { ...leaves[1], chainingValue: 'g'.repeat(64) }), 'expected 64 hexadecimal'],
    ['a short value', leaves.with(1, { ...leaves[1], chainingValue: '00' }), 'expected 64 hexadecimal digits'],
    ['no object', [leaves[0], leaves[1], 7], '"leaf" expected object, got type=number'],
    ['an unknown field', leaves.with(1, { ...leaves[1], more: 1 } as never), '"leaf" expected no fields but'],
  ])('with %s are refused', async (_, children, message) => {
    await expect(merge(children)).rejects.toThrow(message);
    await expect(merge(children)).rejects.toHaveProperty('final', true);
  });
});

test('a kind of job that nobody knows is refused', () => {
  for (const name of ['', 'blake3', 'toString', '__proto__', undefined, 1])
    expect(() => kindOf(name)).toThrow('"name" expected a kind of job');
});

describe('the address of a queue', () => {
  test('is shown without user and password', () => {
    expect(addressOf('redis://user:secret@host:6380/1')).toMatchObject({ kind: 'redis', shown: 'redis://host:6380/1' });
    expect(addressOf('postgres://user:secret@host/db')).toMatchObject({
      kind: 'postgres',
      shown: 'postgres://host/db',
    });
    expect(addressOf('rediss://host')).toMatchObject({ kind: 'redis', shown: 'rediss://host' });
  });
  test.each(['', 'host', 'http://user:secret@host', 'redis:', 'redis://', '//host'])('%s is refused', (text) => {
    expect(() => addressOf(text)).toThrow(/^"queue" expected/);
    expect(() => addressOf(text)).not.toThrow(/secret/);
  });
  test('is text', () => expect(() => addressOf(6379)).toThrow(TypeError));
});

test('the name of a queue has no colon', () => {
  expect(queueNameOf(undefined)).toBe('lanewise');
  expect(queueNameOf('a-b.c_1')).toBe('a-b.c_1');
  for (const name of ['', 'a:b', 'ä', 'x'.repeat(101), 7]) expect(() => queueNameOf(name)).toThrow(/^"name" expected/);
});
