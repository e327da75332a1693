/** C2SP chunked-encryption: the framework against `cryptography`'s Cobblestone, our instance against a model of the specification. */
import { createCipheriv, createDecipheriv, createHash, createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openerOf, sealerOf } from '../../src/stream/chunk-transform.ts';
import { CHUNKING } from '../../src/stream/chunked.ts';
import { deriveKeys } from '../../src/stream/derive.ts';
import { chunked } from '../../src/stream.ts';
import { concat, expectBytes, hex, sample, unhex } from '../support/bytes.ts';
import { onEachEngine } from '../support/engines.ts';
import { chunkedBody } from '../support/stream-models.ts';
import { chunksOf, cut, pattern, through } from '../support/stream.ts';

interface Test {
  readonly name: string;
  readonly key: string;
  readonly context: string;
  readonly length: number;
  readonly header: string;
  readonly size: number;
  readonly last: string;
  readonly sha256: string;
}
const { tests } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../../vectors/stream-cobblestone.json'), 'utf8'),
) as { tests: Test[] };

type Aead = 'aes-128-gcm' | 'aes-256-gcm';
const sealWith = (aead: Aead, key: Uint8Array, nonce: Uint8Array, plaintext: Uint8Array): Uint8Array => {
  const cipher = createCipheriv(aead, key, nonce, { authTagLength: 16 });
  return concat(cipher.update(plaintext), cipher.final(), cipher.getAuthTag());
};
const openWith = (
  aead: Aead,
  key: Uint8Array,
  nonce: Uint8Array,
  ciphertext: Uint8Array,
): Uint8Array<ArrayBuffer> | undefined => {
  const cipher = createDecipheriv(aead, key, nonce, { authTagLength: 16 });
  cipher.setAuthTag(ciphertext.subarray(-16));
  const plaintext = cipher.update(ciphertext.subarray(0, -16));
  try {
    return concat(plaintext, cipher.final());
  } catch {
    return undefined;
  }
};

describe('the framework, with AES-GCM', () => {
  it.each(tests)('$name, $length bytes', async ({ name, key, context, length, header, size, last, sha256 }) => {
    const bits = name.endsWith('128') ? 128 : 256;
    const salt = unhex(header).subarray(0, 24);
    const keys = await deriveKeys(`AEAD_AES_${bits}_GCM`, [bits / 8, 12], unhex(key), salt, unhex(context));
    expect(hex(keys.commitment)).toBe(header.slice(48));
    const aead = `aes-${bits}-gcm` as const;
    const chunks = () =>
      chunksOf(
        keys.baseNonce.slice(),
        (nonce, plaintext) => sealWith(aead, keys.key, nonce, plaintext),
        (nonce, ciphertext) => openWith(aead, keys.key, nonce, ciphertext),
      );
    const plaintext = pattern(length, 0);
    for (const lengths of [[1e9], [16_384], [16_383, 2], [5000, 0, 40_000]]) {
      const sealed = through(sealerOf(CHUNKING, chunks(), unhex(header)), cut(plaintext, lengths));
      const stream = concat(unhex(header), sealed);
      expect(stream.length).toBe(size);
      expect(hex(stream.subarray(-16))).toBe(last);
      expect(createHash('sha256').update(stream).digest('hex')).toBe(sha256);
      expectBytes(
        through(openerOf(CHUNKING, chunks()), cut(sealed, lengths)),
        plaintext,
        `pieces of ${lengths.join()}`,
      );
    }
  });

  it('ends where the number of chunks does', () => {
    const chunks = () =>
      chunksOf(
        new Uint8Array(12),
        (_, plaintext) => concat(plaintext, new Uint8Array(16)),
        (_, ciphertext) => ciphertext.subarray(0, -16),
      );
    const few = { ...CHUNKING, mostChunks: 3 };
    const sealer = sealerOf(few, chunks(), new Uint8Array(0));
    expect(sealer.push(new Uint8Array(16_384))).toHaveLength(16_400);
    expect(() => sealer.push(new Uint8Array(2 * 16_384))).toThrow(
      new RangeError('"bytes" expected at most 1 whole chunks more, got 2'),
    );
    expect(sealer.push(new Uint8Array(16_384 + 16_383))).toHaveLength(16_400);
    expect(() => sealer.push(new Uint8Array(1))).toThrow(RangeError);
    expect(sealer.end()).toHaveLength(16_399);
    const opener = openerOf(few, chunks());
    expect(opener.push(new Uint8Array(2 * 16_400))).toHaveLength(2 * 16_384);
    expect(() => opener.push(new Uint8Array(16_400))).toThrow(new Error('chunk 2 is not authentic'));
  });
});

/** The specification, written plainly, with ChaCha20-Poly1305. */
function model(key: Uint8Array, context: Uint8Array, salt: Uint8Array, plaintext: Uint8Array): Uint8Array {
  const hmac = (message: Uint8Array): Uint8Array => createHmac('sha512', key).update(message).digest();
  const name = new TextEncoder().encode('c2sp.org/chunked-encryption@v1+AEAD_CHACHA20_POLY1305\0');
  const info = concat(name, salt, context);
  const first = hmac(concat(info, Uint8Array.of(1)));
  const output = concat(first, hmac(concat(first, info, Uint8Array.of(2))));
  const [itsKey, baseNonce, commitment] = [output.subarray(0, 32), output.subarray(32, 44), output.subarray(44, 76)];
  return concat(salt, commitment, chunkedBody(itsKey, baseNonce, plaintext));
}

const key = sample(32, 71);
const context = sample(20, 72);

