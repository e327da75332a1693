/** Calls that BLAKE3 refuses, with their messages; nothing is lost or written then. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { blake3, hashMany, root, subtree, TreeBuilder, type Blake3, type Blake3Options } from '../../src/blake3.ts';
import { concat, detached, expectBytes, Liar, liar, refusal, sample, truth, untouched } from '../support/bytes.ts';
import { context, expected, key, modeNames, modes } from '../support/blake3.ts';
import { onEachEngine } from '../support/engines.ts';
import { otherRealm } from '../support/realm.ts';

const message = sample(3000, 501);
const digest = expected(message);

/** Values that aren't Uint8Arrays, and their names in messages. */
const notBytes: readonly (readonly [value: unknown, kind: string, remedy?: string])[] = [
  [undefined, 'undefined'],
  [null, 'null'],
  ['abc', 'string', '; use hexToBytes, fromBase64, TextEncoder, or scrypt for a password'],
  [5, 'number'],
  [true, 'boolean'],
  [{ length: 3 }, 'Object'],
  [[1, 2, 3], 'Array'],
  [new ArrayBuffer(8), 'ArrayBuffer', '; use new Uint8Array(buffer)'],
  [new DataView(new ArrayBuffer(8)), 'DataView'],
  [Promise.resolve(new Uint8Array(8)), 'Promise', '; did you forget await?'],
  [new Uint16Array(4), 'Uint16Array'],
  [new Uint8ClampedArray(4), 'Uint8ClampedArray'],
  [new Int8Array(4), 'Int8Array'],
];
const notIntegers = ['3', null, 3n, {}, [1], true];
const outOfRange = [-1, 1.5, NaN, Infinity, -Infinity, 2 ** 53, -0.5];

