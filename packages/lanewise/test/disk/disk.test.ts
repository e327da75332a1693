/** Pages beyond known answers: tweaks by name, many pages, parts, overlaps, errors, and the memory that calls leave. */
import { beforeEach, describe, expect, it } from 'vitest';
import { diskInstance } from '../../src/disk/binding.ts';
import { adiantum, hpolyc, type PagesOptions, type Tweak } from '../../src/disk.ts';
import { select } from '../../src/engine.ts';
import { STAGE, STAGE_BYTES, MIDDLE } from '../../src/disk/map.ts';
import {
  atOffset,
  concat,
  detached,
  expectBytes,
  guarded,
  liar,
  refusal,
  sample,
  untouched,
} from '../support/bytes.ts';
import { engines, onEachEngine } from '../support/engines.ts';

const key = sample(32, 1);
const makers = { adiantum, hpolyc };
const names = ['adiantum', 'hpolyc'] as const;

/** A number of 64 bits, little-endian, and zeros after it. */
function numberTweak(value: bigint, length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  new DataView(bytes.buffer).setBigUint64(0, value, true);
  return bytes;
}
const nonce = sample(16, 2);
const presets: readonly { tweak: Tweak; of: (page: bigint, pageSize: number) => Uint8Array }[] = [
  { tweak: 'dm-crypt', of: (page, size) => numberTweak(page * BigInt(size / 512), 32) },
  { tweak: 'dm-crypt-large', of: (page) => numberTweak(page, 32) },
  { tweak: 'offset64', of: (page, size) => numberTweak(page * BigInt(size), 8) },
  { tweak: 'index64', of: (page) => numberTweak(page, 8) },
  { tweak: { fscrypt: nonce }, of: (page) => concat(numberTweak(page, 8), nonce, new Uint8Array(8)) },
  { tweak: (page) => sample(21, Number(page % 1000n)), of: (page) => sample(21, Number(page % 1000n)) },
];
const nameOf = (tweak: Tweak): string => (typeof tweak === 'string' ? tweak : typeof tweak);