onEachEngine((engine) => {
  const lengths = [0, 1, 16_383, 16_384, 16_385, 32_768, 50_000];
  // Chunk numbers of two bytes.
  const all = engine === 'simd' ? [...lengths, 257 * 16_384 + 3] : lengths;
  it.each(all)('is what the specification says: %i bytes', async (length) => {
    const plaintext = sample(length, 73);
    for (const its of [new Uint8Array(0), context]) {
      const options = its.length ? { context: its } : {};
      const sealer = await chunked(key, options).sealer();
      const sealed = concat(sealer.header, through(sealer, cut(plaintext, [20_000, 7])));
      expectBytes(sealed, model(key, its, sealer.header.subarray(0, 24), plaintext), 'sealed');
      expect(chunked.ciphertextSize(length)).toBe(sealed.length);
      expect(chunked.plaintextSize(sealed.length)).toBe(length);
      const other = model(key, its, sample(24, length), plaintext);
      const opener = await chunked(key, options).opener({ header: other.subarray(0, 56) });
      expectBytes(through(opener, cut(other.subarray(56), [1, 30_000])), plaintext, 'opened');
    }
  });
});

it('no two streams have one salt', async () => {
  const [a, b] = [await chunked(key).sealer(), await chunked(key).sealer()];
  expect(hex(a.header)).not.toBe(hex(b.header));
});

it('a wrong key, context or header is noticed before any chunk', async () => {
  const { header } = await chunked(key, { context }).sealer();
  const message = 'wrong key or context, or a header that was changed';
  await expect(chunked(sample(32, 1), { context }).opener({ header })).rejects.toThrow(message);
  await expect(chunked(key).opener({ header })).rejects.toThrow(message);
  await expect(chunked(key, { context: sample(20, 1) }).opener({ header })).rejects.toThrow(message);
  for (let i = 0; i < 56; i++) {
    const changed = header.slice();
    changed[i] ^= 1;
    await expect(chunked(key, { context }).opener({ header: changed }), `byte ${i}`).rejects.toThrow(message);
  }
  await chunked(key, { context }).opener({ header });
});

it('what the caller does to key, header and context after the call changes nothing', async () => {
  const [itsKey, itsContext] = [key.slice(), context.slice()];
  const making = chunked(itsKey, { context: itsContext }).sealer();
  itsKey.fill(0);
  itsContext.fill(0);
  const sealer = await making;
  const header = sealer.header.slice();
  const sealed = through(sealer, [sample(10, 1)]);
  const again = [key.slice(), context.slice(), header.slice()];
  const opening = chunked(again[0], { context: again[1] }).opener({ header: again[2] });
  for (const bytes of again) bytes.fill(0);
  expectBytes(through(await opening, [sealed]), sample(10, 1), 'opened');
});

describe('options', () => {
  const header = new Uint8Array(56);
  const wrong: readonly [what: string, call: () => unknown, error: Error][] = [
    [
      'unknown',
      () => chunked(key, { contxt: context } as never),
      new TypeError('"options" expected plain object { context }, got { contxt }'),
    ],
    [
      'the header, with the key',
      () => chunked(key, { header } as never),
      new TypeError('"options" expected plain object { context }, got { header }'),
    ],
    [
      'those of one call, with the key',
      () => chunked(key, { pool: {} } as never),
      new TypeError('"options" expected plain object { context }, got { pool }'),
    ],
    [
      'bytes: key and message exchanged',
      () => chunked(sample(32, 9), key as never),
      new TypeError('"options" expected plain object { context }, got type=Uint8Array'),
    ],
    [
      'the context, of the opener',
      () => chunked(key).opener({ header, context } as never),
      new TypeError('"options" expected plain object { header }, got { context }: chunked(key, { context }) takes it'),
    ],
    [
      'of the sealer, which has none',
      () => (chunked(key) as unknown as { sealer(options: object): unknown }).sealer({}),
      new TypeError('"arguments" expected at most 0, got another of type=Object'),
    ],
    [
      'unknown, of the opener',
      () => chunked(key).opener({ header, Context: context } as never),
      new TypeError('"options" expected plain object { header }, got { Context }'),
    ],
    [
      'inherited',
      () => chunked(key, Object.create({ context }) as never),
      new TypeError('"options" expected plain object { context }, got type=Object'),
    ],
    [
      'no header',
      () => chunked(key).opener(undefined as never),
      new TypeError('"header" expected Uint8Array of length 56, got type=undefined'),
    ],
    [
      'a short header',
      () => chunked(key).opener({ header: header.subarray(1) }),
      new RangeError('"header" expected Uint8Array of length 56, got length=55'),
    ],
    [
      'a context of text',
      () => chunked(key, { context: 'name' as never }).sealer(),
      new TypeError(
        '"context" expected Uint8Array, got type=string; use hexToBytes, fromBase64, TextEncoder, or scrypt for a password',
      ),
    ],
    [
      'a short key',
      () => chunked(key.subarray(1)).sealer(),
      new RangeError('"key" expected Uint8Array of length 32, got length=31'),
    ],
  ];
  it.each(wrong)('%s', (_, call, error) => {
    expect(call).toThrow(error);
  });
});

it('a host without crypto.subtle', async ({ skip }) => {
  const real = Object.getOwnPropertyDescriptor(globalThis, 'crypto')!;
  Object.defineProperty(globalThis, 'crypto', {
    value: { getRandomValues: (bytes: Uint8Array) => bytes },
    configurable: true,
  });
  try {
    const outcome = await chunked(key)
      .sealer()
      .then(
        () => 'made',
        (error: unknown) => (error as Error).message,
      );
    // Code that WebKit has compiled goes on with the property as it was.
    if (outcome === 'made' && 'document' in globalThis) skip('this host keeps its crypto');
    expect(outcome).toBe('crypto.subtle is not available: pages need HTTPS to have it');
  } finally {
    Object.defineProperty(globalThis, 'crypto', real);
  }
});
