/** All memory that the library takes is looked at: after end, error and destroy it holds no key and no plaintext. */
// Runs in Node only: loads the library anew, with constructors that remember their arrays.
import { createCipheriv, createHmac } from 'node:crypto';
import sodium from 'libsodium-wrappers-sumo';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type * as Engine from '../../src/engine.ts';
import type * as Stream from '../../src/stream.ts';
import { concat, refusal } from '../support/bytes.ts';
import { cut } from '../support/stream.ts';
import { engines } from '../support/engines.ts';
import { once } from '../support/once.ts';
import { overflowing } from '../support/stack.ts';

await sodium.ready;

/** No eight bytes in a row occur twice. */
const pattern = (length: number, seed: number): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length }, (_, i) => Math.imul(i + 7919 * seed, 0x9e3779b1) >>> 24);
const key = pattern(32, 1);
const plaintext = pattern(150_000, 2);

const Plain = Uint8Array;
const Wide = Uint32Array;
let made: ArrayBufferView<ArrayBuffer>[] = [];
let stream: typeof Stream;
let select: typeof Engine.select;

/** A constructor that remembers its arrays. */
const remembering = <T extends object>(Real: T): T =>
  new Proxy(Real, {
    construct(target, values, as) {
      const view: unknown = Reflect.construct(target as Uint8ArrayConstructor, values, as as Uint8ArrayConstructor);
      made.push(view as ArrayBufferView<ArrayBuffer>);
      return view as object;
    },
  });

beforeEach(async () => {
  made = [];
  vi.resetModules();
  globalThis.Uint8Array = remembering(Plain);
  globalThis.Uint32Array = remembering(Wide);
  stream = await import('../../src/stream.ts');
  ({ select } = await import('../../src/engine.ts'));
  globalThis.Uint8Array = Plain;
  globalThis.Uint32Array = Wide;
});
afterEach(() => vi.resetModules());

/** Whether any memory but that of results holds eight bytes in a row of these. */
function found(secret: Uint8Array, results: readonly Uint8Array[]): boolean {
  const buffers = new Set<ArrayBufferLike>(made.map(({ buffer }) => buffer));
  for (const { buffer } of [key, plaintext, ...results]) buffers.delete(buffer);
  const needles: Uint8Array[] = [];
  for (let at = 0; at + 8 <= secret.length; at += 8) needles.push(secret.subarray(at, at + 8));
  return [...buffers].some((buffer) => needles.some((needle) => Buffer.from(buffer).includes(needle)));
}
const start = plaintext.subarray(0, 4096);
/** The last bytes of `plaintext` that a machine with chunks of `chunk` bytes still holds. */
const keptBy = (chunk: number): Uint8Array =>
  plaintext.subarray(Math.floor(plaintext.length / chunk) * chunk).slice(-800);

test('is able to see: a machine at work holds its key and what does not fill a chunk', () => {
  const sealer = once(stream.agePayload(key), (its) => its.sealer());
  const results = [sealer.push(plaintext)];
  expect(found(key, results)).toBe(true);
  expect(found(keptBy(65_536), results)).toBe(true);
});

test.each(['agePayload', 'chunked', 'secretstream'] as const)('%s has its key until destroy', (name) => {
  const keyed: Stream.Streams & { sealer(): unknown } = stream[name](key);
  expect(found(key, [])).toBe(true);
  keyed.destroy();
  expect(found(key, [])).toBe(false);
  const message = `cannot use ${name}(key) after destroy()`;
  expect(() => keyed.sealer()).toThrow(message);
  expect(() => keyed.encrypt(start)).toThrow(message);
  expect(() => keyed.decryptor()).toThrow(message);
  expect(() => keyed.decryptWhole(start)).toThrow(message);
});

test.each(['end', 'destroy', 'dispose'])('agePayload: %s', (how) => {
  const sealer = once(stream.agePayload(key), (its) => its.sealer());
  const results = [sealer.push(plaintext)];
  const opener = once(stream.agePayload(key), (its) => its.opener());
  if (how === 'end') {
    results.push(sealer.end());
    results.push(opener.push(concat(...results)), opener.end());
  } else {
    results.push(opener.push(results[0]));
    for (const machine of [sealer, opener] as unknown as Disposable[])
      if (how === 'dispose') machine[Symbol.dispose]();
      else (machine as unknown as Stream.Sealer).destroy();
  }
  for (const secret of [key, start, keptBy(65_536)]) expect(found(secret, results)).toBe(false);
});