onEachEngine(() => {
  test('what is no Uint8Array is refused, never hashed', () => {
    for (const [value, kind, remedy = ''] of notBytes) {
      const wrong = value as Uint8Array;
      const got = `expected Uint8Array, got type=${kind}${remedy}`;
      expect(refusal(() => blake3(wrong))).toBe(`TypeError: "message" ${got}`);
      const hasher = blake3.create().update(message);
      expect(refusal(() => hasher.update(wrong))).toBe(`TypeError: "message" ${got}`);
      expect(refusal(() => hasher.xofInto(wrong))).toBe(`TypeError: "out" ${got}`);
      expect(refusal(() => hasher.digestInto(wrong))).toBe(
        `TypeError: "out" expected Uint8Array of length 32, got type=${kind}${remedy}`,
      );
      expect(refusal(() => blake3.load(wrong))).toBe(`TypeError: "state" ${got}`);
      expect(refusal(() => hashMany([message, wrong]))).toBe(`TypeError: "messages[1]" ${got}`);
      if (value !== undefined)
        expect(refusal(() => blake3(message, { key: wrong }))).toBe(
          `TypeError: "key" expected Uint8Array of length 32, got type=${kind}${remedy}`,
        );
      if (value !== undefined && kind !== 'string')
        expect(refusal(() => blake3(message, { context: wrong }))).toBe(
          `TypeError: "context" expected string or Uint8Array, got type=${kind}${remedy}`,
        );
      expectBytes(hasher.digest(), digest, 'after what was refused');
    }
  });

  test('wrong lengths', () => {
    for (const length of [0, 1, 16, 31, 33, 64]) {
      const wanted = `RangeError: "key" expected Uint8Array of length 32, got length=${length}`;
      const wrong = { key: new Uint8Array(length) };
      expect(refusal(() => blake3(message, wrong))).toBe(wanted);
      expect(refusal(() => blake3.create(wrong))).toBe(wanted);
      expect(refusal(() => hashMany([message], wrong))).toBe(wanted);
    }
    for (const length of [0, 1, 31, 33]) {
      const out = untouched(length);
      const hasher = blake3.create().update(message);
      expect(refusal(() => hasher.digestInto(out))).toBe(
        `RangeError: "out" expected Uint8Array of length 32, got length=${length}`,
      );
      expectBytes(out, untouched(length), 'out');
      expectBytes(hasher.digest(), digest, 'after what was refused');
    }
  });

  test('key and context', () => {
    for (const use of [
      (o: Blake3Options) => blake3.create(o),
      (o: Blake3Options) => blake3(message, o),
      (o: Blake3Options) => hashMany([], o),
    ])
      expect(refusal(() => use({ key, context }))).toBe('Error: cannot use both "key" and "context"');
    expect(refusal(() => blake3.create({ key, context: '' }))).toBe('Error: cannot use both "key" and "context"');
    const undef = { key: undefined, context: undefined, dkLen: undefined } as unknown as Blake3Options;
    expectBytes(blake3(message, undef), digest, 'undefined is not given');
    // An empty context is a context, too.
    expect(blake3(message, { context: '' })).not.toEqual(digest);
    expectBytes(blake3(message, { context: '' }), blake3(message, { context: new Uint8Array(0) }), 'empty');
    expectBytes(
      blake3(message, { context: 'Grüße, 世界 \u{1f600}' }),
      blake3(message, { context: new TextEncoder().encode('Grüße, 世界 \u{1f600}') }),
      'UTF-8',
    );
  });

  test('options that are none', () => {
    for (const wrong of [null, 5, 'key', true, message.length])
      expect(refusal(() => blake3(message, wrong as never))).toMatch(
        /^TypeError: "options" expected plain object { key, context, dkLen }, got type=/,
      );
  });

  test('lengths of outputs', () => {
    const hasher = blake3.create().update(message);
    for (const wrong of notIntegers as number[])
      for (const [name, use] of lengthUses(hasher, wrong))
        expect(refusal(use)).toMatch(`TypeError: "${name}" expected integer, got type=`);
    for (const wrong of outOfRange)
      for (const [name, use] of lengthUses(hasher, wrong))
        expect(refusal(use)).toBe(`RangeError: "${name}" expected integer from 0 up, got ${wrong}`);
    for (const wrong of notIntegers.filter((value) => value !== 3n) as number[])
      expect(refusal(() => hasher.seek(wrong))).toMatch('TypeError: "position" expected integer, got type=');
    for (const wrong of [...outOfRange, -1n, 2n ** 64n])
      expect(refusal(() => hasher.seek(wrong))).toMatch('RangeError: "position" expected integer from 0 to 2^64 - 1');
    expectBytes(hasher.digest(), digest, 'after what was refused');
  });
  const lengthUses = (hasher: Blake3, wrong: number): [string, () => unknown][] => [
    ['dkLen', () => blake3(message, { dkLen: wrong })],
    ['dkLen', () => blake3.create({ dkLen: wrong })],
    ['length', () => hasher.xof(wrong)],
    ['length', () => hasher.peek(wrong)],
  ];

  test('an output of no bytes is an output, as in noble', () => {
    for (const name of modeNames) {
      const none = { ...modes[name], dkLen: 0 };
      const hasher = blake3.create(none).update(message);
      for (const output of [
        blake3(message, none),
        ...hashMany([message, message.subarray(0, 64), message.subarray(0, 64)], none),
        hasher.peek(),
        hasher.peek(0),
        blake3.load(hasher.save()).digest(),
        hasher.clone().xof(0),
        expected(message, name, 0),
      ])
        expectBytes(output, new Uint8Array(0), 'no bytes');
      hasher.digestInto(new Uint8Array(0));
      expect(refusal(() => hasher.update(message))).toBe('Error: cannot use Blake3 after digest()');
    }
    const [left, right] = [0, 1024].map((offset) => subtree(message.subarray(offset, offset + 1024), { offset }));
    expect([root(left, right, 0), new TreeBuilder().add(left).add(right).digest(0)]).toEqual([
      new Uint8Array(0),
      new Uint8Array(0),
    ]);
    // The output continues where it stopped.
    const output = blake3.create().update(message);
    expectBytes(concat(output.xof(0), output.xof(10), output.xof(0), output.xof(22)), digest, 'pieces');
  });

  test('the output ends at 2^64 bytes', () => {
    const hasher = blake3
      .create()
      .update(message)
      .seek(2n ** 64n - 10n);
    const out = untouched(11);
    for (const use of [() => hasher.xofInto(out), () => hasher.xof(11)])
      expect(refusal(use)).toMatch(/^RangeError: .*at most 10 bytes, got length=11$/);
    expectBytes(out, untouched(11), 'out');
    const last = hasher.xof(10);
    expect(refusal(() => hasher.xof(1))).toMatch(/^RangeError: .*at most 0 bytes, got length=1$/);
    expect(hasher.xofInto(new Uint8Array(0))).toHaveLength(0);
    expectBytes(hasher.seek(2n ** 64n - 1n).xof(1), last.subarray(9), 'the last byte');
  });

  describe('after the end', () => {
    const uses: Readonly<Record<string, (hasher: Blake3) => unknown>> = {
      update: (hasher) => hasher.update(message),
      digest: (hasher) => hasher.digest(),
      digestInto: (hasher) => {
        hasher.digestInto(untouched(32));
      },
      xof: (hasher) => hasher.xof(1),
      xofInto: (hasher) => hasher.xofInto(untouched(5)),
      seek: (hasher) => hasher.seek(0),
      peek: (hasher) => hasher.peek(),
      clone: (hasher) => hasher.clone(),
      save: (hasher) => hasher.save(),
      reset: (hasher) => hasher.reset(),
    };
    test.each(modeNames)('%s', (name) => {
      const make = (): Blake3 => blake3.create(modes[name]).update(message);
      const ended = make();
      ended.digest();
      const into = make();
      into.digestInto(untouched(32));
      const gone = make();
      gone.destroy();
      gone.destroy();
      for (const [hasher, by] of [
        [ended, 'digest()'],
        [into, 'digest()'],
        [gone, 'destroy()'],
      ] as const)
        for (const [use, call] of Object.entries(uses))
          expect(
            refusal(() => call(hasher)),
            `${use} after ${by}`,
          ).toBe(`Error: cannot use Blake3 after ${by}`);
      const output = make();
      output.xof(1);
      for (const use of ['update', 'digest', 'digestInto', 'peek', 'save'])
        expect(
          refusal(() => uses[use](output)),
          use,
        ).toBe('Error: cannot use Blake3 after xof()');
      expectBytes(output.seek(0).xof(32), expected(message, name), 'the output goes on');
      output.destroy();
      expect(refusal(() => output.xof(1))).toBe('Error: cannot use Blake3 after destroy()');
    });
  });

  test('states that save() did not give', () => {
    const state = blake3.create({ key }).update(sample(40_000, 502)).save();
    const wanted = 'RangeError: "state" expected what save() of this version gave';
    for (const length of [0, 1, 31, 32, 63, 64, state.length - 1, state.length - 32])
      expect(refusal(() => blake3.load(state.subarray(0, length)))).toBe(wanted);
    expect(refusal(() => blake3.load(new Uint8Array([...state, 0])))).toBe(wanted);
    const changed = (at: number, value: number): Uint8Array => state.with(at, value);
    for (const [at, value] of [
      [0, 0],
      [0, 1],
      [0, 3],
      [1, 1],
      [1, 32],
      [1, 80],
      [2, 5],
      [3, 1],
      [8, 1],
      [15, 255],
      [23, 255],
    ])
      expect(
        refusal(() => blake3.load(changed(at, value))),
        `byte ${at} is ${value}`,
      ).toBe(wanted);
    // Two chaining values for 32 chunks, which are one subtree, none for them, and one for 48.
    const [head, values, pending] = [state.slice(0, 64), state.subarray(64, 96), state.subarray(-100)];
    const crafted = (chunks: number, depth: number): Uint8Array => {
      head[2] = depth;
      const view = new DataView(head.buffer);
      view.setUint32(4, pending.length, true);
      view.setBigUint64(8, BigInt(chunks), true);
      return new Uint8Array([...head, ...Array.from({ length: depth }, () => [...values]).flat(), ...pending]);
    };
    expect(blake3.load(crafted(32, 1)).count).toBe(32 * 1024 + 100);
    for (const [chunks, depth] of [
      [32, 2],
      [32, 0],
      [48, 1],
      [0, 1],
      [17, 2],
      [8, 1],
    ])
      expect(
        refusal(() => blake3.load(crafted(chunks, depth))),
        `${chunks} chunks in ${depth}`,
      ).toBe(wanted);
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(32), fc.nat(255)), { minLength: 1, maxLength: 5 }), (changes) => {
        const wrong = state.slice();
        for (const [at, value] of changes) wrong[at] = value;
        let loaded;
        try {
          loaded = blake3.load(wrong);
        } catch (error) {
          expect(String(error)).toBe(wanted);
          return;
        }
        if (loaded.outputLen < 1e6) expect(loaded.update(message).digest()).toHaveLength(loaded.outputLen);
      }),
    );
  });

  test.each<[string, () => Uint8Array]>([
    ['a SharedArrayBuffer', () => new Uint8Array(new SharedArrayBuffer(3010), 7, 3000)],
    ['a resizable buffer', () => new Uint8Array(new ArrayBuffer(3005, { maxByteLength: 9000 }), 5, 3000)],
    ['another realm', () => new (otherRealm().Uint8Array)(3000)],
    ['a Buffer', () => Buffer.alloc(3000)],
    ['a liar', () => new Liar(3000)],
  ])('any view is as good as any other: %s', (_, make) => {
    const view = make();
    Uint8Array.prototype.set.call(view, message);
    expectBytes(blake3(view), digest, 'in one call');
    const one = blake3.create().update(view).update(view);
    expectBytes(one.digest(), expected(new Uint8Array([...message, ...message])), 'streamed');
    expectBytes(hashMany([view])[0], digest, 'of many');
  });

  test('a key and an out that lie', () => {
    expectBytes(blake3(message, { key: liar(key) }), expected(message, 'keyed_hash'), 'the key');
    const out = liar(new Uint8Array(32));
    blake3.create().update(message).digestInto(out);
    expectBytes(truth(out), digest, 'out');
  });

  test('a detached buffer is never taken for an empty message', () => {
    const gone = detached(32);
    for (const use of [
      () => blake3(gone),
      () => blake3.create().update(gone),
      () => blake3.create({ key: gone }),
      () => blake3.create({ context: gone }),
      () => blake3.load(gone),
      () => hashMany([gone]),
      () => blake3.create().xofInto(gone),
    ])
      expect(refusal(use)).toMatch(/^TypeError: ".*" expected Uint8Array/);
  });
});

test('names and sizes are those that others know', () => {
  expect([blake3.blockLen, blake3.outputLen]).toEqual([64, 32]);
  const hasher = blake3.create({ dkLen: 100 });
  expect([hasher.blockLen, hasher.outputLen]).toEqual([64, 100]);
  expect(Object.isFrozen(blake3)).toBe(true);
});
