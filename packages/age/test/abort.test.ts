/**
 * Every call with a signal settles soon after the signal is aborted, with its reason, whatever the call waits for or computes; and a
 * source that was begun is ended, but nothing waits for that end.
 */
import { Readable } from 'node:stream';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import {
  Decrypter,
  Encrypter,
  generateHybridIdentity,
  generateIdentity,
  HeaderReader,
  identityToRecipient,
  inspect,
  readHeader,
  Stanza,
} from '../src/index.ts';

type Bytes = Uint8Array<ArrayBuffer>;

const never = (): Promise<never> => new Promise<never>(() => {});
const reason = new Error('changed my mind');
const decrypter = new Decrypter();
const encrypter = new Encrypter();
const stranger = new Decrypter();
let file: Bytes;
let text: Bytes;
let header: Uint8Array;
let recipient: string;

beforeAll(async () => {
  const identity = await generateIdentity();
  recipient = await identityToRecipient(identity);
  encrypter.addRecipient(recipient);
  decrypter.addIdentity(identity);
  stranger.addIdentity(await generateIdentity());
  file = await encrypter.encrypt(new Uint8Array(200_000));
  text = await encrypter.encrypt(new Uint8Array(200_000), { armor: true });
  const reader = new HeaderReader();
  reader.push(file);
  header = reader.bytes;
});

/** A stream that gives these bytes, and then nothing more, nor an end. */
function stalled(bytes: Uint8Array, cancel: (reason: unknown) => unknown = () => {}): ReadableStream<Uint8Array> {
  let given = false;
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      if (given || bytes.length === 0) return never();
      given = true;
      controller.enqueue(bytes.slice());
      return undefined;
    },
    cancel: (why) => cancel(why) as Promise<void>,
  });
}

/** How a promise was settled. If it never is, the limit of the test says so. */
const outcome = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'resolved',
    (error: unknown) => error,
  );

/** The outcome of a call whose signal is aborted while it waits. */
async function aborted(call: (signal: AbortSignal) => Promise<unknown>): Promise<unknown> {
  const controller = new AbortController();
  const promise = call(controller.signal);
  setTimeout(() => controller.abort(reason), 20);
  return outcome(promise);
}

const silent = (): Encrypter => {
  const its = new Encrypter();
  its.addRecipient({ wrapFileKey: never });
  return its;
};
const deaf = (): Decrypter => {
  const its = new Decrypter();
  its.addIdentity({ unwrapFileKey: never });
  return its;
};
const whole = (stream: ReadableStream<Uint8Array>): Promise<ArrayBuffer> => new Response(stream).arrayBuffer();

