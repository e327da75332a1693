/** Boxes and keyrings: one format with `chunked`, places, rotation, files of keyrings, and all that must not open. */
import { hmac as nobleHmac } from '@noble/hashes/hmac.js';
import { sha512 as nobleSha512 } from '@noble/hashes/sha2.js';
import { chacha20poly1305 as nobleChaCha } from '@noble/ciphers/chacha.js';
import { expect, it } from 'vitest';
import { createBox, createKeyring, loadKeyring } from '../../src/box.ts';
import { keyOf } from '../../src/box/keyring.ts';
import { keptStates } from '../../src/calls/lifetime.ts';
import { chunked } from '../../src/stream.ts';
import { concat, expectBytes, sample } from '../support/bytes.ts';
import { onEachEngine } from '../support/engines.ts';

const utf8 = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
const key = sample(32, 1);
const PLACE = 'users/42/email';
/** The last has 257 chunks: their numbers have two bytes. */
const LENGTHS = [0, 1, 100, 16_383, 16_384, 16_385, 32_768, 50_000, 256 * 16_384];

/** The error of a call, as a text. */
function errorOf(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    return String(error);
  }
  return 'nothing';
}
const REFUSED = 'Error: cannot open: sealed under another key or "for", or changed';

/** C2SP chunked-encryption of a message of one chunk, by other libraries. */
function sealedByOthers(message: Uint8Array, salt: Uint8Array, context: Uint8Array): Uint8Array {
  const label = utf8('c2sp.org/chunked-encryption@v1+AEAD_CHACHA20_POLY1305\0');
  const info = concat(label, salt, context);
  // RFC 5869 §2.3: T(1), T(2). The key is shorter than noble's expand() accepts.
  const first = nobleHmac(nobleSha512, key, concat(info, new Uint8Array([1])));
  const output = concat(first, nobleHmac(nobleSha512, key, concat(first, info, new Uint8Array([2]))));
  const chunk = nobleChaCha(output.subarray(0, 32), output.subarray(32, 44)).encrypt(message);
  return concat(salt, output.subarray(44, 76), chunk);
}

onEachEngine(() => {
  it('opens what other libraries seal by the specification, for one place after another', () => {
    const message = sample(1000, 2);
    const box = createBox(key);
    for (const place of [PLACE, '', PLACE.replace('42', '43'), 'é', 'p'.repeat(300), PLACE]) {
      expectBytes(
        box.open(sealedByOthers(message, sample(24, 3), utf8(place)), { for: place }),
        message,
        `by noble, for ${place}`,
      );
      box.seal(message, { for: 'another' });
    }
  });

  it.each(LENGTHS)('%i bytes: box, chunked and streams open one another', async (length) => {
    const message = sample(length, 4);
    const box = createBox(key, { chunked });
    const streams = chunked(key, { context: utf8(PLACE) });
    const sealed = box.seal(message, { for: PLACE });
    expect(sealed.length).toBe(chunked.ciphertextSize(length));
    expectBytes(box.open(sealed, { for: utf8(PLACE) }), message, 'by the box');
    expectBytes(await streams.decryptWhole(sealed), message, 'by chunked');
    const sealer = await box.stream({ for: PLACE }).sealer();
    expectBytes(
      box.open(concat(sealer.header, sealer.push(message), sealer.end()), { for: PLACE }),
      message,
      'of a stream',
    );
  });
});

