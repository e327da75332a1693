/** Bytes in every kind of buffer: overlapping, shared, resizable, pooled, of another realm; no other byte is touched. */
// Runs in every mode: the kinds of buffers that a realm has.
import { describe, expect, test } from 'vitest';
import { chacha20, chacha20poly1305, hchacha, managedNonce, xchacha20poly1305 } from '../../src/chacha.ts';
import { STAGE_BYTES } from '../../src/keystream/map.ts';
import { poly1305 } from '../../src/poly1305.ts';
import { bytesToHex, equalBytes, isBytes } from '../../src/utils.ts';
import { concat, expectBytes, guarded, range, refusal, sample, untouched } from '../support/bytes.ts';
import { onEachEngine } from '../support/engines.ts';
import * as oracles from '../support/oracles.ts';
import { otherRealm } from '../support/realm.ts';

const key = sample(32, 31);
const nonce = sample(12, 32);
const longNonce = sample(24, 33);
const aad = sample(21, 34);
const data = sample(300_000, 35);

const sealedOf = remembered((length) => oracles.seal(key, nonce, aad, data.subarray(0, length)));
const boxedOf = remembered((length) => concat(longNonce, oracles.seal(key, longNonce, aad, data.subarray(0, length))));
const xoredOf = remembered((length) => oracles.chacha20(key, nonce, data.subarray(0, length)));
const plainOf = (length: number): Uint8Array => data.subarray(0, length);

function remembered(make: (length: number) => Uint8Array): (length: number) => Uint8Array {
  const made = new Map<number, Uint8Array>();
  return (length) => {
    const answer = made.get(length) ?? make(length);
    made.set(length, answer);
    return answer;
  };
}

const box = (): ReturnType<typeof chacha20poly1305> => chacha20poly1305(key, nonce, aad);
const managed = (): ReturnType<ReturnType<typeof managedNonce>> =>
  managedNonce(xchacha20poly1305, () => longNonce.slice())(key, aad);
const ciphertextOf = (length: number): Uint8Array => sealedOf(length).subarray(0, length);
const tagOf = (length: number): Uint8Array => sealedOf(length).subarray(length);

/** Every call that takes an `out`: its input and its result, for a message of `length` bytes. */
interface Operation {
  readonly name: string;
  readonly input: (length: number) => Uint8Array;
  readonly output: (length: number) => Uint8Array;
  readonly run: (input: Uint8Array, out: Uint8Array, length: number) => Uint8Array;
}
const operations: readonly Operation[] = [
  { name: 'XOR', input: plainOf, output: xoredOf, run: (input, out) => chacha20(key, nonce, input, out) },
  {
    name: 'stream, 10 bytes in',
    input: (n) => data.subarray(10, 10 + n),
    output: (n) => xoredOf(n + 10).subarray(10),
    run: (input, out) => chacha20.stream(key, nonce).seek(10).update(input, out),
  },
  { name: 'encrypt', input: plainOf, output: sealedOf, run: (input, out) => box().encrypt(input, out) },
  { name: 'decrypt', input: sealedOf, output: plainOf, run: (input, out) => box().decrypt(input, out) },
  {
    name: 'encryptDetached',
    input: plainOf,
    output: ciphertextOf,
    run(input, out, length) {
      const { ciphertext, tag } = box().encryptDetached(input, out);
      expectBytes(tag, tagOf(length), 'the tag');
      return ciphertext;
    },
  },
  {
    name: 'decryptDetached',
    input: ciphertextOf,
    output: plainOf,
    run: (input, out, length) => box().decryptDetached(input, tagOf(length), out),
  },
  { name: 'managedNonce encrypt', input: plainOf, output: boxedOf, run: (input, out) => managed().encrypt(input, out) },
  { name: 'managedNonce decrypt', input: boxedOf, output: plainOf, run: (input, out) => managed().decrypt(input, out) },
];

/** Input and `out` in one buffer, `distance` bytes apart; all other bytes of the buffer must stay the same. */
function checkOverlap({ name, input, output, run }: Operation, length: number, distance: number): void {
  const [from, to] = [input(length), output(length)];
  const start = Math.max(0, -distance) + 40;
  const room = untouched(start + Math.max(from.length, distance + to.length) + 300);
  room.set(from, start);
  const expected = room.slice();
  expected.set(to, start + distance);
  const out = room.subarray(start + distance, start + distance + to.length);
  const result = run(room.subarray(start, start + from.length), out, length);
  if (result !== out) expect.fail(`${name}: out is not what was returned`);
  expectBytes(room, expected, `${name}, ${length} bytes, out ${distance} bytes after the input`);
}

