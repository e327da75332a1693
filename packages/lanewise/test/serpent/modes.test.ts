/** Serpent's modes beyond known answers: counters, padding, overlaps, parts, many messages, errors, and wiped memory. */
import { beforeAll, describe, expect, it } from 'vitest';
import { STAGE_BYTES, PAGES } from '../../src/serpent/map.ts';
import { cbc, ctr, ctrLittleEndian, ecb, managedNonce, ocb } from '../../src/serpent.ts';
import { serpentCtrInstance } from '../../src/serpent/ctr-binding.ts';
import { serpentInstance } from '../../src/serpent/binding.ts';
import { concat, expectBytes, refusal, sample, untouched } from '../support/bytes.ts';
import { onEachEngine } from '../support/engines.ts';
import { ocbByTheBook, xor } from '../support/serpent.ts';

const key = sample(32, 1);
const iv = sample(16, 2);
const nonce = sample(15, 3);
const raw = { disablePadding: true };
/** Around blocks, sets, groups, and the stage. */
const LENGTHS = [
  0,
  1,
  15,
  16,
  17,
  63,
  64,
  65,
  255,
  256,
  257,
  1000,
  STAGE_BYTES - 1,
  STAGE_BYTES,
  STAGE_BYTES + 1,
  250_000,
];
const block = (bytes: Uint8Array): Uint8Array => ecb(key, raw).encrypt(bytes);
const bigEndian = (n: bigint): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.from(n.toString(16).padStart(32, '0'), 'hex'));