test('agePayload: an error, and no `destroy`', () => {
  const sealer = once(stream.agePayload(key), (its) => its.sealer());
  const sealed = concat(sealer.push(plaintext), sealer.end());
  const damages: readonly [damaged: Uint8Array, good: number][] = [
    [sealed.map((byte, i) => (i === 70_000 ? byte ^ 1 : byte)), 1],
    [sealed.subarray(0, 140_000), 2],
    [sealed.map((byte, i) => (i === 5 ? byte ^ 1 : byte)), 0],
  ];
  for (const [damaged, good] of damages) {
    made = [];
    const opener = once(stream.agePayload(key), (its) => its.opener());
    const results = good ? [opener.push(damaged)] : [];
    if (!good) expect(() => opener.push(damaged)).toThrow('not authentic');
    expect(() => opener.end()).toThrow(/authentic/);
    for (const secret of [key, start, keptBy(65_536)]) expect(found(secret, results)).toBe(false);
  }
});

test.each(['end', 'destroy', 'wrong key'])('chunked: %s', async (how) => {
  const sealer = await once(stream.chunked(key), (its) => its.sealer());
  const { header } = sealer;
  const hmac = (...parts: Uint8Array[]): Buffer =>
    createHmac('sha512', key)
      .update(concat(...parts))
      .digest();
  const name = new TextEncoder().encode('c2sp.org/chunked-encryption@v1+AEAD_CHACHA20_POLY1305\0');
  const derived = hmac(name, header.subarray(0, 24), Plain.of(1)).subarray(0, 44);
  const results = [sealer.push(plaintext)];
  expect(found(derived.subarray(0, 32), results), 'at work').toBe(true);
  expect(found(derived.subarray(32), results), 'at work').toBe(true);
  if (how === 'wrong key') {
    sealer.destroy();
    const other = pattern(32, 9);
    await expect(once(stream.chunked(other), (its) => its.opener({ header }))).rejects.toThrow('wrong key');
    expect(found(other, [other])).toBe(false);
  } else {
    const opener = await once(stream.chunked(key), (its) => its.opener({ header }));
    if (how === 'end') {
      results.push(sealer.end());
      results.push(opener.push(concat(...results)), opener.end());
    } else {
      results.push(opener.push(results[0]));
      sealer.destroy();
      opener.destroy();
    }
  }
  for (const secret of [key, derived.subarray(0, 32), derived.subarray(32), start, keptBy(16_384)])
    expect(found(secret, [...results, header])).toBe(false);
});

test.each(['destroy', 'dispose', 'abort', 'a forged chunk', 'a forged end', 'no end', 'a wrong key'])(
  'readers: %s',
  async (how) => {
    const age = once(stream.agePayload(key), (its) => its.sealer());
    const chunked = await once(stream.chunked(key), (its) => its.sealer());
    for (const [format, sealed] of [
      [stream.agePayload, concat(age.push(plaintext), age.end())],
      [stream.chunked, concat(chunked.header, chunked.push(plaintext), chunked.end())],
    ] as const) {
      made = [];
      const secrets = [key, start, keptBy(format.chunkLength)];
      const other = pattern(32, 9);
      if (how === 'a forged end') sealed[sealed.length - 1] ^= 1;
      if (how === 'a forged chunk') sealed[format.headerLength + 10] ^= 1;
      const abort = new AbortController();
      const { signal } = abort;
      const source = how === 'no end' ? sealed.subarray(0, -1) : sealed;
      const itsKey = how === 'a wrong key' ? other : key;
      const opening = once<Pick<Stream.AgePayload, 'reader' | 'destroy'>, Promise<Stream.Reader>>(
        format(itsKey),
        (its) => its.reader(source, { signal }),
      );
      const results: Uint8Array[] = [other, sealed];
      if (how === 'a forged end' || how === 'no end' || how === 'a wrong key') {
        await expect(opening).rejects.toThrow(how === 'a wrong key' ? /./ : 'authentic');
        expect(found(other, results)).toBe(false);
      } else {
        const reader = await opening;
        expect(found(keptBy(format.chunkLength), results), 'at work').toBe(true);
        if (how === 'a forged chunk') await expect(reader.read(0, plaintext.length)).rejects.toThrow('chunk 0');
        results.push(await reader.read(plaintext.length - 80_000, plaintext.length));
        if (how === 'abort') abort.abort();
        else if (how === 'dispose') reader[Symbol.dispose ?? 'destroy']();
        else reader.destroy();
      }
      for (const secret of secrets)
        expect(found(secret, results), format === stream.chunked ? 'chunked' : 'age').toBe(false);
    }
  },
);