describe('a signal that is aborted', () => {
  const starts: [string, () => Uint8Array][] = [
    ['before its first byte', () => new Uint8Array()],
    ['within its header', () => file.subarray(0, 50)],
    ['within its armor', () => text.subarray(0, 100)],
  ];
  const calls: Record<string, (source: ReadableStream<Uint8Array>, signal: AbortSignal) => Promise<unknown>> = {
    decrypt: (source, signal) => decrypter.decrypt(source, undefined, { signal }),
    decryptWhole: (source, signal) => decrypter.decryptWhole(source, { signal }),
    inspect: (source, signal) => inspect(source, { signal }),
    readHeader: (source, signal) => readHeader(source, { signal }),
  };

  describe.each(starts)('while a stream stalls %s', (_, bytes) => {
    it.each(Object.entries(calls))('ends %s, and the stream', async (__, call) => {
      const cancel = vi.fn();
      expect(await aborted((signal) => call(stalled(bytes(), cancel), signal))).toBe(reason);
      expect(cancel).toHaveBeenCalledExactlyOnceWith(reason);
    });
  });

  it.each(['decrypt', 'decryptWhole', 'inspect'])('ends %s within the chunks, and the stream', async (name) => {
    for (const [bytes, length] of [
      [file, 100_000],
      [text, 140_000],
    ] as const) {
      const cancel = vi.fn();
      const call = async (signal: AbortSignal): Promise<unknown> => {
        const result = await calls[name](stalled(bytes.subarray(0, length), cancel), signal);
        return name === 'decrypt' ? whole(result as ReadableStream<Uint8Array>) : result;
      };
      expect(await aborted(call)).toBe(reason);
      await vi.waitFor(() => expect(cancel).toHaveBeenCalledOnce());
    }
  });

  it('ends a Readable of Node that stalls', async () => {
    for (const [name, length] of [
      ['decrypt', 0],
      ['decrypt', 50],
      ['inspect', 1000],
    ] as const) {
      const readable = new Readable({ read() {} });
      if (length) readable.push(file.subarray(0, length));
      expect(await aborted((signal) => calls[name](readable as never, signal))).toBe(reason);
      await vi.waitFor(() => expect(readable.destroyed).toBe(true));
    }
  });

  it.each<[string, (signal: AbortSignal) => Promise<unknown>]>([
    ['encrypt', (signal) => silent().encrypt('x', { signal })],
    ['encrypt of a stream', (signal) => silent().encrypt(new Blob(['x']), { signal })],
    ['sealer', (signal) => silent().sealer({ signal })],
    ['fileHeader', (signal) => silent().fileHeader({ signal })],
    ['decrypt', (signal) => deaf().decrypt(file, 'text', { signal })],
    ['decrypt of a stream', (signal) => deaf().decrypt(new Blob([file]), undefined, { signal })],
    ['decryptWhole', (signal) => deaf().decryptWhole(file, { signal })],
    ['reader', (signal) => deaf().reader(file, { signal })],
    ['opener', (signal) => deaf().opener({ header, signal })],
    ['payloadKey', (signal) => deaf().payloadKey({ header, signal })],
    ['decryptHeader', (signal) => deaf().decryptHeader(header.subarray(0, -16), { signal })],
  ])('ends %s while a recipient or an identity does not answer', async (_, call) => {
    expect(await aborted(call)).toBe(reason);
  });

  it('ends a stream of the caller while an identity does not answer', async () => {
    const cancel = vi.fn();
    expect(await aborted((signal) => deaf().decrypt(stalled(file, cancel), undefined, { signal }))).toBe(reason);
    expect(cancel).toHaveBeenCalledOnce();
  });

  it('wipes a file key that comes too late', async () => {
    const key = new Uint8Array(16).fill(7);
    let answer: ((key: Uint8Array) => void) | undefined;
    const late = new Decrypter();
    late.addIdentity({ unwrapFileKey: () => new Promise((resolve) => (answer = resolve)) });
    expect(await aborted((signal) => late.decryptHeader(header.subarray(0, -16), { signal }))).toBe(reason);
    answer!(key);
    await expect.poll(() => key.every((byte) => byte === 0)).toBe(true);
  });

  it('is not given to a recipient after the end of another', async () => {
    let answer: ((stanzas: Stanza[]) => void) | undefined;
    const second = vi.fn(() => []);
    const two = new Encrypter();
    two.addRecipient({ wrapFileKey: () => new Promise((resolve) => (answer = resolve)) });
    two.addRecipient({ wrapFileKey: second });
    expect(await aborted((signal) => two.encrypt('x', { signal }))).toBe(reason);
    answer!([]);
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setTimeout(resolve));
    expect(second).not.toHaveBeenCalled();
  });

  it('leaves no listener', async () => {
    const { signal } = new AbortController();
    const [added, removed] = [vi.spyOn(signal, 'addEventListener'), vi.spyOn(signal, 'removeEventListener')];
    await decrypter.decrypt(file, 'text', { signal });
    await inspect(new Blob([file]), { signal });
    await encrypter.encrypt('x', { signal });
    await expect(stranger.decryptWhole(file, { signal })).rejects.toThrow('no identity matched');
    expect(added).toHaveBeenCalled();
    for (const [, listener] of added.mock.calls)
      expect(removed.mock.calls.filter(([, its]) => its === listener)).not.toEqual([]);
  });
});

describe('the event loop turns, and a signal is heeded, while', () => {
  /** How a call ends whose signal is aborted by a timer, and how many times the event loop turned before. */
  async function interrupted(call: (signal: AbortSignal) => Promise<unknown>): Promise<[unknown, number]> {
    let turns = 0;
    const ticking = setInterval(() => turns++, 1);
    const controller = new AbortController();
    const timer = setInterval(() => {
      if (turns > 3) controller.abort(reason);
    }, 1);
    const result = await call(controller.signal).then(
      () => 'resolved',
      (error: unknown) => error,
    );
    clearInterval(ticking);
    clearInterval(timer);
    return [result, turns];
  }

  const digits = (length: number): string =>
    Buffer.from(crypto.getRandomValues(new Uint8Array(length)))
      .toString('base64')
      .replace(/=+$/, '');
  const fileOf = (stanza: () => string, count: number): Bytes => {
    const stanzas = Array.from({ length: count }, stanza).join('');
    const front = new TextEncoder().encode(`age-encryption.org/v1\n${stanzas}--- ${digits(32)}\n`);
    return new Uint8Array(Buffer.concat([front, new Uint8Array(32)]));
  };
  const hybrid = (): string => `-> mlkem768x25519 ${digits(1120)}\n${digits(32)}\n`;

  it('one identity is tried on hundreds of recipients', async () => {
    const quantum = new Decrypter();
    quantum.addIdentity(await generateHybridIdentity());
    const [result, turns] = await interrupted((signal) => quantum.decrypt(fileOf(hybrid, 500), 'text', { signal }));
    expect(result).toBe(reason);
    expect(turns).toBeGreaterThan(3);
  });

  it('hundreds of identities are tried on one recipient', async () => {
    const many = new Decrypter();
    for (let i = 0; i < 500; i++) many.addIdentity(await generateHybridIdentity());
    expect((await interrupted((signal) => many.decrypt(fileOf(hybrid, 1), 'text', { signal })))[0]).toBe(reason);
  });

  it('hundreds of recipients are encrypted to', async () => {
    const many = new Encrypter();
    const quantum = await identityToRecipient(await generateHybridIdentity());
    for (let i = 0; i < 500; i++) many.addRecipient(quantum);
    expect((await interrupted((signal) => many.encrypt('x', { signal })))[0]).toBe(reason);
  });

  it('a source without an end gives nothing', async () => {
    const endless = { *[Symbol.iterator]() { for (;;) yield new Uint8Array(); } }; // prettier-ignore
    for (const call of [
      (signal: AbortSignal) => decrypter.decrypt(endless, undefined, { signal }),
      (signal: AbortSignal) => inspect(endless, { signal }),
      (signal: AbortSignal) => inspect((function* () { yield file; yield* endless; })(), { signal }), // prettier-ignore
    ])
      expect((await interrupted(call))[0]).toBe(reason);
  });

  it('a long file is encrypted, armored, and read from armor', async () => {
    const long = new Uint8Array(2 ** 26);
    for (const armored of [false, true])
      expect((await interrupted((signal) => encrypter.encrypt(long, { armor: armored, signal })))[0]).toBe(reason);
    const armored = await encrypter.encrypt(long.subarray(2 ** 25), { armor: true });
    expect((await interrupted((signal) => inspect(armored, { signal })))[0]).toBe(reason);
    expect((await interrupted((signal) => decrypter.decrypt(armored, 'uint8array', { signal })))[0]).toBe(reason);
  });
});

