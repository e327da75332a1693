/**
 * The caller's code runs within a call: getters of options, the generator of nonces, traps and getters of an argument.
 * Whatever this code does to the library or to the arguments, the result is right or the error is typed.
 */
import { describe, expect, test } from 'vitest';
import { blake3, hashMany, subtree, type Blake3Options } from '../../src/blake3.ts';
import { chacha20, managedNonce, xchacha20poly1305 } from '../../src/chacha.ts';
import { select } from '../../src/engine.ts';
import { poly1305 } from '../../src/poly1305.ts';
import { randomBytes } from '../../src/utils.ts';
import { expected, key as blake3Key } from '../support/blake3.ts';
import { concat, detached, expectBytes, guarded, refusal, sample, untouched } from '../support/bytes.ts';
import { engines, onEachEngine } from '../support/engines.ts';
import * as oracles from '../support/oracles.ts';

const key = sample(32, 41);
const nonce = sample(24, 42);
const aad = sample(9, 43);
const LENGTHS = [0, 1, 64, 100, 1500, 3000, 300_000];
const messages = new Map(LENGTHS.map((length) => [length, sample(length, 44)]));

/** Calls with known results on everything that has state in memory; each leaves the memory to the next. */
function everything(): void {
  const message = sample(500, 45);
  expectBytes(blake3(message, { key: blake3Key }), expected(message, 'keyed_hash'), 'BLAKE3 within');
  expectBytes(poly1305(message, key), oracles.poly1305(message, key), 'Poly1305 within');
  const sealed = oracles.seal(key, nonce, aad, message);
  expectBytes(xchacha20poly1305(key, nonce, aad).encrypt(message), sealed, 'encrypt within');
  expectBytes(xchacha20poly1305(key, nonce, aad).decrypt(sealed), message, 'decrypt within');
  const stream = chacha20.stream(key, nonce.subarray(0, 12));
  expectBytes(stream.update(message), oracles.chacha20(key, nonce.subarray(0, 12), message), 'stream within');
}

