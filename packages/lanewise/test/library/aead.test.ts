/** The AEADs as objects: refused calls, repeated calls, and the functions around them. */
import { createCipheriv } from 'node:crypto';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { chacha20, chacha20poly1305, managedNonce, xchacha20poly1305, type Aead } from '../../src/chacha.ts';
import { select } from '../../src/engine.ts';
import { STAGE_BYTES } from '../../src/keystream/map.ts';
import { bytesToHex, clean, equalBytes, hexToBytes, isBytes, randomBytes } from '../../src/utils.ts';
import { concat, detached, expectBytes, hex, range, refusal, sample, untouched } from '../support/bytes.ts';
import { engines, onEachEngine } from '../support/engines.ts';
import * as oracles from '../support/oracles.ts';

const key = sample(32, 41);
const aad = sample(33, 42);
const data = sample(STAGE_BYTES + 1000, 43);
const ciphers = [
  { name: 'chacha20poly1305', cipher: chacha20poly1305, nonce: sample(12, 44) },
  { name: 'xchacha20poly1305', cipher: xchacha20poly1305, nonce: sample(24, 45) },
];

/** Each bit of some bytes, one at a time. */
function* flips(bytes: Uint8Array, positions: readonly number[]): Generator<Uint8Array> {
  for (const position of positions)
    for (let bit = 0; bit < 8; bit++) {
      const flipped = bytes.slice();
      flipped[position] ^= 1 << bit;
      yield flipped;
    }
}

