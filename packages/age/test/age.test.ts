/** Encrypter, Decrypter and inspect: sources, options, random access, recipients that fit each other, and wrong calls. */
import * as typage from 'age-encryption';
import { agePayload } from 'lanewise/stream.js';
import { describe, expect, it } from 'vitest';
import {
  armor,
  Decrypter,
  Encrypter,
  generateHybridIdentity,
  generateIdentity,
  HeaderReader,
  identityToRecipient,
  inspect,
  type Recipient,
} from '../src/index.ts';
import { decrypter, encrypter, identity, plaintext, recipient, whole } from './parties.ts';
import { cut } from './vectors.ts';

describe('files', () => {
  it.each([0, 1, 65_535, 65_536, 65_537, 131_072, 200_003])('of %i bytes, beside age-encryption', async (length) => {
    const file = plaintext.subarray(0, length);
    const theirs = new typage.Encrypter();
    theirs.addRecipient(recipient);
    expect(await decrypter.decrypt(await theirs.encrypt(file))).toEqual(file);
    const opener = new typage.Decrypter();
    opener.addIdentity(identity);
    const sealed = await encrypter.encrypt(file);
    expect(await opener.decrypt(sealed)).toEqual(file);
    expect(
      await opener.decrypt(armor.decode(new TextDecoder().decode(await encrypter.encrypt(file, { armor: true })))),
    ).toEqual(file);
  });

  it('of text', async () => {
    expect(await decrypter.decrypt(await encrypter.encrypt('grüße'), 'text')).toBe('grüße');
  });

  it('with a passphrase, beside age-encryption', async () => {
    const one = new Encrypter();
    one.setPassphrase('pässword');
    one.setScryptWorkFactor(4);
    const opener = new typage.Decrypter();
    opener.addPassphrase('pässword');
    expect(await opener.decrypt(await one.encrypt('hello'), 'text')).toBe('hello');
    const theirs = new typage.Encrypter();
    theirs.setPassphrase('pässword');
    theirs.setScryptWorkFactor(4);
    const ours = new Decrypter();
    ours.addPassphrase('wrong');
    ours.addPassphrase('pässword');
    expect(await ours.decrypt(await theirs.encrypt('hello'), 'text')).toBe('hello');
  });
});