/** Like `checkOverlap`, with a message that must be refused: then all bytes stay. */
function checkForged({ input, run, name }: Operation, length: number, distance: number, flipped: number): void {
  const from = input(length);
  const start = Math.max(0, -distance) + 40;
  const room = untouched(start + from.length + Math.max(0, distance) + 300);
  room.set(from, start);
  room[start + flipped] ^= 1;
  const before = room.slice();
  const out = room.subarray(start + distance, start + distance + length);
  expect(refusal(() => run(room.subarray(start, start + from.length), out, length))).toBe('Error: invalid tag');
  expectBytes(room, before, `${name} of a forgery, ${length} bytes, out ${distance} bytes after the input`);
}

onEachEngine(() => {
  describe.each(operations)('overlap: $name', (operation) => {
    test.each([0, 1, 15, 16, 63, 64, 65, 200, 511, 512, 513, 1100])('%i bytes, all distances to 80', (length) => {
      for (const distance of range(-80, 81)) checkOverlap(operation, length, distance);
    });
    // A whole stage is read before its result is written, so distances around the size of the stage matter.
    test.each([150_000, 299_990])('%i bytes', (length) => {
      const near = [1, 15, 16, 24, 63, 64, 65, 80, 1000];
      const far = [STAGE_BYTES - 64, STAGE_BYTES - 1, STAGE_BYTES, STAGE_BYTES + 1, length - 1, length, length + 40];
      for (const distance of [0, ...near, ...far]) {
        checkOverlap(operation, length, distance);
        checkOverlap(operation, length, -distance);
      }
    });
  });

  describe.each(operations.filter(({ name }) => name.includes('decrypt')))('forgery: $name', (operation) => {
    test.each([1, 64, 100, 512, 513, 1100, STAGE_BYTES, STAGE_BYTES + 1, 299_990])(
      '%i bytes: out, wherever it is, and the input stay as they are',
      (length) => {
        const last = operation.input(length).length - 1;
        for (const distance of [0, 1, -1, 16, -16, 63, -70, length + 50])
          for (const flipped of [0, length >> 1, last]) checkForged(operation, length, distance, flipped);
      },
    );
    test('fresh bytes are not given out', () => {
      for (const length of [0, 1, 512, 513, STAGE_BYTES + 1]) {
        const forged = operation.input(length).slice();
        if (forged.length === 0) continue;
        forged[0] ^= 0x80;
        expect(refusal(() => operation.run(forged, undefined as never, length))).toBe('Error: invalid tag');
      }
    });
  });

  describe('out over the other arguments', () => {
    test('key and nonce of a stream cipher', () => {
      for (const length of [44, 200, STAGE_BYTES + 500])
        for (const at of [0, 1, 12, 31, 32, 43]) {
          const room = concat(key, nonce, new Uint8Array(length));
          const out = room.subarray(at, at + length);
          chacha20(room.subarray(0, 32), room.subarray(32, 44), plainOf(length), out);
          expectBytes(out, xoredOf(length), `${length} bytes at ${at}`);
        }
    });
    test('key, nonce and additional data of an AEAD', () => {
      for (const length of [65, 200, STAGE_BYTES + 500])
        for (const at of [0, 1, 32, 44, 60]) {
          const room = concat(key, nonce, aad, new Uint8Array(length + 16));
          const make = (): ReturnType<typeof box> =>
            chacha20poly1305(room.subarray(0, 32), room.subarray(32, 44), room.subarray(44, 65));
          const [seal, open] = [make(), make()];
          expectBytes(seal.encrypt(plainOf(length), room.subarray(at, at + length + 16)), sealedOf(length), 'encrypt');
          expectBytes(open.decrypt(sealedOf(length), room.subarray(at, at + length)), plainOf(length), 'decrypt');
        }
    });
    test('a detached tag', () => {
      for (const length of [1, 16, 100, 513, STAGE_BYTES + 33])
        for (const at of [0, 1, 8, 15, 16].map((d) => length - d)) {
          if (at < 0) continue;
          const room = concat(new Uint8Array(length), new Uint8Array(16));
          const tag = room.subarray(at, at + 16);
          tag.set(tagOf(length));
          const out = room.subarray(0, length);
          expectBytes(box().decryptDetached(ciphertextOf(length), tag, out), plainOf(length), `tag at ${at}`);
        }
    });
    test('the key of Poly1305, and the words of hchacha', () => {
      const room = key.slice();
      poly1305.create(room).update(plainOf(100)).digestInto(room.subarray(8, 24));
      expectBytes(room.subarray(8, 24), oracles.poly1305(plainOf(100), key), 'the tag');

      const constants = Uint32Array.of(0x61707865, 0x3320646e, 0x79622d32, 0x6b206574);
      const expected = oracles.hchacha20(key, longNonce.subarray(0, 16));
      for (const at of [0, 2, 4, 8]) {
        const words = new Uint32Array(16);
        const bytes = new Uint8Array(words.buffer);
        bytes.set(concat(new Uint8Array(constants.buffer), key, longNonce.subarray(0, 16)));
        const out = words.subarray(at, at + 8);
        hchacha(words.subarray(0, 4), words.subarray(4, 12), words.subarray(12), out);
        expectBytes(bytes.subarray(4 * at, 4 * at + 32), expected, `out at word ${at}`);
      }
    });
  });

  describe('whose bytes results are', () => {
    const results = (length: number): Uint8Array[] => [
      chacha20(key, nonce, plainOf(length)),
      chacha20.stream(key, nonce).update(plainOf(length)),
      box().encrypt(plainOf(length)),
      box().decrypt(sealedOf(length)),
      box().encryptDetached(plainOf(length)).ciphertext,
      box().encryptDetached(plainOf(length)).tag,
      box().decryptDetached(ciphertextOf(length), tagOf(length)),
      managed().encrypt(plainOf(length)),
      managed().decrypt(boxedOf(length)),
      poly1305(plainOf(length), key),
      poly1305.create(key).update(plainOf(length)).digest(),
    ];
    test.each([0, 1, 64, 100, 1000, STAGE_BYTES + 100])(
      '%i bytes: a fresh buffer of that size, never seen again',
      (length) => {
        const first = results(length);
        const copies = first.map((bytes) => bytes.slice());
        for (const bytes of first) {
          expect(Object.getPrototypeOf(bytes)).toBe(Uint8Array.prototype);
          expect(bytes.buffer).toBeInstanceOf(ArrayBuffer);
          expect([bytes.byteOffset, bytes.buffer.byteLength]).toEqual([0, bytes.length]);
        }
        expect(new Set(first.map(({ buffer }) => buffer)).size).toBe(first.length);
        results(length + 7);
        first.forEach((bytes, i) => expectBytes(bytes, copies[i], `result ${i} after other calls`));
      },
    );

    test('what the caller does to its bytes afterwards changes nothing', () => {
      const [k, n, a] = [key.slice(), nonce.slice(), aad.slice()];
      const [seal, stream, mac] = [chacha20poly1305(k, n, a), chacha20.stream(k, n), poly1305.create(k)];
      const piece = plainOf(10).slice();
      mac.update(piece);
      for (const bytes of [k, n, a, piece]) bytes.fill(0xff);
      expectBytes(seal.encrypt(plainOf(100)), sealedOf(100), 'encrypt');
      expectBytes(seal.decrypt(sealedOf(100)), plainOf(100), 'decrypt');
      expectBytes(stream.update(plainOf(100)), xoredOf(100), 'stream');
      expectBytes(mac.digest(), oracles.poly1305(plainOf(10), key), 'mac');
    });
    test('the same for the key and the additional data of managedNonce', () => {
      const [k, a] = [key.slice(), aad.slice()];
      const box = managedNonce(xchacha20poly1305, () => longNonce)(k, a);
      k.fill(0xff);
      expectBytes(box.encrypt(plainOf(100)), boxedOf(100), 'after the key changed');
      a.fill(0xff);
      expectBytes(box.encrypt(plainOf(100)), boxedOf(100), 'after the additional data changed');
    });
  });

  describe.each([100, STAGE_BYTES + 100])('kinds of memory, %i bytes', (length) => {
    /** Bytes of each kind of memory, at an odd offset. */
    const kinds: Readonly<Record<string, (length: number) => Uint8Array>> = {
      'a SharedArrayBuffer': (n) => new Uint8Array(new SharedArrayBuffer(n + 9), 5, n),
      'a growable SharedArrayBuffer': (n) => new Uint8Array(new SharedArrayBuffer(n + 5, { maxByteLength: n + 99 }), 5),
      'a resizable ArrayBuffer': (n) => new Uint8Array(new ArrayBuffer(n + 9, { maxByteLength: n + 99 }), 5, n),
      'a length-tracking view': (n) => new Uint8Array(new ArrayBuffer(n + 5, { maxByteLength: n + 99 }), 5),
      'a Buffer': (n) => Buffer.alloc(n),
      'a pooled Buffer': (n) => Buffer.allocUnsafe(n),
      'another realm'(n) {
        const theirs = otherRealm();
        return new theirs.Uint8Array(new theirs.ArrayBuffer(n + 9), 5, n);
      },
      'a WebAssembly memory': (n) => new Uint8Array(new WebAssembly.Memory({ initial: 4 }).buffer, 5, n),
    };
    const filled = (make: (length: number) => Uint8Array, bytes: Uint8Array): Uint8Array => {
      const it = make(bytes.length);
      it.set(bytes);
      return it;
    };

    test.each(Object.entries(kinds))('%s', (_, make) => {
      const [k, n, a] = [key, nonce, aad].map((bytes) => filled(make, bytes));
      const input = filled(make, plainOf(length));
      const sealed = filled(make, sealedOf(length));
      expectBytes(chacha20(k, n, input, make(length)), xoredOf(length), 'XOR');
      expectBytes(chacha20poly1305(k, n, a).encrypt(input, make(length + 16)), sealedOf(length), 'encrypt');
      expectBytes(chacha20poly1305(k, n, a).encrypt(input), sealedOf(length), 'encrypt, fresh');
      expectBytes(chacha20poly1305(k, n, a).decrypt(sealed, make(length)), plainOf(length), 'decrypt');
      expectBytes(chacha20poly1305(k, n, a).decrypt(sealed), plainOf(length), 'decrypt, fresh');
      const { ciphertext, tag } = chacha20poly1305(k, n, a).encryptDetached(input, make(length));
      expectBytes(box().decryptDetached(ciphertext, filled(make, tag)), plainOf(length), 'detached');
      expectBytes(poly1305(input, k), oracles.poly1305(plainOf(length), key), 'Poly1305');
      expect([isBytes(k), equalBytes(k, key), bytesToHex(n)]).toEqual([true, true, bytesToHex(nonce)]);
      // A result in place, and a forgery.
      sealed[3] ^= 1;
      const before = sealed.slice();
      expect(refusal(() => box().decrypt(sealed, sealed.subarray(0, length)))).toBe('Error: invalid tag');
      expectBytes(sealed, before, 'after a forgery');
      expectBytes(chacha20(k, n, input, input), xoredOf(length), 'XOR in place');
    });

    test('two buffers of one shared memory, overlapping', () => {
      // Each view of a shared memory's buffer after a growth has a buffer object of its own.
      const memory = new WebAssembly.Memory({ initial: 4, maximum: 8, shared: true });
      const old = new Uint8Array(memory.buffer, 0, length);
      memory.grow(1);
      const young = new Uint8Array(memory.buffer, 30, length);
      expect(old.buffer).not.toBe(young.buffer);
      old.set(plainOf(length));
      expectBytes(chacha20(key, nonce, old, young), xoredOf(length), 'XOR');
    });

    test('neighbours in the pool of Buffers stay as they are', () => {
      const { out, check } = guarded(length + 16, 3);
      const buffer = Buffer.from(out.buffer, out.byteOffset, out.length);
      expect(box().encrypt(plainOf(length), buffer)).toBe(buffer);
      expectBytes(out, sealedOf(length), 'encrypt');
      check('encrypt into a Buffer');
    });

    test('buffers that shrink or grow after the object was made', () => {
      const room = new ArrayBuffer(32 + 12 + 21, { maxByteLength: 1000 });
      const bytes = new Uint8Array(room);
      bytes.set(concat(key, nonce, aad));
      const it = chacha20poly1305(bytes.subarray(0, 32), bytes.subarray(32, 44), new Uint8Array(room, 44));
      const keyed = managedNonce(xchacha20poly1305, () => longNonce)(bytes.subarray(0, 32), aad);
      room.resize(1000);
      room.resize(0);
      expectBytes(it.encrypt(plainOf(length)), sealedOf(length), 'encrypt');
      expectBytes(keyed.encrypt(plainOf(length)), boxedOf(length), 'managedNonce');

      const messages = new ArrayBuffer(length, { maxByteLength: 2 * length });
      const message = new Uint8Array(messages);
      message.set(plainOf(length));
      messages.resize(length - 1);
      expectBytes(chacha20(key, nonce, message), xoredOf(length).subarray(0, -1), 'a view that followed');
      const fixed = new Uint8Array(messages, 0, length - 1);
      messages.resize(length - 2);
      expect(refusal(() => chacha20(key, nonce, fixed))).toMatch(
        /^TypeError: "data" expected Uint8Array, got one whose/,
      );
    });
  });
});