it('binds a message to its place, its key and every byte', () => {
  const box = createBox(key);
  const sealed = box.seal('hello', { for: PLACE });
  expect(errorOf(() => box.open(sealed))).toBe(REFUSED);
  expect(errorOf(() => box.open(sealed, { for: 'users/43/email' }))).toBe(REFUSED);
  expect(errorOf(() => createBox(sample(32, 9)).open(sealed, { for: PLACE }))).toBe(REFUSED);
  for (let at = 0; at < sealed.length; at++) {
    const changed = sealed.slice();
    changed[at] ^= 1;
    expect(errorOf(() => box.open(changed, { for: PLACE }))).toMatch(/^Error: (cannot open|invalid tag)/);
    expect(errorOf(() => box.open(sealed.subarray(0, at), { for: PLACE }))).toMatch(
      /^Error: (cannot open|invalid tag)/,
    );
  }
  const long = box.seal(sample(40_000, 1));
  for (const length of [16_456, 16_472, 32_856, 32_872])
    expect(errorOf(() => box.open(long.subarray(0, length)))).toMatch(/^Error/);
});

it('keeps chaining values of its key, which are secret, and nothing derived; wipes them with the key', () => {
  const ring = createKeyring();
  const old = keyOf(ring, ring.primary);
  const first = ring.primary;
  let own = new Uint8Array(0);
  const streams = ((its: Uint8Array<ArrayBuffer>) => (own = its)) as unknown as typeof chunked;
  const box = createBox(key, { chunked: streams });
  box.stream();
  createBox(ring).seal('hello');
  expectBytes(box.open(sealedByOthers(utf8('hello'), sample(24, 3), utf8(''))), utf8('hello'), 'computed');
  expectBytes(box.open(sealedByOthers(utf8('again'), sample(24, 4), utf8(''))), utf8('again'), 'kept');
  expect(errorOf(() => box.open(sealedByOthers(utf8('again'), sample(24, 4), utf8('')), { for: PLACE }))).toBe(REFUSED);
  const wiped = (bytes: Uint8Array | undefined): boolean => bytes!.every((byte) => byte === 0);
  for (const its of [old, own]) {
    const [states, result] = keptStates.get(its)!;
    expect([its, states.subarray(0, 64), states.subarray(64, 128)].map(wiped)).toEqual([false, false, false]);
    expect(wiped(states.subarray(128, 192)), 'a digest was kept').toBe(true);
    expect(wiped(result), 'a key of a message was left').toBe(true);
  }
  ring.rotate();
  const young = keyOf(ring, ring.primary);
  createBox(ring).seal('hello');
  ring.remove(first);
  const kept = [old, young, own].map((its) => keptStates.get(its)![0]);
  expect([old, kept[0], young, kept[1]].map(wiped)).toEqual([true, true, false, false]);
  ring.destroy();
  box.destroy();
  expect([young, kept[1], own, kept[2]].map(wiped)).toEqual([true, true, true, true]);
});

it('seals texts and JSON', () => {
  const box = createBox(key);
  for (const text of ['', 'a', 'ab', 'abc', 'Grüße 🔑', '\ufeffmark']) {
    const sealed = box.sealText(text, { for: PLACE });
    expect(sealed).toMatch(/^[\w-]+$/);
    expect(box.openText(sealed, { for: PLACE })).toBe(text);
    expect(sealed.length % 4).not.toBe(1);
  }
  const value = { roles: ['admin'], until: 12, none: null };
  expect(box.openText(box.sealText(value, { json: true }), { json: true })).toEqual(value);
  expect(errorOf(() => box.openText(box.sealText('secret text'), { json: true }))).toBe(
    "Error: the sealed message isn't JSON: it was sealed in another way",
  );
  const sealed = box.sealText('abc');
  for (const wrong of [
    `${sealed}=`,
    `${sealed.slice(0, -1)}+`,
    ` ${sealed}`,
    `${sealed}é`,
    sealed.slice(0, -1) + '\u{1f511}',
  ])
    expect(errorOf(() => box.openText(wrong))).toMatch(/^(RangeError: "sealed" expected base64url|Error: cannot open)/);
});