onEachEngine(() => {
  describe.each(ciphers)('$name', ({ cipher, nonce }) => {
    const box = (): Aead => cipher(key, nonce, aad);

    // One block, the single pass, the woven loop, and messages in parts.
    describe.each([0, 1, 64, 100, 600, 2100, STAGE_BYTES + 100])('%i bytes', (length) => {
      const plaintext = data.subarray(0, length);
      const sealed = oracles.seal(key, nonce, aad, plaintext);
      const [ciphertext, tag] = [sealed.subarray(0, length), sealed.subarray(length)];
      const expectInvalid = (open: () => unknown): void => expect(refusal(open)).toBe('Error: invalid tag');
      const some = [0, 15, 16, 63, 64, 511, 512, 1024, STAGE_BYTES - 1, STAGE_BYTES, length - 1];

      test('every bit of the tag counts', () => {
        for (const wrong of flips(tag, range(0, 16))) {
          expectInvalid(() => box().decrypt(concat(ciphertext, wrong)));
          expectInvalid(() => box().decryptDetached(ciphertext, wrong));
        }
        for (const wrong of [new Uint8Array(16), tag.toReversed(), untouched(16)])
          expectInvalid(() => box().decryptDetached(ciphertext, wrong));
      });

      test('so do those of ciphertext, additional data, nonce and key', () => {
        for (const wrong of flips(
          ciphertext,
          [...new Set(some)].filter((i) => i >= 0 && i < length),
        ))
          expectInvalid(() => box().decryptDetached(wrong, tag));
        for (const wrong of flips(aad, [0, 15, 16, 32])) expectInvalid(() => cipher(key, nonce, wrong).decrypt(sealed));
        for (const wrong of flips(nonce, range(0, nonce.length))) {
          expectInvalid(() => cipher(key, wrong, aad).decrypt(sealed));
        }
        for (const wrong of flips(key, range(0, 32))) expectInvalid(() => cipher(wrong, nonce, aad).decrypt(sealed));
      });

      test('and lengths: of ciphertext, of additional data, and where one ends and the other starts', () => {
        if (length) expectInvalid(() => box().decrypt(sealed.subarray(1)));
        if (length) expectInvalid(() => box().decryptDetached(ciphertext.subarray(0, -1), tag));
        expectInvalid(() => box().decryptDetached(concat(ciphertext, Uint8Array.of(0)), tag));
        for (const wrong of [aad.subarray(1), aad.subarray(0, 32), concat(aad, Uint8Array.of(0)), new Uint8Array(0)])
          expectInvalid(() => cipher(key, nonce, wrong).decrypt(sealed));
        expectInvalid(() => cipher(key, nonce).decrypt(sealed));
        // 48 bytes with their padding either way.
        const moved = concat(aad, new Uint8Array(15), ciphertext);
        expectInvalid(() => cipher(key, nonce, moved.subarray(0, 48)).decryptDetached(ciphertext, tag));
        if (length >= 16)
          expectInvalid(() => cipher(key, nonce, moved.subarray(0, 64)).decryptDetached(moved.subarray(64), tag));
      });

      test('detached and joined are the same', () => {
        const parts = box().encryptDetached(plaintext);
        expectBytes(concat(parts.ciphertext, parts.tag), sealed, 'encryptDetached');
        expectBytes(box().encrypt(plaintext), sealed, 'encrypt');
        expectBytes(box().decryptDetached(ciphertext, tag), plaintext, 'decryptDetached');
        expectBytes(box().decrypt(sealed), plaintext, 'decrypt');
      });

      test('one object encrypts once, and decrypts as often as one likes', () => {
        const it = box();
        expectBytes(it.decrypt(sealed), plaintext, 'before');
        it.encrypt(plaintext);
        const out = untouched(length + 16);
        const again = 'Error: cannot encrypt() twice with same key + nonce: make another object with a fresh nonce';
        expect(refusal(() => it.encrypt(plaintext, out))).toBe(again);
        expect(refusal(() => it.encryptDetached(plaintext, out.subarray(16)))).toBe(again);
        expectBytes(out, untouched(length + 16), 'out');
        expectInvalid(() => it.decrypt(concat(ciphertext, tag.toReversed())));
        for (let i = 0; i < 3; i++) expectBytes(it.decrypt(sealed), plaintext, 'after');
        expectBytes(it.decryptDetached(ciphertext, tag), plaintext, 'detached, after');
        const other = box();
        other.encryptDetached(plaintext);
        expect(refusal(() => other.encrypt(plaintext))).toBe(again);
      });

      test('destroy ends the object, and twice is no mistake', () => {
        const it = box();
        it.destroy();
        it.destroy();
        const out = untouched(length + 16);
        const message = 'Error: cannot use a cipher after destroy()';
        expect(refusal(() => it.encrypt(plaintext, out))).toBe(message);
        expect(refusal(() => it.encryptDetached(plaintext, out.subarray(16)))).toBe(message);
        expect(refusal(() => it.decrypt(sealed, out.subarray(16)))).toBe(message);
        expect(refusal(() => it.decryptDetached(ciphertext, tag, out.subarray(16)))).toBe(message);
        expectBytes(out, untouched(length + 16), 'out');
      });
    });

    test('objects that were made on one engine work on the others', () => {
      const plaintext = data.subarray(0, 700);
      const sealed = oracles.seal(key, nonce, aad, plaintext);
      const boxes = engines.map(() => box());
      engines.forEach((other, i) => {
        select(other);
        expectBytes(boxes[i].decrypt(sealed), plaintext, `decrypt on ${other}`);
        expectBytes(boxes[i].encrypt(plaintext), sealed, `encrypt on ${other}`);
      });
    });

    test('a ciphertext shorter than its tag is no message, as a forgery is none: an Error of the same class', () => {
      for (const length of range(0, 16)) {
        const out = untouched(length);
        const message = `Error: "ciphertext" expected length >= tagLength=16, got length=${length}`;
        expect(refusal(() => box().decrypt(new Uint8Array(length)))).toBe(message);
        expect(refusal(() => box().decrypt(new Uint8Array(length), out))).toBe(message);
        expectBytes(out, untouched(length), 'out');
      }
    });

    test('no additional data and none of it are the same', () => {
      const plaintext = data.subarray(0, 100);
      const expected = oracles.seal(key, nonce, new Uint8Array(0), plaintext);
      for (const none of [undefined, new Uint8Array(0)])
        expectBytes(cipher(key, nonce, none).encrypt(plaintext), expected, String(none));
    });

    describe('managedNonce', () => {
      const overhead = nonce.length + 16;
      test.each([0, 1, 100, 2100, STAGE_BYTES + 100])('%i bytes: nonce, ciphertext, tag', (length) => {
        const plaintext = data.subarray(0, length);
        const asked: number[] = [];
        const random = (size: number): Uint8Array => {
          asked.push(size);
          return nonce;
        };
        const message = managedNonce(cipher, random)(key, aad).encrypt(plaintext);
        expect(asked).toEqual([nonce.length]);
        expectBytes(message, concat(nonce, oracles.seal(key, nonce, aad, plaintext)), 'the message');
        expectBytes(managedNonce(cipher)(key, aad).decrypt(message), plaintext, 'decrypt');

        const box = managedNonce(cipher)(key, aad);
        const [first, second] = [box.encrypt(plaintext), box.encrypt(plaintext)];
        for (const it of [first, second]) {
          expect(it).toHaveLength(length + overhead);
          const theirs = oracles.seal(key, it.subarray(0, nonce.length), aad, plaintext);
          expectBytes(it.subarray(nonce.length), theirs, 'with a nonce of the generator');
          expectBytes(box.decrypt(it), plaintext, 'decrypt');
        }
      });

      test('a generator that encrypts by itself', () => {
        const random = (): Uint8Array => {
          cipher(sample(32, 48), nonce, aad).encrypt(data);
          return nonce;
        };
        const plaintext = data.subarray(0, 100);
        const expected = concat(nonce, oracles.seal(key, nonce, aad, plaintext));
        expectBytes(managedNonce(cipher, random)(key, aad).encrypt(plaintext), expected, 'the message');
      });

      test('every message has a nonce of its own', () => {
        const box = managedNonce(cipher)(key);
        const nonces = range(0, 200).map(() => hex(box.encrypt(data.subarray(0, 5)).subarray(0, nonce.length)));
        expect(new Set(nonces).size).toBe(200);
        expect(new Set(nonces.flatMap((text) => text.match(/.{8}/g) ?? [])).size).toBeGreaterThan(395);
      });

      test('forgeries, other keys and short messages are refused', () => {
        const box = managedNonce(cipher)(key, aad);
        const message = box.encrypt(data.subarray(0, 100));
        for (const wrong of flips(message, [0, nonce.length - 1, nonce.length, 80, message.length - 1]))
          expect(refusal(() => box.decrypt(wrong))).toBe('Error: invalid tag');
        expect(refusal(() => managedNonce(cipher)(sample(32, 46), aad).decrypt(message))).toBe('Error: invalid tag');
        for (const length of range(0, overhead)) {
          const message = new RegExp(`^Error: "ciphertext" expected length >= .*=${overhead}, got length=${length}$`);
          expect(refusal(() => box.decrypt(new Uint8Array(length)))).toMatch(message);
        }
      });

      test('what is no cipher, or no generator, is refused when it is given', () => {
        const wanted = 'TypeError: "cipher" expected function with nonceLength and tagLength, got';
        for (const [wrong, error] of [
          [undefined, `${wanted} type=undefined`],
          [key, `${wanted} type=Uint8Array`],
          [{ nonceLength: 24, tagLength: 16 }, `${wanted} type=Object`],
          [cipher(key, nonce), `${wanted} type=Object`],
          [() => undefined, `${wanted} nonceLength: type=undefined`],
          [chacha20, `${wanted} tagLength: type=undefined`],
          [Object.assign(() => undefined, { nonceLength: '24', tagLength: 16 }), `${wanted} nonceLength: type=string`],
        ] as const)
          expect(refusal(() => managedNonce(wrong as never))).toBe(error);
        for (const [nonceLength, tagLength] of [
          [0, 16],
          [-1, 16],
          [1.5, 16],
          [NaN, 16],
          [24, -1],
          [24, Infinity],
        ])
          expect(refusal(() => managedNonce(Object.assign(cipher.bind(null), { nonceLength, tagLength })))).toMatch(
            /^RangeError: "(nonce|tag)Length" expected integer from [01] up, got /,
          );
        expect(refusal(() => managedNonce(cipher, key as never))).toBe(
          'TypeError: "random" expected function, got type=Uint8Array; the key goes to managedNonce(cipher)(key)',
        );
      });

      test('a generator that gives something else than a nonce is refused, and nothing written', () => {
        for (const bad of [new Uint8Array(nonce.length - 1), new Uint8Array(64), undefined, 'x'.repeat(nonce.length)]) {
          const out = untouched(100 + overhead);
          const box = managedNonce(cipher, () => bad as never)(key);
          expect(refusal(() => box.encrypt(data.subarray(0, 100), out))).toMatch(
            /^(Type|Range)Error: "nonce" expected/,
          );
          expectBytes(out, untouched(out.length), 'out');
        }
      });
    });

    /** Lengths beyond 31 and 32 bits: the parts of a message, and the block of lengths at the end of the MAC's input. */
    test.for([2 ** 31 + 100, 2 ** 32 + 100])('%i bytes, in place', { timeout: 900_000 }, (length, { skip }) => {
      skip(process.env['LANEWISE_SLOW'] === undefined, 'needs 5 GB of memory and minutes: set LANEWISE_SLOW=1');
      const room = new Uint8Array(length);
      for (let at = 0; at < length; at += data.length)
        room.set(data.subarray(0, Math.min(data.length, length - at)), at);
      const short = nonce.length === 12 ? nonce : concat(new Uint8Array(4), nonce.subarray(16));
      const itsKey = nonce.length === 12 ? key : oracles.hchacha20(key, nonce.subarray(0, 16));
      const theirs = createCipheriv('chacha20-poly1305', itsKey, short, { authTagLength: 16 });
      theirs.setAAD(aad);
      const last = range(0, Math.ceil(length / 2 ** 26)).reduce<Buffer>(
        (_, i) => theirs.update(room.subarray(i * 2 ** 26, (i + 1) * 2 ** 26)),
        Buffer.alloc(0),
      );
      theirs.final();
      const { tag } = box().encryptDetached(room, room);
      expectBytes(tag, theirs.getAuthTag(), 'the tag');
      expectBytes(room.subarray(-last.length), last, 'the last part');
      box().decryptDetached(room, tag, room);
      const rest = length % data.length;
      expectBytes(room.subarray(length - rest), data.subarray(0, rest), 'the end of the plaintext');
    });
  });
});

