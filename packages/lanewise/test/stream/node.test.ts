/** Streams of Node: Transforms, and the pairs of the web platform in `pipeline`. */
// Runs in Node only: about streams of Node.
import { Readable, Transform, Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { describe, expect, it } from 'vitest';
import { createDecryptor, createEncryptor } from '../../src/stream-node.ts';
import { agePayload, chunked, secretstream } from '../../src/stream.ts';
import { expectBytes, sample } from '../support/bytes.ts';
import { all, cut, randomly, untilError } from '../support/stream.ts';
import { settled, turns } from '../support/turns.ts';

const key = sample(32, 71);
const plaintext = sample(300_000, 73);
const broken = new Error('the disk is full');
const formats = Object.entries({ chunked, agePayload, secretstream });

/** Transforms, and pairs of streams of the web platform: Node takes both. */
const kinds = {
  Transform: {
    encrypt: (format: typeof agePayload) => createEncryptor(format(key)),
    decrypt: (format: typeof agePayload) => createDecryptor(format(key)),
  },
  pair: {
    encrypt: (format: typeof agePayload) => format(key).encryptor(),
    decrypt: (format: typeof agePayload) => format(key).decryptor(),
  },
} as const;
const make = (kind: keyof typeof kinds, how: 'encrypt' | 'decrypt', format: unknown): NodeJS.ReadWriteStream =>
  kinds[kind][how](format as typeof agePayload) as unknown as NodeJS.ReadWriteStream;

const sink = (): Writable => new Writable({ write: (_chunk, _encoding, done) => done() });

/** All that goes through streams in a row. */
async function throughAll(pieces: Iterable<Uint8Array>, ...between: NodeJS.ReadWriteStream[]): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  const collecting = new Writable({
    write(chunk: Uint8Array, _, done) {
      chunks.push(chunk);
      done();
    },
  });
  await pipeline([Readable.from(pieces), ...between, collecting]);
  return Buffer.concat(chunks);
}

describe.each(formats)('%s', (_, format) => {
  it.each(['Transform', 'pair'] as const)('%s in pipeline, there and back', async (kind) => {
    for (const length of [0, 1, 65_536, 300_000])
      for (const most of [3000, 400_000]) {
        const its = plaintext.subarray(0, length);
        const sealed = await throughAll(randomly(its, length, most), make(kind, 'encrypt', format));
        expectBytes(await all(format(key).decrypt(sealed)), its, 'opened by a stream of the web');
        expectBytes(await throughAll(randomly(sealed, 1, most), make(kind, 'decrypt', format)), its, 'opened');
      }
    const both = [make(kind, 'encrypt', format), make(kind, 'decrypt', format)];
    expectBytes(await throughAll(cut(plaintext, [5000]), ...both), plaintext, 'one behind the other');
  });

  it.each(['Transform', 'pair'] as const)('%s: errors end all streams', async (kind) => {
    const sealed = await all(format(key).encrypt(plaintext));
    const truncated = throughAll([sealed.subarray(0, 200_000)], make(kind, 'decrypt', format));
    await expect(truncated).rejects.toThrow('truncated after 200000 bytes');
    sealed[70_000] ^= 1;
    const source = Readable.from([sealed]);
    const failing = pipeline([source, make(kind, 'decrypt', format), sink()]);
    await expect(failing).rejects.toThrow('is not authentic');
    expect(source.destroyed).toBe(true);
    const sick = new Readable({
      read() {
        this.destroy(broken);
      },
    });
    await expect(pipeline([sick, make(kind, 'encrypt', format), sink()])).rejects.toBe(broken);
    const full = new Writable({ write: (_chunk, _encoding, done) => done(broken) });
    const endless = Readable.from(cut(plaintext, [1000]));
    await expect(pipeline([endless, make(kind, 'encrypt', format), full])).rejects.toBe(broken);
    expect(endless.destroyed).toBe(true);
  });

  it('a Transform holds back a source that has no end', async () => {
    let taken = 0;
    const endless = Readable.from(
      (function* () {
        for (;;) {
          taken += 10_000;
          yield plaintext.subarray(0, 10_000);
        }
      })(),
      { highWaterMark: 1 },
    );
    const transform = endless.pipe(createEncryptor(format(key)));
    // It would grow for ever.
    expect(await settled(() => taken)).toBeLessThan(300_000);
    transform.destroy();
    endless.destroy();
  });

  it('a Transform takes many bytes at once, and is a source itself', async () => {
    const source = Readable.from([sample(1_500_000, 5)]).pipe(createEncryptor(format(key)));
    expectBytes(await all(format(key).decrypt(source)), sample(1_500_000, 5), 'opened');
    expectBytes(
      await all(
        format(key).decrypt(
          Readable.toWeb(Readable.from([await all(format(key).encrypt([plaintext]))])) as ReadableStream<Uint8Array>,
        ),
      ),
      plaintext,
      'opened',
    );
  });

  it('a Transform says how far it is, and checks the size', async () => {
    const reports: unknown[] = [];
    const onProgress = (done: number, total?: number): void => void reports.push([done, total]);
    await throughAll(cut(plaintext, [9000]), createEncryptor(format(key), { size: plaintext.length, onProgress }));
    expect(reports.at(-1)).toEqual([plaintext.length, plaintext.length]);
    await expect(throughAll([plaintext], createEncryptor(format(key), { size: 5 }))).rejects.toThrow(
      'as "size" says, got more',
    );
    await expect(throughAll([plaintext], createEncryptor(format(key), { size: 300_001 }))).rejects.toThrow(
      'got 300000',
    );
    const throwing = createEncryptor(format(key), {
      onProgress() {
        throw broken;
      },
    });
    await expect(throughAll([plaintext], throwing)).rejects.toBe(broken);
  });

  it('a Transform ends with a signal', async () => {
    const early = createEncryptor(format(key), { signal: AbortSignal.abort(broken) });
    await expect(throughAll([plaintext], early)).rejects.toBe(broken);
    const abort = new AbortController();
    const transform = createDecryptor(format(key), { signal: abort.signal });
    const reading = buffer(transform);
    transform.write(sample(10, 1));
    await turns(1);
    abort.abort(broken);
    await expect(reading).rejects.toBe(broken);
  });
});

it('a Readable of Node is a source that is destroyed when nobody reads', async () => {
  for (const read of [false, true]) {
    const source = Readable.from(cut(plaintext, [1000]));
    const reader = agePayload(key).encrypt(source).getReader();
    if (read) await reader.read();
    await reader.cancel();
    expect(source.destroyed, `read: ${read}`).toBe(true);
  }
  const sick = new Readable({
    read() {
      this.destroy(broken);
    },
  });
  expect((await untilError(agePayload(key).encrypt(sick))).error).toBe(broken);
});

const STREAMS = '"streams" expected chunked(key), agePayload(key) or secretstream(key)';
describe('refuses at once', () => {
  it.each([
    ['an object that is none', [{}], `${STREAMS}, got type=Object`],
    ['nothing', [undefined], `${STREAMS}, got type=undefined`],
    ['a name', ['chunked'], `${STREAMS}, got type=string`],
    ['a format without a key', [chunked], `${STREAMS}, got type=function`],
    ['an unknown option', [chunked(key), { messageLength: 5 }], 'got { messageLength }'],
    ['another argument', [chunked(key), {}, 5], '"arguments" expected at most 2, got another of type=number'],
  ])('%s', (_, values, message) => {
    for (const create of [createEncryptor, createDecryptor] as unknown as ((...all: unknown[]) => Transform)[])
      expect(() => create(...values)).toThrow(message);
  });
});