describe('sources', () => {
  const sources = (bytes: Uint8Array<ArrayBuffer>) => ({
    'a stream': new Blob([bytes]).stream(),
    'a Blob': new Blob([bytes]),
    'a Response': new Response(bytes),
    'a Request': new Request('http://localhost/', { method: 'POST', body: bytes }),
    'an iterable': cut(bytes, [0, 1, 70_000, 3]),
    'an asynchronous iterable': (async function* () {
      for (const piece of cut(bytes, [10_000])) yield await Promise.resolve(piece);
    })(),
  });
  const names = Object.keys(sources(new Uint8Array())) as (keyof ReturnType<typeof sources>)[];

  it.each(names)('%s', async (name) => {
    const progress: (number | undefined)[][] = [];
    const sealed = await encrypter.encrypt(sources(plaintext)[name], {
      onProgress: (...values) => progress.push(values),
      size: plaintext.length,
    });
    const size = sealed.size(plaintext.length);
    const file = new Uint8Array(await whole(sealed));
    expect(file).toHaveLength(size);
    expect(progress.at(-1)).toEqual([plaintext.length, plaintext.length]);
    const opened = await decrypter.decrypt(sources(file)[name]);
    expect(opened.size(file.length)).toBe(plaintext.length);
    expect(await whole(opened)).toEqual(plaintext);
    expect(await decrypter.decryptWhole(sources(file)[name])).toEqual(plaintext);
  });

  it('armored, as a stream, of which the size is known', async () => {
    const sealed = await encrypter.encrypt(new Blob([plaintext]), { armor: true });
    const size = sealed.size(plaintext.length);
    const text = await whole(sealed);
    expect(text).toHaveLength(size);
    expect(await whole(await decrypter.decrypt(cut(text, [100, 1])))).toEqual(plaintext);
  });

  it.each([false, true])('become byte streams, with armor: %s', async (armored) => {
    const sealed = await encrypter.encrypt(new Blob([plaintext]), { armor: armored });
    const size = sealed.size(plaintext.length);
    const reader = sealed.getReader({ mode: 'byob' });
    const parts: Uint8Array[] = [];
    for (;;) {
      const { value, done } = await reader.read(new Uint8Array(1000));
      if (done) break;
      expect(value.length).toBeLessThanOrEqual(1000);
      parts.push(value);
    }
    const file = new Uint8Array(Buffer.concat(parts));
    expect(file).toHaveLength(size);
    expect(await decrypter.decrypt(file)).toEqual(plaintext);
  });

  it('are read when the result is, with armor, too, and are told when it is given up', async () => {
    for (const armored of [false, true]) {
      let [pulled, reason]: [number, unknown] = [0, undefined];
      const source = new ReadableStream<Uint8Array>(
        {
          pull: (controller) => {
            pulled++;
            controller.enqueue(new Uint8Array(1000));
          },
          cancel: (given) => void (reason = given),
        },
        { highWaterMark: 0 },
      );
      const sealed = await encrypter.encrypt(source, { armor: armored });
      for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setTimeout(resolve));
      expect(pulled).toBe(0);
      const reader = sealed.getReader();
      await reader.read();
      await reader.cancel('enough');
      expect(reason).toBe('enough');
    }
  });

  it('that fail, or are given up, are told', async () => {
    const broken = (async function* () {
      yield await Promise.resolve(plaintext);
      throw new Error('the line is dead');
    })();
    await expect(whole(await encrypter.encrypt(broken))).rejects.toThrow('the line is dead');
    let reason: unknown;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(1000)),
      cancel: (given) => void (reason = given),
    });
    const reader = (await encrypter.encrypt(endless)).getReader();
    await reader.read();
    await reader.cancel('enough');
    expect(reason).toBe('enough');
    let cancelled = false;
    const noFile = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(1000)),
      cancel: () => void (cancelled = true),
    });
    await expect(decrypter.decrypt(noFile)).rejects.toThrow('not an age file');
    expect(cancelled).toBe(true);
  });

  it('that are aborted', async () => {
    const reason = new Error('changed my mind');
    const aborted = AbortSignal.abort(reason);
    const file = await encrypter.encrypt(plaintext);
    for (const call of [
      encrypter.encrypt('text', { signal: aborted }),
      encrypter.sealer({ signal: aborted }),
      encrypter.fileHeader({ signal: aborted }),
      decrypter.decrypt(file, undefined, { signal: aborted }),
      decrypter.decryptWhole(file, { signal: aborted }),
      decrypter.reader(file, { signal: aborted }),
      inspect(file, { signal: aborted }),
    ])
      await expect(call).rejects.toBe(reason);
    const controller = new AbortController();
    const stream = await decrypter.decrypt(new Blob([file]), undefined, { signal: controller.signal });
    controller.abort(reason);
    await expect(whole(stream)).rejects.toBe(reason);
  });
});

it('random access', async () => {
  const file = await encrypter.encrypt(plaintext);
  const reads: number[] = [];
  const source = {
    size: file.length,
    read: (from: number, to: number) => {
      reads.push(to - from);
      return file.subarray(from, to);
    },
  };
  const reader = await decrypter.reader(source);
  expect(reader.size).toBe(plaintext.length);
  // The header, and the last chunk, which has 3,395 bytes and its tag.
  expect(reads.at(-1)).toBe(3395 + 16);
  reads.length = 0;
  expect(await reader.read(70_000, 70_010)).toEqual(plaintext.subarray(70_000, 70_010));
  expect(reads).toEqual([65_552]);
  reader.destroy();
  for (const length of [0, 10, 100, 200])
    await expect(decrypter.reader(file.subarray(0, length))).rejects.toThrow(/truncated|empty/);
});

it('machines', async () => {
  const sealer = await encrypter.sealer();
  const file = [sealer.header, sealer.push(plaintext), sealer.end()];
  expect(await decrypter.decrypt(new Uint8Array(Buffer.concat(file)))).toEqual(plaintext);
  const opener = await decrypter.opener({ header: sealer.header });
  expect(Buffer.concat([opener.push(file[1]), opener.push(file[2]), opener.end()]).equals(plaintext)).toBe(true);
  await expect(decrypter.opener({ header: Buffer.concat(file) })).rejects.toThrow(
    'expected header and salt, got bytes after them',
  );
  await expect(decrypter.opener({ header: sealer.header.subarray(1) })).rejects.toThrow('not an age file');
});