describe('randomBytes', () => {
  afterEach(() => void vi.unstubAllGlobals());
  /** A new copy of the library: once code is hot, WebKitGTK 2.50 may call the earlier generator. */
  async function freshWith(crypto: unknown) {
    vi.stubGlobal('crypto', crypto);
    vi.resetModules();
    return { ...(await import('../../src/chacha.ts')), ...(await import('../../src/utils.ts')) };
  }

  test.each([0, 1, 32, 65_536, 65_537, 1_000_000])('%i bytes, all of them random', (length) => {
    const [a, b] = [randomBytes(length), randomBytes(length)];
    expect([a.length, a.buffer.byteLength, a.byteOffset]).toEqual([length, length, 0]);
    if (length < 32) return;
    expect(hex(a) === hex(b)).toBe(false);
    // No part is left empty: 32 zeros in a row do not happen.
    for (let at = 0; at + 32 <= length; at += 32)
      if (a.subarray(at, at + 32).every((x) => x === 0)) expect.fail(`${at}`);
    expect(a.subarray(-32).some((x) => x !== 0)).toBe(true);
  });
  test('32 bytes unless told', () => expect(randomBytes()).toHaveLength(32));
  test('the host is never asked for more than it gives at once, and its bytes are what comes out', async () => {
    const sizes: number[] = [];
    const getRandomValues = (bytes: Uint8Array): Uint8Array => {
      sizes.push(bytes.length);
      return bytes.fill(sizes.length);
    };
    const fresh = await freshWith({ getRandomValues });
    const bytes = fresh.randomBytes(65_536 * 2 + 5);
    expect(sizes).toEqual([65_536, 65_536, 5]);
    expect([bytes[0], bytes[65_535], bytes[65_536], bytes[65_536 * 2], bytes.at(-1)]).toEqual([1, 1, 2, 3, 3]);
  });
  test.each([undefined, {}, { getRandomValues: 1 }])(
    'a host without a generator: an Error, never other numbers',
    async (crypto) => {
      const fresh = await freshWith(crypto);
      expect(refusal(() => fresh.randomBytes(32))).toBe('Error: crypto.getRandomValues is not available');
      const out = untouched(60);
      const box = fresh.managedNonce(fresh.xchacha20poly1305)(key);
      expect(refusal(() => box.encrypt(new Uint8Array(20), out))).toBe(
        'Error: crypto.getRandomValues is not available',
      );
      expectBytes(out, untouched(60), 'out');
    },
  );
});

