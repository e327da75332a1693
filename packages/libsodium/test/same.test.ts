/** Both packages have the names of the originals, and do the same in every call, in both formats. */
import { argon2idSync } from 'lanewise/argon2.js';
import { describe, expect, test } from 'vitest';
import { bytes, detached, outcomeOf, pairs, type Call } from './pairs.ts';

/** All names in their order, with kinds, numbers of arguments, and values of constants. */
const shapeOf = (sodium: object): unknown[] =>
  Object.entries(sodium).map(([name, value]: [string, unknown]) => [
    name,
    typeof value === 'function' ? `function of ${value.length}` : name === 'libsodium' ? 'libsodium' : value,
  ]);

/** Before `ready`; the promises themselves are not equal. */
const early = pairs.map(({ ours, theirs }) => [ours, theirs].map((sodium) => shapeOf({ ...sodium, ready: 0 })));
await Promise.all(pairs.map(({ ours }) => ours.ready));

const FORMATS = [undefined, null, '', 'uint8array', 'text', 'hex', 'base64', 'Hex', 'toString', 7, {}, true];
const TEXT = 'Grüße, 🦜 \ud800';
/** Around whole blocks, and around the lengths from which messages are ours. */
const SIZES = [0, 1, 15, 16, 17, 63, 64, 65, 300, 2047, 2048, 2049, 2056, 8191, 8192, 8200, 70_000, 200_000];

/** Values of an argument: the first is the usual one. */
type Values = readonly unknown[];
const NOT_BYTES: Values = [7, true, {}, [1, 2], new Uint16Array(32), new ArrayBuffer(32), detached(), Symbol.iterator];
const MISSING: Values = [undefined, null];
const fixed = (length: number, first: number): Values => [
  bytes(length, first),
  Buffer.from(bytes(length, first)),
  'é'.repeat(length / 2),
  'x',
  bytes(length - 1),
  bytes(length + 1),
  bytes(0),
  ...NOT_BYTES,
  ...MISSING,
];
const message: Values = [bytes(100), Buffer.from(bytes(9)), TEXT, '', ...NOT_BYTES, ...MISSING];
const optional: Values = [null, undefined, bytes(0), bytes(13), bytes(70), TEXT, ...NOT_BYTES];
const number: Values = [1, 0, 64, 5000, -0, -1, 0.5, NaN, 2 ** 31, '1', 5n, {}, ...MISSING];
const passes: Values = [1, 0, 2, 3, -0, -1, 0.5, NaN, 2 ** 31, '1', 5n, {}, ...MISSING];
/** Around the memory from which a derivation is ours. */
const memory: Values = [2 ** 20, 2 ** 20 - 1, 2 ** 20 + 1025, 8192, 8191, ...passes];
const counter: Values = [2 ** 31 - 1, ...number];
const [key, nonce, mac] = [fixed(32, 3), fixed(24, 5), fixed(16, 7)];
const pair = (hex: string): Values => [Buffer.from(hex, 'hex'), new Uint8Array(32), ...key];
// RFC 7748 §6.1: Bob's public key and Alice's private one.
const publicKey = pair('de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f');
const privateKey = pair('77076d0a7318a57d3c16c17251b26645df4c2f92ebc099ac47e42d1ac19d61ad');

/** A function that encrypts, and the meaning of its result for others. */
interface Sealing {
  readonly name: string;
  readonly values: readonly Values[];
  /** The argument whose sizes vary: the first unless given. */
  readonly at?: number;
  /** The functions that decrypt, in their order of arguments: 'c' and 'm' stand for ciphertext and tag, a number for an argument. */
  readonly opening?: readonly [name: string, ...order: ('c' | 'm' | number)[]];
}