it('a keyring rotates, reseals and removes', () => {
  const ring = createKeyring();
  const box = createBox(ring, { chunked });
  const first = ring.primary;
  const old = box.seal('hello', { for: PLACE });
  expect(box.needsResealing(old)).toBe(false);
  expectBytes(old.subarray(0, 5), new Uint8Array([1, first >>> 24, first >>> 16, first >>> 8, first]), 'the prefix');
  ring.rotate();
  expect(box.needsResealing(old)).toBe(true);
  expectBytes(box.open(old, { for: PLACE }), utf8('hello'), 'under the old key');
  const again = box.reseal(old, { for: PLACE });
  expect(box.needsResealing(again)).toBe(false);
  const text = box.sealText('t');
  expect(typeof box.reseal(text)).toBe('string');
  const twin = createBox(loadKeyring(ring.save()));
  expectBytes(twin.open(again, { for: PLACE }), utf8('hello'), 'by a saved ring');
  ring.remove(first);
  expect(errorOf(() => box.open(old, { for: PLACE }))).toBe(`Error: the keyring has no key with the id ${first}`);
  expect(errorOf(() => ring.remove(ring.primary))).toBe('Error: cannot remove the primary key: rotate() first');
  ring.destroy();
  expect(errorOf(() => box.seal('x'))).toBe('Error: cannot use Keyring after destroy()');
});

it('streams of a keyring begin with the name of their key, and open under any key of the ring', async () => {
  const ring = createKeyring();
  const box = createBox(ring, { chunked });
  const message = sample(40_000, 5);
  const place = { for: PLACE };
  const first = ring.primary;
  const before = box.stream(place);
  const old = box.seal(message, place);
  ring.rotate();
  const streams = box.stream(place);
  const sealed = new Uint8Array(await new Response(streams.encrypt(message)).arrayBuffer());
  expect(sealed.length).toBe(box.seal(message, place).length);
  expect(box.needsResealing(sealed)).toBe(false);
  expectBytes(box.open(sealed, place), message, 'of a stream');
  for (const file of [old, sealed]) {
    expectBytes(await streams.decryptWhole(file), message, 'by a stream');
    expectBytes(await before.decryptWhole(file), message, 'by a stream from before the rotation');
    const opener = await streams.opener({ header: file.subarray(0, 61) });
    expectBytes(concat(opener.push(file.subarray(61)), opener.end()), message, 'by an opener');
  }
  const sealer = await before.sealer();
  const again = concat(sealer.header, sealer.push(message), sealer.end());
  expect(box.needsResealing(again)).toBe(true);
  expectBytes(box.open(again, place), message, 'of a sealer');
  await expect(
    streams.opener({ header: sealed.subarray(0, 61).map((byte, at) => byte ^ +(at === 0)) }),
  ).rejects.toThrow('cannot open: expected version 1, got 0; sealed without a keyring, or by a newer version');
  expect(errorOf(() => void streams.opener({ header: sealed.subarray(0, 56) }))).toBe(
    'RangeError: "header" expected Uint8Array of length 61, got length=56',
  );
  ring.remove(first);
  await expect(streams.decryptWhole(old)).rejects.toThrow(`the keyring has no key with the id ${first}`);
  ring.destroy();
  await expect(streams.decryptWhole(sealed)).rejects.toThrow('cannot use Keyring after destroy()');
  streams.destroy();
  expect(errorOf(() => void streams.decryptWhole(sealed))).toBe('Error: cannot use chunked(key) after destroy()');
});