describe('small tools', () => {
  test('equalBytes sees every bit and the length', () => {
    const bytes = sample(70, 47);
    expect(equalBytes(bytes, bytes.slice())).toBe(true);
    expect(equalBytes(new Uint8Array(0), new Uint8Array(0))).toBe(true);
    for (const other of flips(bytes, range(0, 70))) expect(equalBytes(bytes, other)).toBe(false);
    for (const other of [bytes.subarray(1), bytes.subarray(0, 69), concat(bytes, Uint8Array.of(0)), new Uint8Array(0)])
      expect([equalBytes(bytes, other), equalBytes(other, bytes)]).toEqual([false, false]);
  });
  test('hex, there and back', () => {
    const bytes = Uint8Array.from(range(0, 256));
    expect(bytesToHex(bytes)).toBe(Buffer.from(bytes).toString('hex'));
    expectBytes(hexToBytes(bytesToHex(bytes)), bytes, 'lower case');
    expectBytes(hexToBytes(bytesToHex(bytes).toUpperCase()), bytes, 'upper case');
    expect([bytesToHex(new Uint8Array(0)), hexToBytes('').length]).toEqual(['', 0]);
    expect(bytesToHex(new Uint8Array(2 ** 20))).toHaveLength(2 ** 21);
  });
  test('clean wipes all of its arguments, and only them', () => {
    const room = untouched(10);
    const other = untouched(3);
    clean(room.subarray(2, 5), other);
    expect([hex(room), hex(other)]).toEqual(['a5a5000000a5a5a5a5a5', '000000']);
    clean();
  });
  test('clean wipes typed arrays of any kind', () => {
    const kinds = [Int8Array, Uint8ClampedArray, Uint16Array, Int32Array, Uint32Array, Float32Array, Float64Array];
    for (const Kind of [...kinds, BigInt64Array, BigUint64Array]) {
      const room = untouched(40);
      clean(new Kind(room.buffer, 8, 2));
      const end = 8 + 2 * Kind.BYTES_PER_ELEMENT;
      expectBytes(room.subarray(8, end), new Uint8Array(end - 8), Kind.name);
      expectBytes(concat(room.subarray(0, 8), room.subarray(end)), untouched(48 - end), `around ${Kind.name}`);
    }
  });
  test('clean refuses what is no typed array, and wipes nothing then', () => {
    const gone = new Uint32Array(2);
    structuredClone(gone.buffer, { transfer: [gone.buffer] });
    const buffer = new ArrayBuffer(8, { maxByteLength: 8 });
    const shrunk = new BigInt64Array(buffer, 0, 1);
    buffer.resize(4);
    const detachedOr = 'TypeError: "bytes" expected typed array, got one whose buffer is detached or too short';
    for (const [value, error] of [
      [undefined, 'TypeError: "bytes" expected typed array, got type=undefined'],
      ['key', 'TypeError: "bytes" expected typed array, got type=string'],
      [[1, 2], 'TypeError: "bytes" expected typed array, got type=Array'],
      [new ArrayBuffer(8), 'TypeError: "bytes" expected typed array, got type=ArrayBuffer'],
      [new DataView(new ArrayBuffer(8)), 'TypeError: "bytes" expected typed array, got type=DataView'],
      [gone, detachedOr],
      [shrunk, detachedOr],
      [detached(8), detachedOr],
    ] as const) {
      const right = untouched(3);
      expect(refusal(() => clean(right, value as never))).toBe(error);
      expectBytes(right, untouched(3), error);
    }
  });
  test('isBytes', () => {
    const yes = [new Uint8Array(1), Buffer.alloc(1), new Uint8Array(new SharedArrayBuffer(1))];
    const no = [
      null,
      undefined,
      'a',
      [1],
      new Uint16Array(1),
      new Uint8ClampedArray(1),
      new DataView(new ArrayBuffer(1)),
    ];
    expect([...yes, ...no].map(isBytes)).toEqual([true, true, true, ...no.map(() => false)]);
  });
});