const sealings: readonly Sealing[] = [
  ...(['crypto_secretbox', 'crypto_box'] as const).flatMap((name): Sealing[] => {
    const keys = name === 'crypto_box' ? [publicKey, privateKey] : [key];
    const rest = [nonce, ...keys].map((_, i) => i + 1);
    return [
      { name: `${name}_easy`, values: [message, nonce, ...keys], opening: [`${name}_open_easy`, 'c', ...rest] },
      {
        name: `${name}_detached`,
        values: [message, nonce, ...keys],
        opening: [`${name}_open_detached`, 'c', 'm', ...rest],
      },
    ];
  }),
  {
    name: 'crypto_box_easy_afternm',
    values: [message, nonce, key],
    opening: ['crypto_box_open_easy_afternm', 'c', 1, 2],
  },
  ...[
    { name: 'crypto_aead_chacha20poly1305', nonceLength: 8 },
    { name: 'crypto_aead_chacha20poly1305_ietf', nonceLength: 12 },
    { name: 'crypto_aead_xchacha20poly1305_ietf', nonceLength: 24 },
  ].flatMap(({ name, nonceLength }): Sealing[] => {
    const values = [message, optional, optional, fixed(nonceLength, 5), key];
    return [
      { name: `${name}_encrypt`, values, opening: [`${name}_decrypt`, 2, 'c', 1, 3, 4] },
      { name: `${name}_encrypt_detached`, values, opening: [`${name}_decrypt_detached`, 2, 'c', 'm', 1, 3, 4] },
    ];
  }),
  ...[
    { name: 'crypto_stream_chacha20', nonceLength: 8 },
    { name: 'crypto_stream_chacha20_ietf', nonceLength: 12 },
    { name: 'crypto_stream_xchacha20', nonceLength: 24 },
  ].flatMap(({ name, nonceLength }): Sealing[] => [
    { name, values: [number, key, fixed(nonceLength, 5)] },
    { name: `${name}_xor`, values: [message, fixed(nonceLength, 5), key] },
    { name: `${name}_xor_ic`, values: [message, fixed(nonceLength, 5), counter, key] },
  ]),
  ...['onetimeauth', 'auth', 'auth_hmacsha256', 'auth_hmacsha512', 'auth_hmacsha512256'].map((its): Sealing => {
    const name = `crypto_${its}`;
    return { name, values: [message, key], opening: [`${name}_verify`, 'c', 0, 1] };
  }),
  {
    name: 'crypto_generichash',
    values: [
      [32, 16, 64, 65, ...number],
      [bytes(20_000), ...message],
      [null, ...fixed(64, 9), bytes(65), ...key],
    ],
    at: 1,
  },
  {
    name: 'crypto_pwhash',
    values: [[32, 15, 16, 65, ...number], [TEXT, ...message], fixed(16, 3), passes, memory, [2, 1, 3, ...passes]],
    at: 1,
  },
  ...['hash', 'hash_sha256', 'hash_sha512'].map((its): Sealing => ({ name: `crypto_${its}`, values: [message] })),
];

/** The outcomes of all calls that differ from the usual one in one argument, and of messages of many sizes. */
function outcomesOf(call: Call, values: readonly Values[]): unknown[] {
  const usual = values.map((each) => each[0]);
  const found = FORMATS.map((format) => outcomeOf(() => call(...usual, format)));
  for (const [i, each] of values.entries())
    for (const value of each) found.push(outcomeOf(() => call(...usual.with(i, value))));
  found.push(
    outcomeOf(() => call(...usual, undefined, 'one more')),
    outcomeOf(call),
  );
  return found;
}

/** A ciphertext and arguments that others may pass instead, with its tag if that is separate. */
function ciphertextsOf(sealed: unknown): { c: Values; m: Values } {
  const { cipher, ciphertext = cipher ?? sealed, mac: tag } = sealed as Record<string, Uint8Array>;
  const forged = ciphertext.slice();
  if (forged.length > 0) forged[forged.length - 1] ^= 1;
  const c = [ciphertext, forged, ciphertext.subarray(1), Buffer.from(ciphertext), bytes(15), ...message];
  return { c, m: [tag, bytes(16), ...mac] };
}

