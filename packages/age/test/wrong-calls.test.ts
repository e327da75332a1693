/** Wrong calls: each is refused with a message that says what to do, and shows no secret. */
import * as typage from 'age-encryption';
import type { ByteSource } from 'lanewise/stream.js';
import { beforeAll, describe, expect, expectTypeOf, it } from 'vitest';
import {
  Decrypter,
  Encrypter,
  generateIdentity,
  HeaderReader,
  inspect,
  readHeader,
  type ReadableStreamWithSize,
} from '../src/index.ts';
import { decrypter, encrypter, identity, plaintext, recipient, whole } from './parties.ts';
import { cut } from './vectors.ts';

describe('wrong calls', () => {
  const any = (value: unknown): never => value as never;

  it.each<[string, () => unknown, string]>([
    [
      'an argument of a class',
      () => new (Encrypter as new (value: unknown) => Encrypter)({ armor: true }),
      'at most 0',
    ],
    ['an identity of a class', () => new (Decrypter as new (value: unknown) => Decrypter)('x'), 'at most 0'],
    ['no recipient', () => new Encrypter().encrypt('x'), 'no recipients: call addRecipient or setPassphrase first'],
    [
      'no identity',
      async () => new Decrypter().decrypt(await encrypter.encrypt('x')),
      'no identities: call addIdentity',
    ],
    ['an option that is not known', () => encrypter.encrypt('x', any({ armour: true })), 'got { armour }'],
    ['options that are none', () => encrypter.encrypt('x', any('armor')), 'expected plain object'],
    [
      'a flag of another type',
      () => encrypter.encrypt('x', any({ armor: 'yes' })),
      '"armor" expected boolean, got type=string',
    ],
    ['a signal that is none', () => encrypter.encrypt('x', any({ signal: {} })), '"signal" expected AbortSignal'],
    ['progress to nobody', () => encrypter.encrypt('x', any({ onProgress: 1 })), '"onProgress" expected function'],
    ['another size', () => encrypter.encrypt('x', { size: 2 }), '"size" expected 1, as the file has, got 2'],
    [
      'another size of a stream',
      async () => whole(await encrypter.encrypt(cut(plaintext, [9]), { size: 2 })),
      'expected 2 bytes',
    ],
    [
      'an ArrayBuffer',
      () => encrypter.encrypt(any(new ArrayBuffer(1))),
      'got type=ArrayBuffer; use new Uint8Array(buffer)',
    ],
    ['a promise', () => decrypter.decrypt(any(encrypter.encrypt('x'))), 'got type=Promise; did you forget await?'],
    ['nothing', () => decrypter.decrypt(any(undefined)), 'got type=undefined'],
    [
      'text to decrypt',
      () => decrypter.decrypt(any('x')),
      'got type=string; use armor.decode(text) for an armored file',
    ],
    ['text to decrypt whole', () => decrypter.decryptWhole(any('x')), 'use armor.decode(text)'],
    ['text to inspect', () => inspect(any('x')), 'use armor.decode(text)'],
    ['a path to read', () => readHeader(any('file.age')), 'open(path) of node:fs/promises for a path'],
    [
      'an armored file at any place',
      async () => decrypter.reader(await encrypter.encrypt('x', { armor: true })),
      'expected binary age file, got an armored one, which has no random access',
    ],
    ['half of a recipient', () => new Encrypter().addRecipient('age1xyz'), 'got one of 7 characters that is cut off'],
    [
      'a recipient with a typing mistake',
      () => new Encrypter().addRecipient(`${recipient.slice(0, -1)}b`),
      'got one of 62 characters that is cut off or has a typing mistake',
    ],
    [
      'a line of recipients',
      () => new Encrypter().addRecipient(`${recipient}\n`),
      '"recipient" expected age1…, age1pq1…, age1tag1… or age1tagpq1… as a whole, got white space',
    ],
    ['a key of SSH', () => new Encrypter().addRecipient('ssh-ed25519 AAAA'), 'got another string'],
    [
      'a key file',
      () => new Decrypter().addIdentity(`# created: 2026\n# public key: ${recipient}\n${identity}\n`),
      '"identity" expected AGE-SECRET-KEY-… as a whole, got several lines, as of a key file: add each line that starts with AGE-SECRET-KEY-',
    ],
    [
      'a line of a key file',
      () => new Decrypter().addIdentity(`${identity}\n`),
      'got white space around it: trim() it',
    ],
    [
      'half of an identity',
      () => new Decrypter().addIdentity(identity.slice(0, 40)),
      'got one of 40 characters that is cut off',
    ],
    ['an identity of a plugin', () => new Decrypter().addIdentity('AGE-PLUGIN-YUBIKEY-1'), 'runs in age only'],
    ['a passphrase as an identity', () => new Decrypter().addIdentity('five words'), 'got another string'],
    [
      'a CryptoKey of another algorithm',
      async () =>
        new Decrypter().addIdentity(
          await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt']),
        ),
      '"identity" expected private CryptoKey of X25519 for deriveBits, got another CryptoKey',
    ],
    [
      'another size of a file to decrypt',
      async () => decrypter.decrypt(await encrypter.encrypt('x'), 'text', { size: 2 }),
      'expected 2 bytes',
    ],
    [
      'another size of a file to decrypt whole',
      async () => decrypter.decryptWhole(await encrypter.encrypt('x'), { size: 2 }),
      'expected 2 bytes',
    ],
    [
      'another size of a stream to decrypt',
      async () => whole(await decrypter.decrypt(await encrypter.encrypt(new Blob(['x'])), undefined, { size: 2 })),
      'expected 2 bytes',
    ],
    [
      'a size that is none',
      async () => decrypter.decrypt(await encrypter.encrypt('x'), 'text', { size: -1 }),
      '"size" expected integer from 0 up, got -1',
    ],
    [
      'progress of single reads',
      () => decrypter.reader(new Blob(), any({ onProgress() {} })),
      '{ signal, pool }, got { onProgress }: each read gives all of its bytes at once',
    ],
    [
      'a place that only decryptWhole has',
      () => decrypter.decrypt(plaintext, 'text', any({ to: 1 })),
      'got { to }: only decryptWhole has it',
    ],
    [
      'a file key of an identity that is none',
      async () => {
        const other = new Decrypter();
        other.addIdentity({ unwrapFileKey: () => any('secret') });
        return other.decrypt(await encrypter.encrypt('x'));
      },
      '"file key" expected Uint8Array, or null if no stanza fits, got type=string',
    ],
    [
      'a file key of another length',
      async () => {
        const other = new Decrypter();
        other.addIdentity({ unwrapFileKey: () => new Uint8Array(32) });
        return other.decrypt(await encrypter.encrypt('x'));
      },
      '"file key" expected Uint8Array of length 16, got length=32',
    ],
    [
      'a locked stream',
      () => {
        const stream = new Blob(['x']).stream();
        stream.getReader();
        return encrypter.encrypt(stream);
      },
      'got a locked one',
    ],
    [
      'another format',
      () => decrypter.decrypt(plaintext, any('hex')),
      `"outputFormat" expected 'uint8array' or 'text'`,
    ],
    ['text from a stream', () => decrypter.decrypt(any(new Blob(['x'])), any('text')), 'TextDecoderStream'],
    [
      'an argument too many',
      () => encrypter.encrypt('x', {}, ...(['y'] as unknown as [])),
      '"arguments" expected at most 2',
    ],
    ['an identity as a recipient', () => new Encrypter().addRecipient(identity), 'got an identity, which is secret'],
    ['a recipient as an identity', () => new Decrypter().addIdentity(recipient), 'got a recipient'],
    [
      'a recipient of another kind',
      () => new Encrypter().addRecipient(any({})),
      '"recipient" expected string or object',
    ],
    [
      'a passphrase beside recipients',
      () => {
        const both = new Encrypter();
        both.addRecipient(recipient);
        both.setPassphrase('x');
      },
      "can't encrypt to both",
    ],
    ['a passphrase of bytes', () => new Encrypter().setPassphrase(any(plaintext)), '"passphrase" expected string'],
    ['too much work', () => new Encrypter().setScryptWorkFactor(22), '"logN" expected integer from 1 to 21, got 22'],
    [
      'no number of work',
      () => new Decrypter().setMaxScryptWorkFactor(any('20')),
      '"logN" expected number, got type=string',
    ],
  ])('%s', async (_, call, message) => {
    const failure = await Promise.resolve()
      .then(call)
      .then(
        () => undefined,
        (error: unknown) => error as Error,
      );
    expect(failure?.message).toContain(message);
    expect(failure?.message).not.toContain(identity);
  });

  it('work that a hostile file asks for', async () => {
    const one = new typage.Encrypter();
    one.setPassphrase('password');
    one.setScryptWorkFactor(6);
    const careful = new Decrypter();
    careful.addPassphrase('password');
    careful.setMaxScryptWorkFactor(5);
    await expect(careful.decrypt(await one.encrypt('x'))).rejects.toThrow('scrypt work factor of at most 5, got 6');
  });

  it('a plaintext that is too long for the caller', async () => {
    const file = await encrypter.encrypt(plaintext);
    await expect(decrypter.decryptWhole(new Blob([file]), { maxLength: 1000 })).rejects.toThrow(RangeError);
  });
});