it('a header and the key of its payload, for chunks that are encrypted elsewhere', async () => {
  const { header, payloadKey } = await encrypter.fileHeader();
  const sealer = agePayload(payloadKey).sealer();
  const file = new Uint8Array(Buffer.concat([header, sealer.push(plaintext), sealer.end()]));
  const theirs = new typage.Decrypter();
  theirs.addIdentity(identity);
  expect(await theirs.decrypt(file)).toEqual(plaintext);
  expect(await decrypter.payloadKey({ header })).toEqual(payloadKey);
  const another = await encrypter.fileHeader();
  expect(another.payloadKey).not.toEqual(payloadKey);
  await expect(decrypter.payloadKey({ header: file })).rejects.toThrow(
    'expected header and salt, got bytes after them',
  );
  await expect(decrypter.payloadKey({ header: header.subarray(0, -1) })).rejects.toThrow('truncated after');
  await expect(decrypter.payloadKey({ header: 'text' as unknown as Uint8Array })).rejects.toThrow(TypeError);
  // @ts-expect-error: an option that there is not
  await expect(encrypter.fileHeader({ armor: true })).rejects.toThrow(
    '"options" expected plain object { signal, pool }, got { armor }: ArmorEncoder armors the file',
  );
  await expect(new Encrypter().fileHeader()).rejects.toThrow('no recipients');
  const stranger = new Decrypter();
  stranger.addIdentity(await generateIdentity());
  await expect(stranger.payloadKey({ header })).rejects.toThrow('no identity matched');
});

it('a header that stands alone', async () => {
  const reader = new HeaderReader();
  reader.push(await encrypter.encrypt('hello'));
  const opener = new typage.Decrypter();
  opener.addIdentity(identity);
  expect(await decrypter.decryptHeader(reader.header)).toEqual(await opener.decryptHeader(reader.header));
});

describe('recipients', () => {
  it('several, of whom each can decrypt', async () => {
    const others = [await generateIdentity(), await generateIdentity()];
    const several = new Encrypter();
    for (const other of others) several.addRecipient(await identityToRecipient(other));
    const file = await several.encrypt('hello');
    for (const other of others) {
      const one = new Decrypter();
      one.addIdentity(other);
      expect(await one.decrypt(file, 'text')).toBe('hello');
    }
    await expect(decrypter.decrypt(file)).rejects.toThrow("no identity matched any of the file's recipients");
  });

  it('of different labels are refused', async () => {
    const quantum = await identityToRecipient(await generateHybridIdentity());
    const own = (labels?: readonly string[]): Recipient & { labels?: readonly string[] } => ({
      wrapFileKey: () => [new typage.Stanza(['example.com/test', 'x'], new Uint8Array(32))],
      ...(labels && { labels }),
    });
    for (const [wrong, message] of [
      [[recipient, quantum], 'got no label and postquantum'],
      [[quantum, own()], 'got postquantum and no label'],
      [[own(['a', 'b']), own(['a'])], 'got a, b and a'],
    ] as const) {
      const mixed = new Encrypter();
      for (const one of wrong) mixed.addRecipient(one);
      await expect(mixed.encrypt('hello')).rejects.toThrow(message);
    }
    const equal = new Encrypter();
    for (const one of [quantum, own(['postquantum'])]) equal.addRecipient(one);
    expect((await inspect(await equal.encrypt('hello'))).recipients).toEqual(['mlkem768x25519', 'example.com/test']);
  });
});

describe('inspect', () => {
  it('says what is public', async () => {
    const file = await encrypter.encrypt(plaintext);
    const found = {
      recipients: ['X25519'],
      postQuantum: false,
      workFactor: undefined,
      headerSize: 168,
      size: file.length,
    };
    expect(await inspect(file)).toEqual({ ...found, armored: false, plaintextSize: plaintext.length });
    const text = await encrypter.encrypt(plaintext, { armor: true });
    expect(await inspect(new Blob([text]))).toEqual({ ...found, armored: true, plaintextSize: plaintext.length });
    expect((await inspect(file.subarray(0, 184 + 65_552))).plaintextSize).toBe(65_536);
    expect((await inspect(file.subarray(0, 190))).plaintextSize).toBe(undefined);
  });

  it('says it of passphrases', async () => {
    const one = new Encrypter();
    one.setPassphrase('password');
    one.setScryptWorkFactor(5);
    expect(await inspect(await one.encrypt(''))).toMatchObject({
      recipients: ['scrypt'],
      postQuantum: true,
      workFactor: 5,
      plaintextSize: 0,
    });
  });
});