onEachEngine(() => {
  describe.each(names)('%s', (name) => {
    const cipher = makers[name](key);
    const onePage = (page: Uint8Array, tweak: Uint8Array): Uint8Array => makers[name](key).encrypt(page, tweak);

    describe.each(presets)('tweaks: $tweak', ({ tweak, of }) => {
      it.each([
        [512, 5, 0],
        [512, 137, 2 ** 32 - 3],
        [4096, 17, 7n],
        [4096, 3, 2n ** 40n - 2n],
        [1024, 9, 2 ** 53 - 5],
        ...(tweak === 'dm-crypt'
          ? []
          : ([
              [16, 300, 1],
              [100, 40, 2 ** 20],
              [4112, 16, 3],
              [40_000, 3, 9],
            ] as const)),
        // The stage has no room for two pages.
        [66_048, 2, 5],
      ] as const)('pages of %i bytes, %i of them, from %d on', (pageSize, count, first) => {
        const pages = sample(pageSize * count, 3);
        const expected = concat(
          ...Array.from({ length: count }, (_, i) =>
            onePage(pages.slice(pageSize * i, pageSize * (i + 1)), of(BigInt(first) + BigInt(i), pageSize)),
          ),
        );
        const buffer = pages.slice();
        expect(cipher.encryptPages(buffer, { pageSize, first, tweak })).toBe(buffer);
        expectBytes(buffer, expected, nameOf(tweak));
        expect(cipher.decryptPages(buffer, { pageSize, first, tweak })).toBe(buffer);
        expectBytes(buffer, pages, `${nameOf(tweak)}, back`);
      });
    });

    it('the last page numbers', () => {
      const page = sample(512, 4);
      const last = 2n ** 64n - 1n;
      for (const [tweak, first] of [
        ['dm-crypt', last],
        ['offset64', last / 512n],
      ] as const) {
        const buffer = concat(page, page);
        cipher.encryptPages(buffer, { pageSize: 512, first: first - 1n, tweak });
        const number = tweak === 'dm-crypt' ? last : (last / 512n) * 512n;
        expectBytes(
          buffer.subarray(512),
          onePage(page, numberTweak(number, tweak === 'dm-crypt' ? 32 : 8)),
          `the last of ${tweak}`,
        );
        const before = buffer.slice();
        expect(refusal(() => cipher.encryptPages(buffer, { pageSize: 512, first, tweak }))).toBe(
          'RangeError: "first" too large: page 2 of 2 would have a tweak ≥ 2^64',
        );
        expect(refusal(() => cipher.encryptPages(buffer, { pageSize: 512, first: first + 1n, tweak }))).toMatch(
          tweak === 'dm-crypt' ? /^RangeError: "first" expected integer/ : /page 1 of 2 would have a tweak/,
        );
        expectBytes(buffer, before, 'what was refused');
      }
    });

    it.each([16, 17, 31, 100, 512, 4096, 65_536, 65_537, 200_000])('out overlaps a page of %i bytes', (length) => {
      const page = sample(length, 5);
      const tweak = sample(12, 6);
      const expected = cipher.encrypt(page, tweak);
      for (const distance of [0, 1, 13, length - 1].filter((n) => n < length))
        for (const back of [false, true]) {
          const room = new Uint8Array(length + distance);
          const [from, to] = back ? [distance, 0] : [0, distance];
          room.set(page, from);
          const out = room.subarray(to, to + length);
          expect(cipher.encrypt(room.subarray(from, from + length), tweak, out)).toBe(out);
          expectBytes(out, expected, `${distance} bytes ${back ? 'before' : 'behind'}`);
        }
      const { out, check } = guarded(length, 3);
      cipher.decrypt(expected, tweak, out);
      expectBytes(out, page, 'back');
      check('decrypt');
    });

    it('takes views, liars and shared memory', () => {
      const page = sample(1000, 7);
      const tweak = sample(9, 8);
      const expected = cipher.encrypt(page, tweak);
      expectBytes(cipher.encrypt(atOffset(3, page), atOffset(5, tweak)), expected, 'views');
      expectBytes(cipher.encrypt(liar(page), liar(tweak)), expected, 'liars');
      expectBytes(cipher.encrypt(Buffer.from(page), Buffer.from(tweak)), expected, 'Buffers');
      const shared = new Uint8Array(new SharedArrayBuffer(3000));
      shared.set(page);
      shared.set(page, 1000);
      shared.set(page, 2000);
      cipher.encryptPages(shared, { pageSize: 1000, tweak: () => tweak });
      for (const at of [0, 1000, 2000]) expectBytes(shared.slice(at, at + 1000), expected, `shared, at ${at}`);
    });

    it('changes all of a page when any bit of it, of the tweak or of the key does', () => {
      const page = sample(600, 9);
      const tweak = sample(32, 10);
      const base = cipher.encrypt(page, tweak);
      const flipped = (bytes: Uint8Array, at: number): Uint8Array =>
        bytes.map((byte, i) => (i === at ? byte ^ 1 : byte));
      const others = [
        ...[0, 300, 599].map((at) => cipher.encrypt(flipped(page, at), tweak)),
        ...[0, 31].map((at) => cipher.encrypt(page, flipped(tweak, at))),
        cipher.encrypt(page, tweak.subarray(1)),
        makers[name](flipped(key, 31)).encrypt(page, tweak),
        makers[name](key, { rounds: 20 }).encrypt(page, tweak),
        ...[0, 300, 599].map((at) => cipher.decrypt(flipped(base, at), tweak)),
      ];
      others.forEach((other, i) => {
        const to = i < 8 ? base : page;
        // By chance one or two of 64 bytes in a row are the same; hardly ever ten.
        for (let at = 0; at + 64 <= 600; at += 64)
          expect(
            other.subarray(at, at + 64).filter((byte, j) => byte === to[at + j]).length,
            `${i} at ${at}`,
          ).toBeLessThan(10);
      });
    });

    it('goes on when the engine changes, and with copies of what it was given', () => {
      const own = key.slice();
      const lasting = makers[name](own, { rounds: 8 });
      own.fill(0);
      const expected = makers[name](key, { rounds: 8 }).encrypt(sample(100, 11), nonce);
      for (const engine of engines) {
        select(engine);
        expectBytes(lasting.encrypt(sample(100, 11), nonce), expected, engine);
      }
    });

    it('a function for tweaks may use the library, and may not take the pages away', () => {
      const pages = sample(2048, 12);
      const other = hpolyc(key);
      const expected = concat(...[0, 1, 2, 3].map((i) => onePage(pages.slice(512 * i, 512 * (i + 1)), sample(8, i))));
      const buffer = pages.slice();
      cipher.encryptPages(buffer, {
        pageSize: 512,
        tweak: (page) => {
          other.encrypt(sample(70, 1), nonce);
          return sample(8, Number(page));
        },
      });
      expectBytes(buffer, expected, 'a function that encrypts');
      const taken = pages.slice();
      const take = (): Uint8Array => {
        if (taken.buffer.byteLength) structuredClone(taken.buffer, { transfer: [taken.buffer] });
        return nonce;
      };
      expect(refusal(() => cipher.encryptPages(taken, { pageSize: 512, tweak: take }))).toMatch(/^TypeError: "buffer"/);
      const dying = makers[name](key);
      const kill = (): Uint8Array => {
        dying.destroy();
        return nonce;
      };
      expect(refusal(() => dying.encryptPages(pages.slice(), { pageSize: 512, tweak: kill }))).toBe(
        'Error: cannot use a cipher after destroy()',
      );
      const kept = pages.slice();
      const broken = (page: bigint): Uint8Array => {
        if (page === 3n) throw new Error('no more');
        return nonce;
      };
      expect(refusal(() => cipher.encryptPages(kept, { pageSize: 512, tweak: broken }))).toBe('Error: no more');
      expect(refusal(() => cipher.encryptPages(kept, { pageSize: 512, tweak: (n) => sample(Number(n) + 1) }))).toBe(
        'RangeError: "tweak" expected Uint8Array of length 1, got length=2',
      );
      expectBytes(kept, pages, 'what was refused');
    });

    it('no pages are no work', () => {
      const none = new Uint8Array(0);
      for (const { tweak } of presets) expect(cipher.encryptPages(none, { pageSize: 4096, tweak })).toBe(none);
    });

    it('refuses what is not of the form, before it writes', () => {
      const page = sample(512, 13);
      const out = untouched(512);
      const given = <T>(value: unknown): T => value as T;
      const pages = (options: unknown): string =>
        refusal(() => cipher.encryptPages(page, given<PagesOptions>(options)));
      const before = page.slice();
      expect(refusal(() => makers[name](key.subarray(1)))).toBe(
        'RangeError: "key" expected Uint8Array of length 32, got length=31',
      );
      expect(refusal(() => makers[name](given('k')))).toBe(
        'TypeError: "key" expected Uint8Array of length 32, got type=string; use hexToBytes, fromBase64, TextEncoder, or scrypt for a password',
      );
      expect(refusal(() => makers[name](key, given(8)))).toBe(
        'TypeError: "options" expected plain object { rounds }, got type=number',
      );
      expect(refusal(() => makers[name](key, { rounds: given(10) }))).toBe(
        'RangeError: "rounds" expected 8, 12 or 20, got 10',
      );
      expect(refusal(() => makers[name](key, { rounds: given('12') }))).toBe(
        'TypeError: "rounds" expected integer, got type=string',
      );
      for (const work of ['encrypt', 'decrypt'] as const) {
        expect(refusal(() => cipher[work](page.subarray(0, 15), nonce))).toBe(
          'RangeError: "page" expected length >= 16, got length=15',
        );
        expect(refusal(() => cipher[work](given([1]), nonce))).toBe(
          'TypeError: "page" expected Uint8Array, got type=Array',
        );
        expect(refusal(() => cipher[work](page, given(7)))).toBe(
          'TypeError: "tweak" expected Uint8Array, got type=number',
        );
        expect(refusal(() => cipher[work](page, sample(4097)))).toBe(
          'RangeError: "tweak" expected length <= 4096, got length=4097',
        );
        expect(refusal(() => cipher[work](page, nonce, out.subarray(1)))).toBe(
          'RangeError: "out" expected Uint8Array of length 512, got length=511',
        );
        expect(refusal(() => cipher[work](page, detached(8), out))).toMatch(/^TypeError: "tweak" expected Uint8Array/);
      }
      expect(pages(undefined)).toBe('TypeError: "pageSize" expected integer, got type=undefined');
      expect(pages({ pageSize: 15, tweak: 'index64' })).toBe(
        'RangeError: "pageSize" expected integer from 16 up, got 15',
      );
      expect(pages({ pageSize: 51.2, tweak: 'index64' })).toBe(
        'RangeError: "pageSize" expected integer from 16 up, got 51.2',
      );
      expect(pages({ pageSize: 500, tweak: 'index64' })).toBe(
        'RangeError: "buffer" expected whole pages of 500 bytes, got length=512',
      );
      expect(pages({ pageSize: 256, tweak: 'dm-crypt' })).toBe(
        'RangeError: "pageSize" expected whole sectors of 512 bytes with dm-crypt, got 256',
      );
      const wanted =
        'TypeError: "tweak" expected dm-crypt, dm-crypt-large, offset64, index64, function or plain object { fscrypt }, got';
      expect(pages({ pageSize: 512, tweak: 'plain64' })).toBe(`${wanted} plain64`);
      expect(pages({ pageSize: 512 })).toBe(`${wanted} type=undefined`);
      expect(pages({ pageSize: 512, tweak: nonce })).toBe(`${wanted} type=Uint8Array`);
      expect(pages({ pageSize: 512, tweak: { fscrypt: nonce.subarray(1) } })).toBe(
        'RangeError: "fscrypt" expected Uint8Array of length 16, got length=15',
      );
      expect(pages({ pageSize: 512, first: -1, tweak: 'index64' })).toBe(
        'RangeError: "first" expected integer from 0 to 2^64 - 1 (above 2^53 - 1 a bigint), got -1',
      );
      expect(pages({ pageSize: 512, first: '1', tweak: 'index64' })).toBe(
        'TypeError: "first" expected integer, got type=string',
      );
      expect(refusal(() => cipher.decryptPages(given('x'), { pageSize: 16, tweak: 'index64' }))).toBe(
        'TypeError: "buffer" expected Uint8Array, got type=string; use hexToBytes, fromBase64, TextEncoder, or scrypt for a password',
      );
      expectBytes(page, before, 'the page');
      expectBytes(out, untouched(512), 'out');
      const gone = makers[name](key);
      gone.destroy();
      for (const work of [
        () => gone.encrypt(page, nonce),
        () => gone.decrypt(page, nonce),
        () => gone.encryptPages(page, { pageSize: 16, tweak: 'index64' }),
        () => gone.decryptPages(page, { pageSize: 16, tweak: 'index64' }),
      ])
        expect(refusal(work)).toBe('Error: cannot use a cipher after destroy()');
    });

    it('what somebody put into Object.prototype is no option', () => {
      const prototype = Object.prototype as { rounds?: number };
      prototype.rounds = 20;
      try {
        expectBytes(makers[name](key, {}).encrypt(nonce, nonce), cipher.encrypt(nonce, nonce), 'the rounds');
      } finally {
        delete prototype.rounds;
      }
    });

    describe('memory', () => {
      /** Below MIDDLE there are constants. */
      const memoryOf = (): Uint8Array => diskInstance().memory.subarray(MIDDLE);
      /** Only the encrypted pages of the last call may stay: they are public. */
      function expectWiped(what: string, ciphertext = new Uint8Array(0), pageSize = 1): void {
        const memory = memoryOf();
        const data = memory.subarray(STAGE - MIDDLE);
        let left = data.length;
        while (left > 0 && data[left - 1] === 0) left--;
        const found = data.subarray(0, left);
        for (let from = 0; left > 0 && from < ciphertext.length; from += pageSize)
          if (Buffer.compare(found, ciphertext.subarray(from, from + left)) === 0) left = 0;
        if (ciphertext.length && left === 0) found.fill(0);
        expectBytes(memory, new Uint8Array(memory.length), what);
      }
      // Pages that earlier tests encrypted are public, too.
      beforeEach(() => void memoryOf().fill(0));

      it('is watched', () => {
        for (const at of [0, STAGE - MIDDLE, memoryOf().length - 1]) {
          memoryOf()[at] = 1;
          expect(() => {
            expectWiped('planted');
          }).toThrow('planted');
          memoryOf()[at] = 0;
        }
        expectWiped('taken away');
      });

      it.each([16, 17, 31, 32, 80, 100, 272, 512, 1040, 4096, 4100, STAGE_BYTES, STAGE_BYTES + 1, 140_000])(
        'holds nothing after a page of %i bytes',
        (length) => {
          const made = makers[name](key);
          expectWiped('a key');
          const page = sample(length, 14);
          const ciphertext = made.encrypt(page, nonce);
          expectWiped('encrypt', ciphertext, length);
          made.decrypt(ciphertext, nonce);
          expectWiped('decrypt');
          for (const { tweak } of presets.slice(2)) {
            const pages = concat(page, page, page);
            made.encryptPages(pages, { pageSize: length, tweak });
            expectWiped(`encryptPages, ${nameOf(tweak)}`, pages, length);
            made.decryptPages(pages, { pageSize: length, tweak });
            expectWiped(`decryptPages, ${nameOf(tweak)}`);
          }
        },
      );

      it('holds nothing when a call fails in the middle', () => {
        const kernel = diskInstance();
        const made = makers[name](key);
        const page = sample(4096, 15);
        for (const [fails, work] of [
          ['pages', () => made.encrypt(page, nonce)],
          ['pages', () => made.encryptPages(page.slice(), { pageSize: 512, tweak: 'index64' })],
          ['derive', () => makers[name](key)],
          ['turn', () => made.encrypt(sample(70_000), nonce)],
        ] as const) {
          const { run } = kernel;
          const broken = new Error('planted');
          const failing = {
            ...run,
            [fails]: () => {
              throw broken;
            },
          };
          Object.defineProperty(kernel, 'run', { value: failing, configurable: true, writable: true });
          try {
            expect(work).toThrow(broken);
          } finally {
            Object.defineProperty(kernel, 'run', { value: run, configurable: true, writable: true });
          }
          expectWiped(`${fails} failed`);
        }
      });
    });
  });
});