describe('a file that nothing opens', () => {
  const locked = async (): Promise<Uint8Array> => {
    const its = new Encrypter();
    its.setPassphrase('right');
    its.setScryptWorkFactor(4);
    return its.encrypt('x');
  };
  const trying = async (passphrases: number, identities: number): Promise<Decrypter> => {
    const its = new Decrypter();
    for (let i = 0; i < passphrases; i++) its.addPassphrase(`wrong ${i}`);
    for (let i = 0; i < identities; i++) its.addIdentity(await generateIdentity());
    return its;
  };

  it.each([
    ['passphrase', 1, 0, 'wrong passphrase'],
    ['passphrase', 2, 1, 'wrong passphrase'],
    [
      'passphrase',
      0,
      1,
      "no identity matched any of the file's recipients, which is encrypted with a passphrase: call addPassphrase",
    ],
    ['recipient', 0, 2, "no identity matched any of the file's recipients"],
    ['recipient', 1, 1, "no identity matched any of the file's recipients"],
    [
      'recipient',
      1,
      0,
      "no identity matched any of the file's recipients, which is not encrypted with a passphrase: call addIdentity",
    ],
  ])('with a %s, by %i passphrases and %i identities', async (kind, passphrases, identities, message) => {
    const file = kind === 'recipient' ? await encrypter.encrypt('x') : await locked();
    const front = new HeaderReader();
    front.push(file);
    const its = await trying(passphrases, identities);
    for (const call of [
      () => its.decrypt(file),
      () => its.decrypt(new Blob([new Uint8Array(file)])),
      () => its.decryptWhole(file),
      () => its.reader(file),
      () => its.opener({ header: front.bytes }),
      () => its.payloadKey({ header: front.bytes }),
      () => its.decryptHeader(front.header),
    ])
      await expect(call()).rejects.toThrow(new Error(message));
  });

  it('is not taken for one by an identity that has a passphrase of its own', async () => {
    const file = await locked();
    const right = new Decrypter();
    right.addPassphrase('right');
    const front = new HeaderReader();
    front.push(file);
    const key = await right.decryptHeader(front.header);
    const own = new Decrypter();
    own.addIdentity({ passphrase: 'wrong', unwrapFileKey: () => key.slice() } as never);
    expect(await own.decrypt(file, 'text')).toBe('x');
  });
});