it.each(['a key', 'a keyring'])('a reader under %s gives any range of a file or a message', async (name) => {
  const box = createBox(name === 'a key' ? key : createKeyring(), { chunked });
  const place = { for: PLACE };
  const message = sample(50_000, 6);
  const sealed = box.seal(message, place);
  const streamed = await new Response(box.stream(place).encrypt(message)).blob();
  const inside = { source: concat(sample(9, 7), sealed), options: { ...place, offset: 9 } };
  for (const { source, options } of [
    { source: sealed, options: place },
    { source: streamed, options: place },
    inside,
  ]) {
    const reader = await box.reader(source, options);
    expect(reader.size).toBe(50_000);
    for (const [from, to] of [
      [0, 50_000],
      [16_383, 16_385],
      [49_999, 50_000],
      [7, 7],
    ])
      expectBytes(await reader.read(from, to), message.subarray(from, to), `${from} to ${to}`);
    reader.destroy();
  }
  const empty = await box.reader(box.seal('', place), place);
  expect(empty.size).toBe(0);
  const wrong = 'wrong key or context, or a header that was changed';
  await expect(box.reader(sealed)).rejects.toThrow(wrong);
  await expect(box.reader(sealed, { for: 'users/43/email' })).rejects.toThrow(wrong);
  await expect(createBox(sample(32, 9), { chunked }).reader(sealed, place)).rejects.toThrow();
  await expect(box.reader(sealed.subarray(0, -1), place)).rejects.toThrow(/not authentic|truncated/);
  await expect(box.reader(sealed.subarray(0, 40), place)).rejects.toThrow('truncated after 40 bytes');
  const controller = new AbortController();
  const reader = await box.reader(sealed, { ...place, signal: controller.signal });
  const reason = new Error('stop');
  controller.abort(reason);
  await expect(reader.read(0, 10)).rejects.toBe(reason);
  await expect(box.reader(sealed, { ...place, signal: controller.signal })).rejects.toBe(reason);
  // The reader has a key of its own.
  const kept = await box.reader(sealed, place);
  box.destroy();
  expectBytes(await kept.read(0, 100), message.subarray(0, 100), 'after destroy()');
  expect(errorOf(() => void box.reader(sealed, place))).toBe('Error: cannot use Box after destroy()');
});

it('a key of another length is none, whatever it looks like', () => {
  expect(errorOf(() => chunked(sample(37, 1)))).toBe(
    'RangeError: "key" expected Uint8Array of length 32, got length=37',
  );
});

it('the keys that a box hands to streams are wiped', () => {
  const handed: Uint8Array[] = [];
  const watched = ((its: Uint8Array, options: object) => {
    handed.push(its);
    return chunked(its, options);
  }) as typeof chunked;
  createBox(createKeyring(), { chunked: watched }).stream();
  expectBytes(handed[0].subarray(0, 37), new Uint8Array(37), 'the copy of the key');
});

it('wipes what it is told to, and refuses what it cannot use', () => {
  const box = createBox(key);
  expect(errorOf(() => box.stream())).toBe(
    'Error: the box has no streams: createBox(key, { chunked }) with chunked of lanewise/stream.js',
  );
  box.destroy();
  expect(errorOf(() => box.seal('x'))).toBe('Error: cannot use Box after destroy()');
  expect(errorOf(() => createBox(sample(31, 1)))).toBe(
    'RangeError: "key" expected Uint8Array of length 32, got length=31',
  );
  expect(errorOf(() => createBox('secret' as never))).not.toContain('secret');
  expect(errorOf(() => createBox(key, { for: 'x' } as never))).toBe(
    'TypeError: "options" expected plain object { chunked }, got { for }: seal() and open() take it',
  );
  expect(errorOf(() => createBox(key).seal(1 as never))).toBe(
    'TypeError: "message" expected string or Uint8Array, got type=number',
  );
});

it('hostile saved rings: an error', () => {
  const saved = createKeyring().save();
  for (let length = 0; length <= 2 * saved.length; length++) {
    const wrong = new Uint8Array(length);
    wrong.set(saved.subarray(0, Math.min(length, saved.length)));
    if (length !== saved.length) expect(errorOf(() => loadKeyring(wrong))).toMatch(/^RangeError: "saved"/);
  }
  for (let at = 0; at < 9; at++) {
    const wrong = saved.slice();
    wrong[at] ^= 0x55;
    expect(errorOf(() => loadKeyring(wrong))).toMatch(/^RangeError: "saved"/);
  }
});