describe.each(pairs.map((each, i) => ({ ...each, early: early[i] })))('$title', ({ ours, theirs, modules, early }) => {
  test('names, before and after ready', () => {
    expect(early[0]).toEqual(early[1]);
    expect(shapeOf({ ...ours, ready: 0, libsodium: 0 })).toEqual(shapeOf({ ...theirs, ready: 0, libsodium: 0 }));
    expect(ours.symbols()).toEqual(theirs.symbols());
    expect(ours.libsodium === theirs.libsodium).toBe(true);
    const [module, original] = modules.map((names) => Object.keys(names).sort());
    expect(module).toEqual(original);
    for (const name of original ?? []) if (name !== 'default') expect(modules[0][name] === ours[name], name).toBe(true);
  });

  test('what is ours', () => {
    const names = Object.keys(theirs).filter((name) => ours[name] !== theirs[name] && name !== 'ready');
    const expected = sealings.flatMap(({ name, opening }) => [name, ...(opening?.slice(0, 1) ?? [])]);
    const messages = ['push', 'pull'].map((name) => `crypto_secretstream_xchacha20poly1305_${name}`);
    const texts = ['crypto_pwhash_str', 'crypto_pwhash_str_verify'];
    expect(names.toSorted()).toEqual([...expected, ...messages, ...texts].filter((name) => name in theirs).toSorted());
  });

  test.each(sealings.filter(({ name }) => name in theirs))('$name', ({ name, values, at = 0, opening }) => {
    const expected = outcomesOf(theirs[name], values);
    expect(expected.length).toBeGreaterThan(20);
    expect(outcomesOf(ours[name], values)).toEqual(expected);
    const usual = values.map((each) => each[0]);
    for (const size of SIZES) {
      const first = values[0] === number ? size : bytes(size);
      const sealed = theirs[name](...usual.with(at, first));
      expect(outcomeOf(() => ours[name](...usual.with(at, first)))).toEqual(outcomeOf(() => sealed));
      if (!opening || (size > 300 && size % 1000 === 0)) continue;
      const [open, ...order] = opening;
      const { c, m } = ciphertextsOf(sealed);
      const its = order.map((at) => (at === 'c' ? c : at === 'm' ? m : at === 0 ? [first] : values[at]));
      // All arguments once; then only ciphertexts and tags.
      const most = size === 64 ? its : its.map((each) => (each === c || each === m ? each : each.slice(0, 1)));
      const outcomes = outcomesOf(theirs[open], most);
      expect(JSON.stringify(outcomes[0])).not.toContain('Error');
      expect(outcomesOf(ours[open], most)).toEqual(outcomes);
    }
  });

  test.runIf('crypto_pwhash' in theirs)('texts of passwords', () => {
    /** Salt and hash are random; their lengths are not. */
    const formOf = (call: () => unknown): unknown => {
      const outcome = outcomeOf(call);
      return typeof outcome === 'string' ? outcome.replace(/[\w+/]{22}\$[\w+/]{43}$/, 'salt and hash') : outcome;
    };
    const usual: unknown[] = [TEXT, 1, 2 ** 20];
    const calls = [
      ...FORMATS.map((format) => [...usual, format]),
      ...[message, passes, memory].flatMap((values, i) => values.map((value) => usual.with(i, value))),
      [],
    ];
    for (const its of calls)
      expect(formOf(() => ours.crypto_pwhash_str(...its))).toBe(formOf(() => theirs.crypto_pwhash_str(...its)));
    const [own, other] = [ours, theirs].map((sodium) => sodium.crypto_pwhash_str(...usual) as string);
    expect(own).toMatch(/^\$argon2id\$v=19\$m=1024,t=1,p=1\$/);
    expect(ours.crypto_pwhash_str(...usual)).not.toBe(own);

    const last = (text: string): string => text.slice(0, -1) + (text.endsWith('A') ? 'E' : 'A');
    const made = (line: string, hash = other.slice(-43)): string => `${line}$c29tZXNhbHRzb21lc2FsdA$${hash}`;
    const salt = Buffer.from('somesaltsomesalt');
    const short = argon2idSync(theirs.from_string(TEXT) as Uint8Array, salt, { t: 1, m: 1024, p: 1, dkLen: 15 });
    const texts = [
      own,
      other,
      ...[own, last(own), `${own} `, `${own}\n`, `${own}\0x`, `${own}=`, own.slice(0, -1), own.replace('m=', 'm=0')],
      // The reference's own text: p and the length of the salt differ from libsodium's.
      '$argon2id$v=19$m=2048,t=1,p=4$c29tZXNhbHQ$0000000000000000000000000000000000000000000',
      made('$argon2i$v=19$m=1024,t=1,p=1'),
      made('$argon2i$v=19$m=1024,t=3,p=2'),
      made('$argon2id$v=19$m=1024,t=1,p=128'),
      made('$argon2id$v=19$m=1024,t=1,p=129'),
      made('$argon2id$v=16$m=1024,t=1,p=1'),
      made('$argon2id$m=1024,t=1,p=1'),
      made('$argon2d$v=19$m=1024,t=1,p=1'),
      made('$argon2id$v=19$m=1024,t=0,p=1'),
      // The right hash, which is too short for libsodium.
      made('$argon2id$v=19$m=1024,t=1,p=1', Buffer.from(short).toString('base64')),
      made('$argon2id$v=19$m=8,t=1,p=1'),
      ...message,
    ];
    const verified = [
      ...texts.map((text) => [text, TEXT]),
      ...[...message, 'another', theirs.from_string(TEXT)].map((password) => [own, password]),
      ...FORMATS.map((format) => [other, TEXT, format]),
      [],
    ];
    for (const its of verified)
      expect(outcomeOf(() => ours.crypto_pwhash_str_verify(...its))).toBe(
        outcomeOf(() => theirs.crypto_pwhash_str_verify(...its)),
      );
    for (const text of [own, other])
      expect([ours, theirs].map((sodium) => sodium.crypto_pwhash_str_verify(text, TEXT))).toEqual([true, true]);
  });
});