/** Others on a page may have added properties to Object.prototype: these aren't options. */
describe('options of Object.prototype are none', () => {
  const calls: Record<string, () => Promise<unknown>> = {
    encrypt: async () => Buffer.from((await encrypter.encrypt('x')).subarray(0, 18)).toString(),
    'encrypt of a stream': async () =>
      Buffer.from((await whole(await encrypter.encrypt(new Blob(['x'])))).subarray(0, 18)).toString(),
    'encrypt with options': async () =>
      Buffer.from((await encrypter.encrypt('x', { armor: false })).subarray(0, 18)).toString(),
    sealer: async () => (await encrypter.sealer({})).header.length,
    fileHeader: async () => (await encrypter.fileHeader()).header.length,
    decrypt: async () => decrypter.decrypt(file, 'text', {}),
    'decrypt of a stream': async () => whole(await decrypter.decrypt(new Blob([file]))),
    decryptWhole: () => decrypter.decryptWhole(file, {}),
    reader: async () => (await decrypter.reader(file, {})).size,
    opener: async () => typeof (await decrypter.opener({ header })).push,
    payloadKey: () => decrypter.payloadKey({ header }),
    decryptHeader: () => decrypter.decryptHeader(header.subarray(0, -16)),
    inspect: () => inspect(file, {}),
    readHeader: async () => (await readHeader(file, {})).armored,
    'a passphrase': async () => {
      const its = new Decrypter();
      its.addPassphrase('right');
      return its.decrypt(locked, 'text');
    },
    'an identity that is an object': async () => {
      const its = new Decrypter();
      its.addIdentity({ unwrapFileKey: () => fileKey.slice() });
      return its.decrypt(file, 'text');
    },
  };
  const polluted: Record<string, unknown> = {
    armor: true,
    size: 3,
    maxLength: 0,
    to: 5,
    signal: AbortSignal.abort(new Error('polluted')),
    pool: {},
    header: 5,
    onProgress: 1,
    offset: 7,
    passphrase: 'x',
    text: 'x',
    password: 'x',
    logN: 1,
  };
  let [file, locked, header, fileKey] = [new Uint8Array(), new Uint8Array(), new Uint8Array(), new Uint8Array()];
  beforeAll(async () => {
    file = await encrypter.encrypt('hello');
    const locking = new Encrypter();
    locking.setPassphrase('right');
    locking.setScryptWorkFactor(4);
    locked = await locking.encrypt('hello');
    const front = new HeaderReader();
    front.push(file);
    header = new Uint8Array(front.bytes);
    fileKey = new Uint8Array(await decrypter.decryptHeader(front.header));
  });

  it.each(Object.entries(calls))('%s', async (_, call) => {
    const expected = await call();
    for (const [name, value] of Object.entries(polluted)) {
      Object.defineProperty(Object.prototype, name, { value, configurable: true, writable: true });
      try {
        expect(await call().catch((error: unknown) => `${name}: ${String(error)}`)).toEqual(expected);
      } finally {
        Reflect.deleteProperty(Object.prototype, name);
      }
    }
  });
});

it('the types of results are those of arguments', () => {
  type Encrypted = (source: ByteSource) => Promise<Uint8Array<ArrayBuffer> | ReadableStreamWithSize>;
  expectTypeOf((source: ByteSource) => encrypter.encrypt(source)).toEqualTypeOf<Encrypted>();
  expectTypeOf((source: ByteSource) => decrypter.decrypt(source)).toEqualTypeOf<Encrypted>();
  expectTypeOf((source: Uint8Array) => encrypter.encrypt(source)).returns.toEqualTypeOf<
    Promise<Uint8Array<ArrayBuffer>>
  >();
  expectTypeOf((source: Uint8Array) => decrypter.decrypt(source)).returns.toEqualTypeOf<
    Promise<Uint8Array<ArrayBuffer>>
  >();
  expectTypeOf((source: Blob) => encrypter.encrypt(source)).returns.toEqualTypeOf<Promise<ReadableStreamWithSize>>();
  expectTypeOf((source: ReadableStream<Uint8Array>) => decrypter.decrypt(source)).returns.toEqualTypeOf<
    Promise<ReadableStreamWithSize>
  >();
  expectTypeOf((source: Uint8Array) => decrypter.decrypt(source, 'text')).returns.toEqualTypeOf<Promise<string>>();
});
