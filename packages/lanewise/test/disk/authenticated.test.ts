/** Pages with a nonce and a tag: against XChaCha20-Poly1305 by another library, forgeries, errors. */
import { afterEach, describe, expect, it } from 'vitest';
import { chacha20poly1305, xchacha20poly1305 } from '../../src/chacha.ts';
import { authenticatedPages, type PageAead } from '../../src/disk.ts';
import { concat, expectBytes, guarded, refusal, sample, untouched } from '../support/bytes.ts';
import { onEachEngine } from '../support/engines.ts';
import * as oracles from '../support/oracles.ts';

const key = sample(32, 1);
const SPARE = 40;

function numberOf(page: bigint): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, page, true);
  return bytes;
}
/** The content sealed as a page by another implementation: ciphertext, the nonce of `page`, tag. */
const resealed = (page: Uint8Array, content: Uint8Array, number: bigint): Uint8Array => {
  const nonce = page.slice(content.length, content.length + 24);
  const sealed = oracles.seal(key, nonce, numberOf(number), content);
  return concat(sealed.subarray(0, content.length), nonce, sealed.subarray(content.length));
};

onEachEngine(() => {
  const cipher = authenticatedPages(xchacha20poly1305, key);

  it.each([40, 41, 100, 512, 4096, 200_000])('a page of %i bytes', (length) => {
    const page = sample(length, 2);
    const content = page.subarray(0, length - SPARE);
    const sealed = cipher.encrypt(page, 5);
    expectBytes(sealed, resealed(sealed, content, 5n), 'a page');
    const again = cipher.encrypt(page, 5);
    expect(Buffer.compare(again, sealed)).not.toBe(0);
    expectBytes(cipher.decrypt(sealed, 5), concat(content, new Uint8Array(SPARE)), 'back');
    expectBytes(cipher.decrypt(sealed, 5n), concat(content, new Uint8Array(SPARE)), 'back, by a bigint');
    const place = page.slice();
    expect(cipher.encrypt(place, 2n ** 64n - 1n, place)).toBe(place);
    expectBytes(place, resealed(place, content, 2n ** 64n - 1n), 'in place');
    expect(cipher.decrypt(place, 2n ** 64n - 1n, place)).toBe(place);
    expectBytes(place, concat(content, new Uint8Array(SPARE)), 'in place, back');
    const { out, check } = guarded(length, 1);
    cipher.encrypt(page, 0, out);
    check('encrypt');
  });

  it.each([1, 13, 39, 300])('out overlaps the page by all but %i bytes', (distance) => {
    const page = sample(1000, 3);
    for (const [from, to] of [
      [0, distance],
      [distance, 0],
    ]) {
      const room = new Uint8Array(1000 + distance);
      room.set(page, from);
      const out = room.subarray(to, to + 1000);
      cipher.encrypt(room.subarray(from, from + 1000), 7, out);
      const sealed = out.slice();
      expectBytes(sealed, resealed(sealed, page.subarray(0, 960), 7n), 'encrypted');
      room.set(sealed, from);
      cipher.decrypt(room.subarray(from, from + 1000), 7, out);
      expectBytes(out, concat(page.subarray(0, 960), new Uint8Array(SPARE)), 'decrypted');
    }
  });

  it('many pages, all of them or none', () => {
    const pages = sample(10 * 512, 4);
    const content = (bytes: Uint8Array, i: number): Uint8Array => bytes.subarray(512 * i, 512 * (i + 1) - SPARE);
    const buffer = pages.slice();
    const options = { pageSize: 512, first: 2 ** 53 - 3 };
    expect(cipher.encryptPages(buffer, options)).toBe(buffer);
    for (let i = 0; i < 10; i++) {
      const page = buffer.slice(512 * i, 512 * (i + 1));
      expectBytes(page, resealed(page, content(pages, i), 2n ** 53n - 3n + BigInt(i)), `page ${i}`);
    }
    const sealed = buffer.slice();
    const broken = sealed.slice();
    broken[512 * 9 + 100] ^= 1;
    const before = broken.slice();
    expect(refusal(() => cipher.decryptPages(broken, options))).toBe('Error: invalid tag');
    expectBytes(broken, before, 'what was refused');
    expect(refusal(() => cipher.decryptPages(sealed.slice(), { pageSize: 512, first: 1 }))).toBe('Error: invalid tag');
    expect(cipher.decryptPages(buffer, options)).toBe(buffer);
    for (let i = 0; i < 10; i++) {
      expectBytes(content(buffer, i), content(pages, i), `page ${i}, back`);
      expectBytes(buffer.subarray(512 * (i + 1) - SPARE, 512 * (i + 1)), new Uint8Array(SPARE), `page ${i}, behind`);
    }
  });

  it('refuses a page that was changed anywhere, or is at another place, before it writes', () => {
    const sealed = cipher.encrypt(sample(100, 5), 6);
    const out = untouched(100);
    for (let at = 0; at < 100; at++) {
      const changed = sealed.slice();
      changed[at] ^= 0x10;
      expect(
        refusal(() => cipher.decrypt(changed, 6, out)),
        `byte ${at}`,
      ).toBe('Error: invalid tag');
    }
    for (const number of [0, 7, 6n + 2n ** 32n])
      expect(refusal(() => cipher.decrypt(sealed, number, out))).toBe('Error: invalid tag');
    expect(refusal(() => authenticatedPages(xchacha20poly1305, sample(32, 9)).decrypt(sealed, 6, out))).toBe(
      'Error: invalid tag',
    );
    expectBytes(out, untouched(100), 'out');
  });

  describe('a generator of random numbers', () => {
    afterEach(() => void Reflect.deleteProperty(crypto, 'getRandomValues'));
    const original = crypto.getRandomValues.bind(crypto);
    /**
     * At its n-th call the generator does something else. The global object stays the same: JavaScriptCore's compiled code may
     * go on with the old one.
     */
    const generator = (at: number, work: () => void): void => {
      let calls = 0;
      const getRandomValues = (bytes: Uint8Array<ArrayBuffer>): Uint8Array =>
        ++calls === at ? (work(), bytes) : original(bytes);
      Object.defineProperty(crypto, 'getRandomValues', { value: getRandomValues, configurable: true });
    };
    const broken = (): never => {
      throw new Error('no entropy');
    };

    it.each([1, 2, 3])('that throws at call %i: nothing is written', (at) => {
      // The generator is asked for at most 65,536 bytes at a time: three calls.
      const pages = sample(7000 * 41, 8);
      const buffer = pages.slice();
      generator(at, broken);
      expect(refusal(() => cipher.encryptPages(buffer, { pageSize: 41 }))).toBe('Error: no entropy');
      expectBytes(buffer, pages, 'the pages');
    });

    it('that throws for one page: nothing is written', () => {
      const page = sample(512, 8);
      generator(1, broken);
      expect(refusal(() => cipher.encrypt(page, 0, page))).toBe('Error: no entropy');
      expectBytes(page, sample(512, 8), 'the page');
    });

    it('that takes the buffers away, or destroys the cipher', () => {
      const resizable = (): Uint8Array<ArrayBuffer> => new Uint8Array(new ArrayBuffer(1024, { maxByteLength: 1024 }));
      const shrunk = (name: string): string =>
        `RangeError: "${name}" expected Uint8Array of length 1024, got length=100`;
      const buffer = resizable();
      generator(1, () => buffer.buffer.resize(100));
      expect(refusal(() => cipher.encryptPages(buffer, { pageSize: 512 }))).toBe(shrunk('buffer'));
      const page = resizable();
      generator(1, () => page.buffer.resize(100));
      expect(refusal(() => cipher.encrypt(page, 1))).toBe(shrunk('page'));
      const out = resizable();
      generator(1, () => out.buffer.resize(100));
      expect(refusal(() => cipher.encrypt(sample(1024, 9), 1, out))).toBe(shrunk('out'));
      for (const bytes of [buffer, page, out]) expectBytes(bytes, new Uint8Array(100), 'what is left');
      const gone = authenticatedPages(xchacha20poly1305, key);
      const pages = sample(1024, 9);
      generator(1, () => gone.destroy());
      expect(refusal(() => gone.encryptPages(pages, { pageSize: 512 }))).toBe(
        'Error: cannot use a cipher after destroy()',
      );
      expectBytes(pages, sample(1024, 9), 'the pages');
    });
  });

  describe('errors', () => {
    const given = <T>(value: unknown): T => value as T;
    const page = sample(512, 6);
    it.each([
      [
        () => authenticatedPages(xchacha20poly1305, key.subarray(1)),
        'RangeError: "key" expected Uint8Array of length 32, got length=31',
      ],
      [
        () => authenticatedPages(chacha20poly1305 as PageAead, key),
        'RangeError: "cipher" expected nonceLength=24 and tagLength=16, got nonceLength=12 and tagLength=16',
      ],
      [() => authenticatedPages(given(key), key), 'TypeError: "cipher" expected function, got type=Uint8Array'],
      [() => cipher.encrypt(page.subarray(0, 39), 1), 'RangeError: "page" expected length >= 40, got length=39'],
      [() => cipher.decrypt(given({}), 1), 'TypeError: "page" expected Uint8Array, got type=Object'],
      [() => cipher.encrypt(page, given('1')), 'TypeError: "number" expected integer, got type=string'],
      [
        () => cipher.encrypt(page, -1),
        'RangeError: "number" expected integer from 0 to 2^64 - 1 (above 2^53 - 1 a bigint), got -1',
      ],
      [
        () => cipher.decrypt(page, 1, page.subarray(1)),
        'RangeError: "out" expected Uint8Array of length 512, got length=511',
      ],
      [() => cipher.encryptPages(page, { pageSize: 39 }), 'RangeError: "pageSize" expected integer from 40 up, got 39'],
      [
        () => cipher.decryptPages(page, { pageSize: 500 }),
        'RangeError: "buffer" expected whole pages of 500 bytes, got length=512',
      ],
      [
        () => cipher.encryptPages(page, { pageSize: 256, first: 2n ** 64n - 1n }),
        'RangeError: "first" too large: page 2 of 2 would have a number ≥ 2^64',
      ],
    ])('%o', (work, message) => {
      const before = page.slice();
      expect(refusal(work)).toBe(message);
      expectBytes(page, before, 'the page');
    });

    it('after destroy', () => {
      const gone = authenticatedPages(xchacha20poly1305, key);
      gone.destroy();
      for (const work of [
        () => gone.encrypt(page, 1),
        () => gone.decrypt(page, 1),
        () => gone.encryptPages(page, { pageSize: 512 }),
        () => gone.decryptPages(page, { pageSize: 512 }),
      ])
        expect(refusal(work)).toBe('Error: cannot use a cipher after destroy()');
    });
  });
});