onEachEngine(() => {
  describe('CTR', () => {
    it.each([0n, 2n ** 32n - 3n, 2n ** 64n - 2n, 2n ** 96n - 18n, 2n ** 127n - 7n])('counts past %d', (first) => {
      const data = sample(40 * 16 + 5, 4);
      const keystream = Array.from({ length: 41 }, (_, i) => bigEndian(first + BigInt(i)));
      const big = concat(...keystream.map(block)).subarray(0, data.length);
      expectBytes(ctr(key, bigEndian(first)).encrypt(data), xor(data, big), 'big-endian');
      const little = concat(...keystream.map((counter) => block(counter.slice().reverse()))).subarray(0, data.length);
      expectBytes(ctrLittleEndian(key, bigEndian(first).reverse()).encrypt(data), xor(data, little), 'little-endian');
    });

    it.each([1, 3, 4, 17, 300])('ends after the last of %i counters', (blocks) => {
      const first = bigEndian(2n ** 128n - BigInt(blocks));
      const data = sample(16 * blocks, 5);
      for (const [cipher, start] of [
        [ctr, first],
        [ctrLittleEndian, first.slice().reverse()],
      ] as const) {
        const encrypted = cipher(key, start).encrypt(data);
        const last = block(new Uint8Array(16).fill(255));
        expectBytes(xor(encrypted.subarray(-16), data.subarray(-16)), last, 'the last block');
        const out = untouched(data.length + 1);
        expect(refusal(() => cipher(key, start).encrypt(new Uint8Array(data.length + 1), out))).toBe(
          `RangeError: "plaintext" expected at most ${blocks} blocks of 16 bytes up to the counter's end, got length=${data.length + 1}`,
        );
        expectBytes(out, untouched(data.length + 1), 'out');
      }
    });
  });

  describe('padding', () => {
    it.each([...Array.from({ length: 18 }, (_, n) => n), STAGE_BYTES - 3, STAGE_BYTES, STAGE_BYTES + 5])(
      '%i bytes',
      (length) => {
        const data = sample(length, 6);
        const count = 16 - (length % 16);
        const padded = concat(data, new Uint8Array(count).fill(count));
        expectBytes(ecb(key).encrypt(data), ecb(key, raw).encrypt(padded), 'ECB');
        expectBytes(cbc(key, iv).encrypt(data), cbc(key, iv, raw).encrypt(padded), 'CBC');
        expectBytes(ecb(key).decrypt(ecb(key, raw).encrypt(padded)), data, 'ECB back');
        expectBytes(cbc(key, iv).decrypt(cbc(key, iv, raw).encrypt(padded)), data, 'CBC back');
      },
    );

    it.each([16, 32, STAGE_BYTES + 16])('wrong in %i bytes: nothing is written', (length) => {
      const ends = [
        [0],
        [17],
        [255],
        [1, 2],
        [3, 2, 3],
        [...Array<number>(15).fill(15).with(0, 16)],
        [0, ...Array<number>(15).fill(16)],
      ];
      for (const end of ends) {
        const wrong = sample(length, 7);
        wrong.set(end, length - end.length);
        const out = untouched(length);
        expect(refusal(() => cbc(key, iv).decrypt(cbc(key, iv, raw).encrypt(wrong), out))).toBe(
          'Error: invalid padding',
        );
        expect(refusal(() => ecb(key).decrypt(ecb(key, raw).encrypt(wrong), out))).toBe('Error: invalid padding');
        expectBytes(out, untouched(length), 'out');
      }
    });

    it('decrypts into the front of `out`, and leaves the rest', () => {
      const data = sample(37, 8);
      const out = untouched(48);
      const plaintext = cbc(key, iv).decrypt(cbc(key, iv).encrypt(data), out);
      expect(plaintext.buffer).toBe(out.buffer);
      expectBytes(plaintext, data, 'plaintext');
      expectBytes(out.subarray(37), untouched(48).subarray(37), 'the rest');
    });
  });

  it('CBC is what it says, and decrypts every block with the one before', () => {
    const data = sample(16 * 50, 9);
    let before: Uint8Array = iv;
    const blocks = Array.from(
      { length: 50 },
      (_, i) => (before = block(xor(data.subarray(16 * i, 16 * i + 16), before))),
    );
    expectBytes(cbc(key, iv, raw).encrypt(data), concat(...blocks), 'encrypted');
    expectBytes(cbc(key, iv, raw).decrypt(concat(...blocks)), data, 'decrypted');
  });

  it('OCB is what RFC 7253 says, with nonces of all lengths and all first offsets', () => {
    for (let n = 1; n < 16; n++)
      for (const length of [0, 5, 16, 300]) {
        const [short, aad, data] = [sample(n, 10 + n), sample(7 * n, 11), sample(length, 12)];
        expectBytes(ocb(key, short, aad).encrypt(data), ocbByTheBook(block, short, aad, data), `${n}, ${length}`);
      }
    for (let bottom = 0; bottom < 64; bottom++) {
      const last = new Uint8Array([bottom]);
      expectBytes(ocb(key, last).encrypt(last), ocbByTheBook(block, last, new Uint8Array(0), last), `bottom ${bottom}`);
    }
  });

  it('OCB over many groups has the offsets of all of them', () => {
    const data = sample(70_000, 13);
    expectBytes(ocb(key, nonce).encrypt(data), ocbByTheBook(block, nonce, new Uint8Array(0), data), '70000 bytes');
  });

  it.each(LENGTHS)('%i bytes, overlapping in every way', (length) => {
    const data = sample(length, 14);
    const whole = length & -16;
    const calls: [string, Uint8Array, (input: Uint8Array, out?: Uint8Array) => Uint8Array][] = [
      ['ctr', data, (input, out) => ctr(key, iv).encrypt(input, out)],
      ['cbc', data, (input, out) => cbc(key, iv).encrypt(input, out)],
      ['ecb', data, (input, out) => ecb(key).encrypt(input, out)],
      ['cbc back', data.subarray(0, whole), (input, out) => cbc(key, iv, raw).decrypt(input, out)],
      ['ecb back', data.subarray(0, whole), (input, out) => ecb(key, raw).decrypt(input, out)],
      ['ocb', data, (input, out) => ocb(key, nonce, iv).encrypt(input, out)],
      ['ocb back', ocb(key, nonce, iv).encrypt(data), (input, out) => ocb(key, nonce, iv).decrypt(input, out)],
    ];
    for (const [name, input, call] of calls) {
      const expected = call(input);
      for (const ahead of [-40, -16, -1, 0, 1, 16, 40]) {
        const room = new Uint8Array(length + 200);
        const from = room.subarray(64, 64 + input.length);
        from.set(input);
        const out = room.subarray(64 + ahead, 64 + ahead + expected.length);
        expectBytes(call(from, out), expected, `${name}, ${ahead} ahead`);
      }
    }
  });

  it.each([0, 100, STAGE_BYTES + 33])('OCB refuses forgeries of %i bytes and writes nothing', (length) => {
    const data = sample(length, 15);
    const sealed = ocb(key, nonce, iv).encrypt(data);
    const out = untouched(length);
    const forged = (at: number): Uint8Array => {
      const wrong = sealed.slice();
      wrong[at] ^= 1;
      return wrong;
    };
    for (const wrong of [forged(0), forged(sealed.length - 1), forged(sealed.length >> 1)]) {
      expect(refusal(() => ocb(key, nonce, iv).decrypt(wrong))).toBe('Error: invalid tag');
      expect(refusal(() => ocb(key, nonce, iv).decrypt(wrong, out))).toBe('Error: invalid tag');
    }
    expect(refusal(() => ocb(key, nonce, iv.subarray(1)).decrypt(sealed, out))).toBe('Error: invalid tag');
    expect(refusal(() => ocb(key, nonce.subarray(1), iv).decrypt(sealed, out))).toBe('Error: invalid tag');
    expectBytes(out, untouched(length), 'out');
    expectBytes(ocb(key, nonce, iv).decrypt(sealed, out), data, 'the right one');
  });

  it('OCB with tags apart, in parts too, and with much additional data', () => {
    for (const length of [0, 20, STAGE_BYTES + 20])
      for (const aad of [new Uint8Array(0), sample(2000, 16), sample(STAGE_BYTES + 3, 17)]) {
        const data = sample(length, 18);
        const { ciphertext, tag } = ocb(key, nonce, aad).encryptDetached(data);
        expectBytes(concat(ciphertext, tag), ocb(key, nonce, aad).encrypt(data), `${length} bytes`);
        expectBytes(ocb(key, nonce, aad).decryptDetached(ciphertext, tag), data, `${length} bytes back`);
      }
  });

  it('encryptMany gives what one call for each gives', () => {
    const lengths = [...Array.from({ length: 40 }, (_, i) => (i * 37) % 300), 0, 20_000, 16, 7680, 7679, 7681];
    const texts = lengths.map((length, i) => sample(length, 20 + i));
    const ivs = lengths.map((_, i) => sample(16, 100 + i));
    cbc.encryptMany(key, ivs, texts).forEach((ciphertext, i) => {
      expectBytes(ciphertext, cbc(key, ivs[i]).encrypt(texts[i]), `message ${i}`);
    });
    const whole = texts.map((text) => text.subarray(0, text.length & -16));
    cbc.encryptMany(key, ivs, whole, raw).forEach((ciphertext, i) => {
      expectBytes(ciphertext, cbc(key, ivs[i], raw).encrypt(whole[i]), `message ${i}`);
    });
    expect(cbc.encryptMany(key, [], [])).toEqual([]);
  });

  it('managedNonce', () => {
    const box = managedNonce(ocb)(key, iv);
    const message = box.encrypt(sample(99, 30));
    expect(message).toHaveLength(15 + 99 + 16);
    expectBytes(box.decrypt(message), sample(99, 30), 'plaintext');
  });

  describe('errors', () => {
    it.each([0, 1, 15, 17, 23, 25, 31, 33, 64])('a key of %i bytes', (length) => {
      const wrong = `RangeError: "key" expected Uint8Array of length 16, 24 or 32, got length=${length}`;
      const short = new Uint8Array(length);
      expect(refusal(() => ecb(short))).toBe(wrong);
      expect(refusal(() => cbc(short, iv))).toBe(wrong);
      expect(refusal(() => ctr(short, iv))).toBe(wrong);
      expect(refusal(() => ocb(short, nonce))).toBe(wrong);
      expect(refusal(() => cbc.encryptMany(short, [], []))).toBe(wrong);
    });
    it('nonces, blocks and tags', () => {
      for (const length of [0, 16, 24])
        expect(refusal(() => ocb(key, new Uint8Array(length)))).toBe(
          `RangeError: "nonce" expected Uint8Array of length 1 to 15, got length=${length}`,
        );
      const part = new Uint8Array(17);
      expect(refusal(() => ecb(key, raw).encrypt(part))).toBe(
        'RangeError: "plaintext" expected whole blocks of 16 bytes, got length=17',
      );
      expect(refusal(() => cbc(key, iv).decrypt(part))).toBe(
        'RangeError: "ciphertext" expected whole blocks of 16 bytes, got length=17',
      );
      expect(refusal(() => cbc(key, iv).decrypt(new Uint8Array(0)))).toBe(
        'RangeError: "ciphertext" expected length >= blockSize=16, got length=0',
      );
      expect(refusal(() => ocb(key, nonce).decrypt(new Uint8Array(15)))).toBe(
        'Error: "ciphertext" expected length >= tagLength=16, got length=15',
      );
    });
    it('options', () => {
      expect(refusal(() => ecb(key, null as never))).toBe(
        'TypeError: "options" expected plain object { disablePadding }, got type=null',
      );
      expect(refusal(() => cbc(key, iv, { disablePadding: 1 as never }))).toBe(
        'TypeError: "disablePadding" expected boolean, got type=number',
      );
    });
    it('lists', () => {
      expect(refusal(() => cbc.encryptMany(key, {} as never, []))).toBe(
        'TypeError: "ivs" expected array, got type=Object',
      );
      expect(refusal(() => cbc.encryptMany(key, [iv], []))).toBe(
        'RangeError: "ivs" expected array of length 0, got length=1',
      );
      expect(refusal(() => cbc.encryptMany(key, [nonce], [iv]))).toBe(
        'RangeError: "ivs[0]" expected Uint8Array of length 16, got length=15',
      );
      expect(refusal(() => cbc.encryptMany(key, [iv], [nonce], raw))).toBe(
        'RangeError: "plaintexts[0]" expected whole blocks of 16 bytes, got length=15',
      );
      expect(refusal(() => cbc.encryptMany(key, [iv], ['x' as never]))).toBe(
        'TypeError: "plaintexts[0]" expected Uint8Array, got type=string; use hexToBytes, fromBase64, TextEncoder, or scrypt for a password',
      );
    });
    it('objects that are used up', () => {
      const box = ocb(key, nonce);
      box.encrypt(iv);
      expect(refusal(() => box.encrypt(iv))).toBe(
        'Error: cannot encrypt() twice with same key + nonce: make another object with a fresh nonce',
      );
      for (const cipher of [ocb(key, nonce), ctr(key, iv), cbc(key, iv), ecb(key)]) {
        cipher.destroy();
        expect(refusal(() => cipher.encrypt(iv))).toBe('Error: cannot use a cipher after destroy()');
        expect(refusal(() => cipher.decrypt(iv))).toBe('Error: cannot use a cipher after destroy()');
      }
    });
    it.each([
      ['ctr', () => ctr(key, iv), 'counter'],
      ['ctrLittleEndian', () => ctrLittleEndian(key, iv), 'counter'],
      ['cbc', () => cbc(key, iv), 'IV'],
      ['cbc without padding', () => cbc(key, iv, raw), 'IV'],
    ] as const)('%s encrypts once, and decrypts as often as one likes', (_, make, name) => {
      const data = sample(96, 32);
      const ciphertext = make().encrypt(data);
      const it = make();
      expectBytes(it.decrypt(ciphertext), data, 'before');
      // A refused call does not use up the object.
      expect(refusal(() => it.encrypt('data' as never))).toMatch(/^TypeError: /);
      expect(refusal(() => it.encrypt(data, new Uint8Array(1)))).toMatch(/^RangeError: /);
      expectBytes(it.encrypt(data), ciphertext, 'once');
      const out = untouched(ciphertext.length);
      for (const again of [data, data.subarray(0, 16), new Uint8Array(0)])
        expect(refusal(() => it.encrypt(again, out.subarray(0, again.length)))).toBe(
          `Error: cannot encrypt() twice with same key + ${name}: make another object with a fresh ${name}`,
        );
      expectBytes(out, untouched(ciphertext.length), 'out');
      for (let i = 0; i < 3; i++) expectBytes(it.decrypt(ciphertext), data, 'after');
    });
    it('ecb has nothing that could be used twice', () => {
      const it = ecb(key);
      expectBytes(it.encrypt(iv), it.encrypt(iv), 'twice');
    });
    it('encryptMany takes no IV twice', () => {
      const ivs = Array.from({ length: 1000 }, (_, i) => sample(16, 200 + i));
      const texts = ivs.map(() => iv);
      expect(cbc.encryptMany(key, ivs, texts)).toHaveLength(1000);
      for (const [first, second] of [
        [0, 1],
        [0, 999],
        [17, 500],
        [998, 999],
      ]) {
        const repeated = ivs.slice();
        repeated[second] = ivs[first].slice();
        expect(refusal(() => cbc.encryptMany(key, repeated, texts))).toBe(
          `Error: cannot encrypt two messages with same key + IV: ivs[${first}] and ivs[${second}] are equal`,
        );
      }
      // Each differs from `iv` in one byte, many in the same place.
      const near = Array.from({ length: 16 * 255 }, (_, i) => {
        const other = iv.slice();
        other[i >> 8] ^= 1 + (i % 255);
        return other;
      });
      const distinct = [...new Map(near.map((other) => [Buffer.from(other).toString('hex'), other])).values()];
      expect(distinct.length).toBeGreaterThan(3000);
      expect(cbc.encryptMany(key, distinct, distinct)).toHaveLength(distinct.length);
    });
    it('keys and nonces are copied', () => {
      const [ownKey, ownIv, aad] = [key.slice(), iv.slice(), sample(5, 31)];
      const ciphers = [ctr(ownKey, ownIv), cbc(ownKey, ownIv), ecb(ownKey), ocb(ownKey, ownIv.subarray(1), aad)];
      const expected = [ctr(key, iv), cbc(key, iv), ecb(key), ocb(key, iv.subarray(1), aad.slice())];
      [ownKey, ownIv, aad].forEach((bytes) => bytes.fill(0));
      ciphers.forEach((cipher, i) => {
        expectBytes(cipher.encrypt(nonce), expected[i].encrypt(nonce), `cipher ${i}`);
      });
    });
  });

  describe('memory', () => {
    let memories: Uint8Array[];
    beforeAll(() => (memories = [serpentInstance().memory, serpentCtrInstance().memory]));
    const zeros = new Uint8Array(PAGES * 65536);
    const expectWiped = (what: string): void => {
      for (const memory of memories) expectBytes(memory, zeros, what);
    };
    it('is watched', () => {
      for (const memory of memories) {
        memory[memory.length - 1] = 1;
        expect(() => {
          expectWiped('planted');
        }).toThrow('planted');
        memory[memory.length - 1] = 0;
        expectWiped('taken away');
      }
    });
    it.each(LENGTHS)('holds nothing after %i bytes', (length) => {
      const data = sample(length, 32);
      for (const k of [key, key.subarray(0, 16), key.subarray(0, 24)]) {
        ctr(k, iv).encrypt(data);
        expectWiped('CTR');
        const chained = cbc(k, iv).encrypt(data);
        expectWiped('CBC');
        cbc(k, iv).decrypt(chained);
        expectWiped('CBC back');
        const blocks = ecb(k).encrypt(data);
        expectWiped('ECB');
        ecb(k).decrypt(blocks);
        expectWiped('ECB back');
        for (const aad of [undefined, data]) {
          const sealed = ocb(k, nonce, aad).encrypt(data);
          expectWiped('OCB');
          ocb(k, nonce, aad).decrypt(sealed);
          expectWiped('OCB back');
          ocb(k, nonce, aad).encryptDetached(data);
          expectWiped('OCB, tag apart');
          sealed[length] ^= 1;
          expect(refusal(() => ocb(k, nonce, aad).decrypt(sealed))).toBe('Error: invalid tag');
          expectWiped('OCB, a forgery');
        }
        chained[chained.length - 17] ^= 1;
        refusal(() => cbc(k, iv).decrypt(chained));
        expectWiped('CBC, wrong padding');
      }
      cbc.encryptMany(key, [iv, sample(16, 36)], [data, data.subarray(length >> 1)]);
      expectWiped('encryptMany');
    });
  });
});