test.each(['end', 'error', 'limit', 'abort'])('decryptWhole: %s', async (how) => {
  const age = once(stream.agePayload(key), (its) => its.sealer());
  const chunked = await once(stream.chunked(key), (its) => its.sealer());
  const formats: readonly (readonly [(key: Uint8Array) => Stream.Streams, chunkLength: number, sealed: Uint8Array])[] =
    [
      [stream.agePayload, 65_536, concat(age.push(plaintext), age.end())],
      [stream.chunked, 16_384, concat(chunked.header, chunked.push(plaintext), chunked.end())],
    ];
  for (const [format, chunkLength, sealed] of formats)
    for (const lengths of [undefined, [1e9], [100_000]])
      for (const inFile of [false, true]) {
        made = [];
        const given = sealed.slice();
        if (how === 'error') given[given.length - 1] ^= 1;
        const source = lengths ? cut(given, lengths) : given;
        const abort = new AbortController();
        const to = {
          createWritable: () =>
            Promise.resolve({
              write: () => undefined,
              close: () => undefined,
              abort: () => undefined,
            }),
        };
        const options = {
          signal: abort.signal,
          maxLength: how === 'limit' ? 140_000 : 150_000,
          onProgress: () => {
            if (how === 'abort') abort.abort();
          },
        };
        const whole = inFile
          ? once(format(key), (its) => its.decryptWhole(source, { ...options, to }))
          : once(format(key), (its) => its.decryptWhole(source, options));
        const results: Uint8Array[] = [sealed, given];
        if (how === 'end') {
          const result = await whole;
          if (typeof result !== 'number') results.push(result);
        } else await expect(whole).rejects.toThrow();
        for (const secret of [key, start, keptBy(chunkLength)]) expect(found(secret, results)).toBe(false);
      }
});

test('a read that fails leaves nothing of the chunks before', async () => {
  const sealer = once(stream.agePayload(key), (its) => its.sealer());
  const sealed = concat(sealer.push(plaintext), sealer.end());
  sealed[70_000] ^= 1;
  const reader = await once(stream.agePayload(key), (its) => its.reader(sealed));
  made = [];
  await expect(reader.read(0, plaintext.length)).rejects.toThrow('chunk 1 is not authentic');
  // The last chunk, which the reader keeps, repeats runs of the first.
  for (const { buffer } of made) expect(Buffer.from(buffer).includes(start)).toBe(false);
  reader.destroy();
});

test.each([4096, 4097, 150_000])('secretstream: messages of %i bytes', (length) => {
  const message = plaintext.subarray(0, length);
  for (const how of ['end', 'destroy', 'error']) {
    made = [];
    const sealer = once(stream.secretstream(key), (its) => its.sealer());
    const subkey = sodium.crypto_core_hchacha20(sealer.header.subarray(0, 16), key, null);
    const opener = once(stream.secretstream(key), (its) => its.opener({ header: sealer.header }));
    const results = [sealer.push(message)];
    results.push(opener.push(results[0]));
    expect(found(subkey, results), 'at work').toBe(true);
    // The memory is wiped between messages, too.
    expect(found(start, results)).toBe(false);
    expect(found(key, results)).toBe(false);
    const last = sealer.end();
    if (how === 'end') {
      results.push(opener.push(last));
      opener.end();
    } else if (how === 'destroy') opener.destroy();
    else expect(() => opener.push(last.fill(1))).toThrow('not authentic');
    for (const secret of [key, subkey, start]) expect(found(secret, results), how).toBe(false);
  }
});

