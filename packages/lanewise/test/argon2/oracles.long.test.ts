/** Argon2 with random arguments against OpenSSL and libsodium, all vectors of its reference, and in the hands of a hostile page. */
// Runs in Node only: compares with OpenSSL and libsodium.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as crypto from 'node:crypto';
import fc from 'fast-check';
import sodium from 'libsodium-wrappers-sumo';
import { afterEach, expect, it, vi } from 'vitest';
import { argon2Module } from '../../src/argon2/module.ts';
import * as argon2 from '../../src/argon2.ts';
import { expectBytes, hex, sample, unhex } from '../support/bytes.ts';
import { onEachEngine } from '../support/engines.ts';
import { underAttack } from '../support/hostile.ts';

await sodium.ready;

type Name = 'argon2d' | 'argon2i' | 'argon2id';
/** Of Node 24.8, and not among its types yet. */
const openssl = (crypto as unknown as { argon2Sync: (name: Name, options: object) => Uint8Array }).argon2Sync;

const bytes = (minLength: number, maxLength: number): fc.Arbitrary<Uint8Array> =>
  fc.uint8Array({ minLength, maxLength });
const cases = fc.record({
  name: fc.constantFrom<Name>('argon2d', 'argon2i', 'argon2id'),
  password: bytes(0, 200),
  salt: bytes(8, 200),
  secret: bytes(0, 100),
  ad: bytes(0, 100),
  t: fc.integer({ min: 1, max: 3 }),
  p: fc.integer({ min: 1, max: 5 }),
  more: fc.integer({ min: 0, max: 300 }),
  dkLen: fc.integer({ min: 4, max: 200 }),
});

const { tests } = JSON.parse(readFileSync(join(import.meta.dirname, '../../../../vectors/argon2.json'), 'utf8')) as {
  tests: {
    function: Name;
    version: 0x10 | 0x13;
    t: number;
    m: number;
    p: number;
    password: string;
    salt: string;
    tag: string;
  }[];
};
const large = tests.filter(({ m }) => m > 256);

it.each(large)('$function, version $version, t = $t, m = $m, p = $p', async (vector) => {
  const { function: name, version, t, m, p, tag } = vector;
  expect(hex(await argon2[name](unhex(vector.password), unhex(vector.salt), { version, t, m, p }))).toBe(tag);
});

onEachEngine(() => {
  it('gives what OpenSSL gives', () => {
    fc.assert(
      fc.property(cases, ({ name, password, salt, secret, ad, t, p, more, dkLen }) => {
        const m = 8 * p + more;
        const key = argon2[`${name}Sync`](password, salt, { t, m, p, dkLen, secret, ad });
        const parameters = { passes: t, memory: m, parallelism: p, tagLength: dkLen };
        const inputs = { message: password, nonce: salt, secret, associatedData: ad };
        expectBytes(key, openssl(name, { ...parameters, ...inputs }), 'OpenSSL');
      }),
      { numRuns: 80 },
    );
  });

  it('gives what libsodium gives', () => {
    const [password, salt] = [sample(20, 1), sample(16, 2)];
    for (const [name, algorithm, t] of [
      ['argon2i', sodium.crypto_pwhash_ALG_ARGON2I13, 3],
      ['argon2id', sodium.crypto_pwhash_ALG_ARGON2ID13, 1],
    ] as const) {
      const expected = sodium.crypto_pwhash(40, password, salt, t, 1024 * 1000, algorithm);
      expectBytes(argon2[`${name}Sync`](password, salt, { t, m: 1000, dkLen: 40 }), expected, name);
    }
  });

  it('reaches nothing that a page has replaced', () => {
    const [password, salt] = [sample(100, 1), sample(4000, 2)];
    const derive = (): Uint8Array => argon2.argon2idSync(password, salt, { m: 64, t: 2, p: 2, dkLen: 70 });
    const expected = derive();
    const { result, reached, error } = underAttack(derive);
    expect([reached, error]).toEqual([[], undefined]);
    expectBytes(result!, expected, 'the key');
  });
});

const Original = WebAssembly.Module;
afterEach(() => {
  WebAssembly.Module = Original;
});

it('runs a module that was provided where the host compiles none, in a memory that grows before it is used', async () => {
  const module = new Original(argon2Module({}).bytes());
  const { blake2bModule } = await import('../../src/blake2/module.ts');
  const blake2b = new Original(blake2bModule().bytes());
  vi.resetModules();
  WebAssembly.Module = class extends Original {
    constructor(code: BufferSource) {
      super(code);
      throw new Error('compiling is forbidden');
    }
  };
  const { provide } = await import('../../src/engine.ts');
  const { argon2id } = await import('../../src/argon2.ts');
  provide(module);
  provide(blake2b);
  const [password, salt] = [sample(10, 1), sample(16, 2)];
  const key = await argon2id(password, salt, { m: 1024 });
  const own = { message: password, nonce: salt, memory: 1024, passes: 2, parallelism: 1, tagLength: 32 };
  expectBytes(key, openssl('argon2id', own), 'the key');
});