onEachEngine((engine) => {
  /** Also changes the engine, and back. */
  const inner = (): void => {
    everything();
    for (const other of engines) {
      select(other);
      everything();
    }
    select(engine);
  };

  describe('a getter of options', () => {
    test.each(LENGTHS)('that uses the library, around %i bytes', (length) => {
      const message = messages.get(length)!;
      const options = (name: 'key' | 'context' | 'dkLen', value: unknown): Blake3Options =>
        Object.defineProperty({}, name, {
          get() {
            inner();
            return value;
          },
        });
      const keyed = expected(message, 'keyed_hash');
      expectBytes(blake3(message, options('key', blake3Key)), keyed, 'key');
      expectBytes(blake3.create(options('key', blake3Key)).update(message).digest(), keyed, 'key, create');
      expectBytes(blake3(message, options('dkLen', 64)), expected(message, 'hash', 64), 'dkLen');
      const derived = blake3(message, { context: 'a context' });
      expectBytes(blake3(message, options('context', 'a context')), derived, 'context');
    });

    test('that takes the message away: an error', () => {
      for (const length of LENGTHS.slice(1)) {
        const message = messages.get(length)!.slice();
        const options = {
          get key() {
            structuredClone(message.buffer, { transfer: [message.buffer] });
            return blake3Key;
          },
        };
        expect(refusal(() => blake3(message, options))).toMatch(/^TypeError: "message" expected Uint8Array/);
      }
    });

    test('that makes the message shorter, or longer: what is there then is hashed', () => {
      for (const length of LENGTHS.slice(2))
        for (const now of [length - 1, length >> 1, length + 3000]) {
          const buffer = new ArrayBuffer(length, { maxByteLength: length + 3000 });
          const message = new Uint8Array(buffer);
          message.set(messages.get(length)!);
          const options = {
            get dkLen() {
              buffer.resize(now);
              return 32;
            },
          };
          const digest = blake3(message, options);
          expectBytes(digest, expected(message), `${length} bytes that became ${now}`);
          expect(message.length).toBe(now);
        }
    });

    test('that takes the key away: an error', () => {
      const itsKey = blake3Key.slice();
      const options = {
        key: itsKey,
        get dkLen() {
          structuredClone(itsKey.buffer, { transfer: [itsKey.buffer] });
          return 32;
        },
      };
      expect(refusal(() => blake3(messages.get(100)!, options))).toMatch(/^TypeError: "key" expected Uint8Array/);
    });
  });

  describe('a list of messages', () => {
    const digests = LENGTHS.map((length) => expected(messages.get(length)!));

    test('that uses the library when it is read', () => {
      const list = Object.defineProperties(
        [],
        Object.fromEntries(
          LENGTHS.map((length, i) => [
            i,
            {
              get() {
                inner();
                return messages.get(length);
              },
            },
          ]),
        ),
      ) as Uint8Array[];
      hashMany(list).forEach((digest, i) => expectBytes(digest, digests[i], `message ${i}`));
    });

    test('that gives something else each time: what it gave first is hashed', () => {
      let reads = 0;
      const list = new Proxy<Uint8Array[]>([], {
        get: (_, name) => (name === 'length' ? 3 : messages.get(reads++ < 3 ? 64 : 300_000)),
      });
      for (const digest of hashMany(list)) expectBytes(digest, expected(messages.get(64)!), 'a digest');
      expect(reads).toBe(3);
    });

    test('whose class has a species of its own', () => {
      class Species extends Array<Uint8Array> {
        static override get [Symbol.species](): ArrayConstructor {
          throw new Error('the species was asked for');
        }
      }
      const list = Species.from([messages.get(64)!, messages.get(100)!]);
      expect(hashMany(list)).toHaveLength(2);
    });

    test('that options make shorter, or take away: what is there then is hashed, or an error', () => {
      for (const now of [0, 10, 63, 1000]) {
        const buffer = new ArrayBuffer(64, { maxByteLength: 1000 });
        const message = new Uint8Array(buffer);
        message.set(messages.get(64)!);
        const options = {
          get dkLen() {
            buffer.resize(now);
            return 32;
          },
        };
        const [digest] = hashMany([message], options);
        expectBytes(digest, expected(message), `64 bytes that became ${now}`);
      }
      const gone = messages.get(64)!.slice();
      const options = {
        get key() {
          structuredClone(gone.buffer, { transfer: [gone.buffer] });
          return blake3Key;
        },
      };
      expect(refusal(() => hashMany([gone], options))).toMatch(/^TypeError: "messages\[0\]" expected/);
    });
  });

  test('a part that options make shorter: an error', () => {
    const buffer = new ArrayBuffer(1024, { maxByteLength: 1024 });
    const options = {
      offset: 0,
      get key() {
        buffer.resize(1000);
        return blake3Key;
      },
    };
    expect(refusal(() => subtree(new Uint8Array(buffer), options))).toBe(
      'RangeError: "part" expected Uint8Array of length 1024, got length=1000',
    );
  });

  describe('the generator of nonces', () => {
    const make = (random: () => Uint8Array) => managedNonce(xchacha20poly1305, random)(key, aad);
    const boxed = (length: number): Uint8Array => concat(nonce, oracles.seal(key, nonce, aad, messages.get(length)!));

    test.each(LENGTHS)('that uses the library, and the same object, around %i bytes', (length) => {
      let depth = 0;
      const box = make(() => {
        inner();
        if (depth++ === 0) expectBytes(box.encrypt(messages.get(100)!), boxed(100), 'encrypt within');
        expectBytes(box.decrypt(boxed(1500)), messages.get(1500)!, 'decrypt within');
        return nonce;
      });
      expectBytes(box.encrypt(messages.get(length)!), boxed(length), 'encrypt');
    });

    test('that takes away what it was called for: an error', () => {
      for (const length of LENGTHS.slice(1)) {
        const plaintext = messages.get(length)!.slice();
        const takes = (bytes: Uint8Array<ArrayBuffer>) => () => {
          structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
          return nonce;
        };
        expect(refusal(() => make(takes(plaintext)).encrypt(plaintext))).toMatch(/^TypeError: "plaintext" expected/);
        const out = new Uint8Array(length + 40);
        expect(refusal(() => make(takes(out)).encrypt(messages.get(length)!, out))).toMatch(
          /^TypeError: "out" expected/,
        );
        const [given] = [detached(24)];
        expect(refusal(() => make(() => given).encrypt(messages.get(length)!))).toMatch(/^TypeError: "nonce" expected/);
      }
    });

    test('that makes the buffer of out shorter: an error, and nothing is written anywhere else in it', () => {
      for (const length of [1, 100, 1500]) {
        const buffer = new ArrayBuffer(3 * length + 400, { maxByteLength: 3 * length + 400 });
        const all = new Uint8Array(buffer).fill(0xa5);
        const out = new Uint8Array(buffer, 2 * length + 300, length + 40);
        const box = make(() => {
          // The rest of the buffer is long enough for the result, at another place.
          buffer.resize(2 * length + 200);
          return nonce;
        });
        expect(refusal(() => box.encrypt(messages.get(length)!, out))).toMatch(/^TypeError: "out" expected/);
        expectBytes(all, untouched(all.length), 'the buffer');
      }
    });

    test('that makes the plaintext shorter or longer: out no longer fits', () => {
      for (const change of [-1, 1]) {
        const buffer = new ArrayBuffer(100, { maxByteLength: 200 });
        const { out, check } = guarded(140);
        const box = make(() => {
          buffer.resize(100 + change);
          return nonce;
        });
        expect(refusal(() => box.encrypt(new Uint8Array(buffer), out))).toBe(
          `RangeError: "out" expected Uint8Array of length ${140 + change}, got length=140`,
        );
        expectBytes(out, untouched(140), 'out');
        check('the bytes around it');
      }
    });

    test('that throws: its error, nothing written, and the object works', () => {
      const thrown = new Error('no more numbers');
      let fails = true;
      const box = make(() => {
        if (fails) throw thrown;
        return nonce;
      });
      const out = untouched(140);
      expect(() => box.encrypt(messages.get(100)!, out)).toThrow(thrown);
      expectBytes(out, untouched(140), 'out');
      fails = false;
      expectBytes(box.encrypt(messages.get(100)!, out), boxed(100), 'afterwards');
    });
  });

  test('numbers are never asked for their value', () => {
    const asked: string[] = [];
    const tricky = new Proxy(
      {},
      {
        get(_, name) {
          asked.push(String(name));
          return () => 1;
        },
      },
    ) as never;
    const message = messages.get(100)!;
    for (const call of [
      () => chacha20(key, nonce.subarray(0, 12), message, undefined, tricky),
      () => chacha20.stream(key, nonce.subarray(0, 12), tricky),
      () => chacha20.stream(key, nonce.subarray(0, 12)).seek(tricky),
      () => blake3(message, { dkLen: tricky }),
      () => blake3.create().update(message).peek(tricky),
      () => blake3.create().update(message).xof(tricky),
      () => blake3.create().update(message).seek(tricky),
      () => randomBytes(tricky),
      () => chacha20(tricky, nonce.subarray(0, 12), message),
      () => chacha20(key, tricky, message),
      () => chacha20(key, nonce.subarray(0, 12), tricky),
      () => chacha20(key, nonce.subarray(0, 12), message, tricky),
      () => xchacha20poly1305(key, nonce, tricky),
      () => poly1305(tricky, key),
    ])
      expect(refusal(call)).toMatch(/^TypeError: "\w+" expected/);
    // Errors name the kind of the object, so they read its tag.
    expect([...new Set(asked)]).toEqual(['Symbol(Symbol.toStringTag)']);
  });
});
