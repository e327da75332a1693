/** scrypt with random arguments against OpenSSL and libsodium, and in the hands of a hostile page. */
// Runs in Node only: compares with OpenSSL and libsodium.
import { scryptSync as openssl } from 'node:crypto';
import fc from 'fast-check';
import sodium from 'libsodium-wrappers-sumo';
import { afterEach, expect, it, vi } from 'vitest';
import { scryptModule } from '../../src/scrypt/module.ts';
import { scryptSync } from '../../src/scrypt.ts';
import { expectBytes, sample } from '../support/bytes.ts';
import { onEachEngine } from '../support/engines.ts';
import { underAttack } from '../support/hostile.ts';

await sodium.ready;

const bytes = (maxLength: number): fc.Arbitrary<Uint8Array> => fc.uint8Array({ maxLength });
const cases = fc.record({
  password: bytes(200),
  salt: bytes(200),
  logN: fc.integer({ min: 1, max: 8 }),
  r: fc.integer({ min: 1, max: 12 }),
  p: fc.integer({ min: 1, max: 4 }),
  dkLen: fc.integer({ min: 1, max: 200 }),
});

onEachEngine(() => {
  it('gives what OpenSSL and libsodium give', () => {
    fc.assert(
      fc.property(cases, ({ password, salt, logN, r, p, dkLen }) => {
        const N = 2 ** logN;
        const key = scryptSync(password, salt, { logN, r, p, dkLen });
        expectBytes(key, openssl(password, salt, dkLen, { N, r, p, maxmem: 2 ** 30 }), 'OpenSSL');
        expectBytes(key, sodium.crypto_pwhash_scryptsalsa208sha256_ll(password, salt, N, r, p, dkLen), 'libsodium');
      }),
      { numRuns: 60 },
    );
  });

  it('reaches nothing that a page has replaced', () => {
    const [password, salt] = [sample(100, 1), sample(4000, 2)];
    const derive = (): Uint8Array => scryptSync(password, salt, { N: 16, r: 2, p: 2, dkLen: 70 });
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
  const module = new Original(scryptModule().bytes());
  vi.resetModules();
  WebAssembly.Module = class extends Original {
    constructor(bytes: BufferSource) {
      super(bytes);
      throw new Error('compiling is forbidden');
    }
  };
  const { provide } = await import('../../src/engine.ts');
  const { scrypt } = await import('../../src/scrypt.ts');
  provide(module);
  const [password, salt] = [sample(10, 1), sample(16, 2)];
  const key = await scrypt(password, salt, { N: 1024 });
  expectBytes(key, openssl(password, salt, 32, { N: 1024, r: 8, p: 1 }), 'the key');
});
