/** Native yardsticks: they compute the same as the library, and report times. */
import { chacha20, chacha20poly1305 } from '@noble/ciphers/chacha.js';
import { blake3 } from '@noble/hashes/blake3.js';
import * as disk from 'lanewise/disk.js';
import { describe, expect, test } from 'vitest';
import { joined } from '../src/client/bytes.ts';
import { nodeXts } from '../src/client/node/node-crypto.ts';
import { buildNative, findCipher, levels, Native, noNative, type NativeCipher } from '../src/native.ts';

// What cannot be built is skipped below, with the compiler's reason here.
for (const reason of await buildNative()) console.log(reason);

describe.each(levels)('the official crate at $name', (level) => {
  const reason = noNative(level);

  test('hashes its input, and reports times', (context) => {
    if (reason !== undefined) context.skip(reason);
    const message = Uint8Array.from({ length: 100_003 }, (_, i) => i % 251);
    const native = new Native(level, message);
    const [one, many] = [native.time(1), native.time(200)];
    expect(native.digest).toEqual(blake3(message));
    expect(one).toBeGreaterThan(0);
    expect(many).toBeGreaterThan(0);
    native.end();
  });
});

const ciphers: readonly NativeCipher[] = (['libsodium', 'libgcrypt'] as const).flatMap((library) =>
  (['chacha20', 'chacha20poly1305'] as const).map((operation) => ({ library, operation })),
);

describe.each(ciphers)('$operation of $library', (cipher) => {
  test('encrypts its input', (context) => {
    const found = findCipher(cipher);
    if ('missing' in found) context.skip(found.missing);
    expect(found).toEqual({ version: expect.stringMatching(`^${cipher.library} \\d`) as string });
    const [key, nonce] = [32, 12].map((length) => Uint8Array.from({ length }, (_, i) => 3 * i + length));
    const message = Uint8Array.from({ length: 10_007 }, (_, i) => i % 251);
    const native = new Native({ cipher, key, nonce }, message);
    const times = [native.time(1), native.time(100)];
    const sealed =
      cipher.operation === 'chacha20' ? chacha20(key, nonce, message) : chacha20poly1305(key, nonce).encrypt(message);
    expect(native.digest).toEqual(blake3(sealed));
    for (const time of times) expect(time).toBeGreaterThan(0);
    native.end();
  });
});

const pages = [
  ['adiantum-sectors', disk.adiantum, 512],
  ['adiantum-pages', disk.adiantum, 4096],
  ['hpolyc-sectors', disk.hpolyc, 512],
  ['hpolyc-pages', disk.hpolyc, 4096],
] as const;

describe.each(pages)('%s of Go', (operation, make, pageSize) => {
  test('equal ours', (context) => {
    const cipher = { library: 'adiantum', operation } as const;
    const found = findCipher(cipher);
    if ('missing' in found) context.skip(found.missing);
    expect(found).toEqual({ version: 'adiantum 1.1.1' });
    const key = Uint8Array.from({ length: 32 }, (_, i) => 3 * i);
    const message = Uint8Array.from({ length: 65_536 }, (_, i) => i % 251);
    const native = new Native({ cipher, key, nonce: new Uint8Array() }, message);
    native.time(1);
    expect(native.digest).toEqual(blake3(make(key).encryptPages(message, { pageSize, tweak: 'index64' })));
    expect(native.time(100)).toBeGreaterThan(0);
    native.end();
  });
});

describe.each([
  ['aes-xts-sectors', 512],
  ['aes-xts-pages', 4096],
] as const)('%s of Go', (operation, pageSize) => {
  test('equal those of OpenSSL', (context) => {
    const cipher = { library: 'adiantum', operation } as const;
    const found = findCipher(cipher);
    if ('missing' in found) context.skip(found.missing);
    expect(found).toEqual({ version: expect.stringMatching(/^golang.org\/x\/crypto \d/) as string });
    const key = Uint8Array.from({ length: 64 }, (_, i) => 3 * i);
    const nonce = Uint8Array.of(250, 0, 0, 0, 0, 0, 0, 0);
    const message = Uint8Array.from({ length: 65_536 }, (_, i) => i % 251);
    const native = new Native({ cipher, key, nonce }, message);
    native.time(1);
    expect(native.digest).toEqual(
      blake3(joined(nodeXts(pageSize)(key, nonce)(message, new Uint8Array(message.length)))),
    );
    native.end();
  });
});

test('a library that is not there is named', () => {
  const found = findCipher({ library: 'libnothing' as 'libsodium', operation: 'chacha20' });
  expect(found).toEqual({ missing: expect.stringMatching(/libnothing|not built/) as string });
});