const cases = engines.flatMap((engine) =>
  [0, 40, 4096, 4097, 120_000, 150_000].map((length) => [engine, length] as const),
);
// The block that encrypts a tag encrypts 63 zeros, too: they would be keystream as it is.
test.each(cases)('secretstream on %s: keystream of %i bytes', (engine, length) => {
  select(engine);
  for (const ad of [undefined, pattern(40, 5), pattern(2000, 6)]) {
    const sealer = once(stream.secretstream(key), (its) => its.sealer());
    const { header } = sealer;
    const subkey = sodium.crypto_core_hchacha20(header.subarray(0, 16), key, null);
    const cipher = createCipheriv('chacha20', subkey, concat(Plain.of(0, 0, 0, 0, 1, 0, 0, 0), header.subarray(16)));
    const keystream = cipher.update(new Plain(128));
    const results = [sealer.push(plaintext.subarray(0, length), undefined, ad && { ad }), header];
    for (const block of [keystream.subarray(0, 64), keystream.subarray(65)])
      expect(found(block, results), `sealed, ${ad?.length} bytes of additional data`).toBe(false);
    const opener = once(stream.secretstream(key), (its) => its.opener({ header }));
    results.push(opener.push(results[0], undefined, ad && { ad }));
    for (const block of [keystream.subarray(0, 64), keystream.subarray(65)])
      expect(found(block, results), `opened, ${ad?.length} bytes of additional data`).toBe(false);
  }
});

interface Machine {
  push(bytes: Uint8Array): Uint8Array;
  destroy(): void;
}
// A machine that is made, its secrets, and its next piece.
const machines: readonly [what: string, make: () => { machine: Machine; secrets: Uint8Array[]; piece: Uint8Array }][] =
  [
    [
      'agePayload.sealer',
      () => {
        const machine = once(stream.agePayload(key), (its) => its.sealer());
        machine.push(start);
        return { machine, secrets: [key, start], piece: plaintext.subarray(4096) };
      },
    ],
    [
      'agePayload.opener',
      () => {
        const machine = once(stream.agePayload(key), (its) => its.opener());
        machine.push(sealedAge.subarray(0, 100));
        return { machine, secrets: [key], piece: sealedAge.subarray(100) };
      },
    ],
    ...[4096, 4097].flatMap((length): (typeof machines)[number][] => [
      [
        `secretstream.sealer, ${length} bytes`,
        () => {
          const machine = once(stream.secretstream(key), (its) => its.sealer());
          const subkey = sodium.crypto_core_hchacha20(machine.header.subarray(0, 16), key, null);
          return { machine, secrets: [key, subkey], piece: plaintext.subarray(0, length) };
        },
      ],
      [
        `secretstream.opener, ${length} bytes`,
        () => {
          const sealer = once(stream.secretstream(key), (its) => its.sealer());
          const subkey = sodium.crypto_core_hchacha20(sealer.header.subarray(0, 16), key, null);
          const piece = sealer.push(plaintext.subarray(0, length));
          sealer.destroy();
          const machine = once(stream.secretstream(key), (its) => its.opener({ header: sealer.header }));
          return { machine, secrets: [key, subkey, start], piece };
        },
      ],
    ]),
  ];
const sealedAge = (() => {
  const cipher = createCipheriv('chacha20-poly1305', key, new Plain(12), { authTagLength: 16 });
  return concat(cipher.update(plaintext.subarray(0, 65_536)), cipher.final(), cipher.getAuthTag(), new Plain(5));
})();

test.each(machines)('the stack overflows: %s', (_, make) => {
  let halfWay = 0;
  const results: Uint8Array[] = [];
  const overflows = overflowing({
    step: 16,
    make() {
      made = [];
      const its = make();
      results.length = 0;
      return its;
    },
    work: ({ machine, piece }) => results.push(machine.push(piece)),
    check({ machine, secrets, piece }, what) {
      const left = secrets.some((secret) => found(secret, [piece, ...results]));
      const error = refusal(() => machine.push(piece));
      // It is as it was, if no work was begun; or it refuses, and holds nothing.
      if (error === 'nothing was refused') return;
      expect(error, what).toMatch(/after a call that threw half-way/);
      expect(left, what).toBe(false);
      halfWay++;
    },
  });
  expect(overflows).toBeGreaterThan(halfWay);
  expect(halfWay).toBeGreaterThan(0);
});