describe('a source whose end', () => {
  const ends: [string, () => unknown][] = [
    ['never comes', never],
    [
      'throws',
      () => {
        throw new Error('cannot cancel');
      },
    ],
    ['fails', () => Promise.reject(new Error('cannot cancel'))],
  ];

  /** Streams and generators that give bytes and then stall, and end as is said. */
  const kinds: [string, (bytes: Uint8Array, end: () => unknown) => never][] = [
    ['stream', (bytes, end) => stalled(bytes, end) as never],
    [
      'generator',
      (bytes, end) =>
        (async function* () {
          try {
            yield bytes;
            yield bytes;
          } finally {
            await end();
          }
        })() as never,
    ],
    [
      'iterator',
      (bytes, end) => ({ [Symbol.iterator]: () => ({ next: () => ({ value: bytes }), return: end }) }) as never,
    ],
  ];

  describe.each(ends)('%s', (_, end) => {
    it.each(kinds)('hides no error of a %s', async (__, kind) => {
      const strange = new Uint8Array(100);
      const wrongArmor = new TextEncoder().encode('-----BEGIN AGE ENCRYPTED FILE-----\n*\n');
      for (const [call, message] of [
        [() => stranger.decrypt(kind(file, end)), 'no identity matched'],
        [() => stranger.decryptWhole(kind(file, end)), 'no identity matched'],
        [() => decrypter.decrypt(kind(strange, end)), 'not an age file'],
        [() => decrypter.decryptWhole(kind(strange, end)), 'not an age file'],
        [() => inspect(kind(strange, end)), 'not an age file'],
        [() => readHeader(kind(strange, end)), 'not an age file'],
        [() => inspect(kind(wrongArmor, end)), 'armor expected'],
        [() => decrypter.decrypt(kind('text' as never, end)), '"chunk" expected Uint8Array'],
      ] as const)
        expect(await outcome(call())).toMatchObject({ message: expect.stringContaining(message) as string });
    });

    it.each(kinds)('keeps nobody who stops reading a %s', async (__, kind) => {
      const { rest } = await readHeader(kind(file, end));
      expect(await outcome(rest.return(undefined))).toBe('resolved');
      expect(await rest.next()).toEqual({ done: true, value: undefined });
    });
  });
});

it.each([
  ['few bytes', 1000],
  ['bytes of several turns', 5_000_000],
])('encrypt and decrypt of %s heed a signal that onProgress aborts, also at the end', async (_, length) => {
  const reason = new Error('mine');
  const decrypter = new Decrypter();
  const encrypter = new Encrypter();
  for (const each of [encrypter.setPassphrase.bind(encrypter), decrypter.addPassphrase.bind(decrypter)]) each('mine');
  encrypter.setScryptWorkFactor(1);
  const file = await encrypter.encrypt(new Uint8Array(length));
  const aborting = () => {
    const controller = new AbortController();
    const onProgress = (done: number): void => (done === length ? controller.abort(reason) : undefined);
    return { signal: controller.signal, onProgress };
  };
  await expect(encrypter.encrypt(new Uint8Array(length), aborting())).rejects.toBe(reason);
  await expect(encrypter.encrypt(new Uint8Array(length), { ...aborting(), armor: true })).rejects.toBe(reason);
  await expect(decrypter.decrypt(file, 'uint8array', aborting())).rejects.toBe(reason);
});
