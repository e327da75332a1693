/**
 * A page replaces all of the language once the library is loaded: the answers stay right, and nothing that was replaced is
 * reached, at the first use neither, so that it sees no key.
 */
// Runs in every mode: the global object of a page is not that of a worker.
import { describe, expect, test, vi } from 'vitest';
import * as blake3Module from '../../src/blake3.ts';
import * as chacha from '../../src/chacha.ts';
import * as disk from '../../src/disk.ts';
import nacl from '../../src/nacl.ts';
import * as salsa from '../../src/salsa.ts';
import * as engineModule from '../../src/engine.ts';
import * as poly1305Module from '../../src/poly1305.ts';
import * as utils from '../../src/utils.ts';
import { concat, expectBytes, hex, sample } from '../support/bytes.ts';
import { engines, onEachEngine, ready } from '../support/engines.ts';
import { replacedCount, underAttack, type Attacked, type Manner } from '../support/hostile.ts';
import { blake3Answers, cipherAnswers, outcome, type KnownAnswer, type Library } from '../support/known-answers.ts';
import * as oracles from '../support/oracles.ts';
import * as salsaOracles from '../support/salsa.ts';

const library: Library = { ...blake3Module, ...chacha, ...poly1305Module };

/** All calls under one attack, then all answers compared. */
function answered(answers: readonly KnownAnswer[], how: Manner): Attacked<unknown> {
  const results: unknown[] = answers.map(() => undefined);
  const errors: string[] = answers.map(() => '');
  const attacked = underAttack(() => {
    for (let i = 0; i < answers.length; i++) {
      try {
        results[i] = answers[i].call();
      } catch (error) {
        errors[i] = `${error as Error}`;
      }
    }
  }, how);
  // This comparison is first, because it explains a failure.
  expect(tally(attacked.reached)).toEqual([]);
  answers.forEach(({ name, answer }, i) => {
    if (typeof answer === 'string') expect(outcome(errors[i]), name).toBe(answer);
    else if (errors[i]) expect.fail(`${name}: ${errors[i]}`);
    else expectBytes(results[i] as Uint8Array, answer, name);
  });
  return attacked;
}

/** Uses everything once, so that instances exist before the attack. */
function use(answers: readonly KnownAnswer[]): void {
  for (const { call, answer } of answers) if (typeof answer !== 'string') call();
}

/** Each thing that was reached, once. */
const tally = (reached: readonly string[]): string[] => [...new Set(reached)].sort();

test('everything is replaced, and reaching it is noticed', () => {
  expect(replacedCount).toBeGreaterThan(550);
  const bytes = new Uint8Array(4);
  for (const [name, work] of Object.entries({
    '%TypedArray%.prototype[set]': () => bytes.set([1]),
    '%TypedArray%.prototype[fill]': () => bytes.fill(1),
    'get %TypedArray%.prototype[length]': () => bytes.length,
    'Array.prototype[Symbol(Symbol.iterator)]': () => concat(...[bytes]),
    'Function.prototype[call]': () => hex.call(undefined, bytes),
    'Math.min': () => Math.min(1, 2),
    'new Uint8Array': () => new Uint8Array(1),
    'WebAssembly.Module': () => new WebAssembly.Module(bytes),
    'Number()': () => Number(1n),
  } satisfies Record<string, () => unknown>)) {
    const { reached, error } = underAttack(work);
    expect([reached[0], String(error)]).toEqual([name, `Error: ${name} was reached`]);
  }
  // The attack is over then.
  expect([Math.min(1, 2), concat(bytes).length]).toEqual([1, 4]);
  // Functions that are given bytes are detected.
  expect(underAttack(() => bytes.set([1]), 'goes on').seen).toBe(1);
});

onEachEngine(() => {
  describe('once it was used', () => {
    const ciphers = cipherAnswers(library);

    test(`${ciphers.length} known answers of ChaCha, its AEADs and Poly1305`, () => {
      expect(ciphers.length).toBeGreaterThan(1500);
      use(ciphers);
      expect(answered(ciphers, 'throws').reached).toEqual([]);
    });

    const hashes = blake3Answers(library);
    test(`${hashes.length} known answers of BLAKE3`, () => {
      expect(hashes.length).toBeGreaterThan(500);
      use(hashes);
      expect(answered(hashes, 'throws').reached).toEqual([]);
    });

    test('the other functions of BLAKE3', () => {
      const [itsKey, message] = [sample(32, 64), sample(300_000, 65)];
      const { blake3, hashMany, merge, root, rootXof, subtree, TreeBuilder, maxSubtreeLength } = blake3Module;
      const messages = [0, 1, 64, 64, 1024, 1025, 3000].map((length) => message.subarray(0, length));
      const pieces = [0, 1024, 2048, 3072, 4096].map((offset) => ({
        part: message.subarray(offset, Math.min(offset + 1024, 5000)),
        options: { offset, key: itsKey },
      }));
      const options = { key: itsKey, dkLen: 100 };
      const steps: Record<string, () => unknown> = {
        'a hasher': () => {
          const hasher = blake3.create(options).update(itsKey).update(message).update(message);
          const twin = hasher.clone();
          hasher.peek(7);
          hasher.xofInto(twin.reset().digest());
          return hasher.seek(2n ** 63n).xof(100);
        },
        'a count': () => blake3.create().update(message).count,
        'a saved state': () => blake3.load(blake3.create(options).update(message).save()).digest(),
        'many messages': () => hashMany(messages, options),
        'many short ones': () => hashMany(messages),
        'a tree': () => {
          const builder = new TreeBuilder();
          for (let i = pieces.length - 1; i >= 0; i--) builder.add(subtree(pieces[i].part, pieces[i].options));
          return builder.digest(100);
        },
        'parts of it': () => {
          const parts = {
            a: subtree(pieces[0].part, pieces[0].options),
            b: subtree(pieces[1].part, pieces[1].options),
          };
          const c = subtree(pieces[2].part, pieces[2].options);
          maxSubtreeLength(4096);
          rootXof(merge(parts.a, parts.b), c).xof(100);
          return root(parts.a, parts.b);
        },
      };
      for (const [name, step] of Object.entries(steps)) {
        const before = step();
        const { error, reached, result } = underAttack(step);
        expect([name, reached, error]).toEqual([name, [], undefined]);
        expect(result).toEqual(before);
      }
    });

    test('every other function', () => {
      const [key, nonce, message] = [sample(32, 61), sample(24, 62), sample(300_000, 63)];
      const sealed = oracles.seal(key, nonce, message, message);
      const boxed = salsaOracles.secretbox(key, nonce, message);
      const Words = Uint32Array;
      const Bytes = Uint8Array;
      const sealedPage = disk.authenticatedPages(chacha.xchacha20poly1305, key).encrypt(new Bytes(512), 3);
      const out = new Uint8Array(message.length);
      const words = [4, 8, 4, 8].map((length) => new Uint32Array(length).fill(length));
      const [constants, wordKey, input, subkey] = words;
      const expected = new Uint32Array(8);
      chacha.hchacha(constants, wordKey, input, expected);
      const makeBox = chacha.managedNonce(chacha.xchacha20poly1305, () => nonce);
      const digits = hex(key);
      const tag = oracles.poly1305(message, key);
      const shared = new Uint8Array(new SharedArrayBuffer(sealed.length));
      shared.set(sealed);
      const ciphertext = sealed.subarray(0, message.length);
      const sealedTag = sealed.subarray(message.length);

      const steps: Record<string, () => unknown> = {
        parts: () => chacha.xchacha20poly1305(key, nonce, message).encrypt(message),
        'parts, apart': () => chacha.xchacha20poly1305(key, nonce, message).encryptDetached(message, out),
        'parts back': () => chacha.xchacha20poly1305(key, nonce, message).decrypt(sealed),
        'parts back into out': () => chacha.xchacha20poly1305(key, nonce, message).decrypt(sealed, out),
        'parts back from shared memory': () => chacha.xchacha20poly1305(key, nonce, message).decrypt(shared, out),
        'apart back': () => chacha.xchacha20poly1305(key, nonce, message).decryptDetached(ciphertext, sealedTag, out),
        'stream cipher': () => chacha.xchacha20(key, nonce, message, out),
        'stream, with counters': () =>
          chacha.xchacha20
            .stream(key, nonce, 5)
            .seek(2 ** 40)
            .seek(7n)
            .update(message),
        managedNonce: () => makeBox(key, message).encrypt(message),
        'managedNonce back': () => makeBox(key, message).decrypt(makeBox(key, message).encrypt(message)),
        hchacha: () => chacha.hchacha(constants, wordKey, input, subkey),
        'secretbox in parts': () => salsa.secretbox(key, nonce).seal(message),
        'secretbox in parts, back': () => salsa.secretbox(key, nonce).open(boxed),
        'secretbox in parts, back into out': () => salsa.secretbox(key, nonce).open(boxed, out),
        'secretbox of one call': () => salsa.secretbox(key, nonce).open(salsa.secretbox(key, nonce).seal(key)),
        'secretbox with XChaCha20': () => salsa.secretbox_xchacha20poly1305(key, nonce).seal(message),
        'nacl.secretbox': () => nacl.secretbox.open(nacl.secretbox(key, nonce, key), nonce, key),
        'nacl.verify': () => nacl.verify(key, key),
        'Salsa20 stream': () => salsa.xsalsa20.stream(key, nonce, 5).seek(7n).update(message),
        hsalsa: () => salsa.hsalsa(constants, wordKey, input, new Words(8)),
        'Adiantum, a page': () => disk.adiantum(key).encrypt(nonce, nonce),
        'Adiantum, longer than the stage': () => disk.adiantum(key).decrypt(message, nonce),
        'Adiantum, pages': () =>
          disk.adiantum(key).encryptPages(new Bytes(8192), { pageSize: 512, first: 7, tweak: 'dm-crypt' }),
        'HPolyC, pages under tweaks of a function': () =>
          disk.hpolyc(key, { rounds: 20 }).decryptPages(new Bytes(8192), { pageSize: 4096, tweak: () => nonce }),
        // Encryption asks the host for nonces, which has prototypes of its own to ask.
        'an authenticated page': () => disk.authenticatedPages(chacha.xchacha20poly1305, key).decrypt(sealedPage, 3),
        'Poly1305 of more than the stage': () => poly1305Module.poly1305(message, key),
        'Poly1305 in pieces': () =>
          poly1305Module.poly1305.create(key).update(key).update(message).update(nonce).digest(),
        equalBytes: () => utils.equalBytes(key, message),
        isBytes: () => utils.isBytes(key),
        bytesToHex: () => utils.bytesToHex(key),
        hexToBytes: () => utils.hexToBytes(digits),
        clean: () => utils.clean(out, out),
        destroy() {
          const box = chacha.chacha20poly1305(key, input8(nonce));
          box.destroy();
          chacha.chacha20.stream(key, input8(nonce)).destroy();
          poly1305Module.poly1305.create(key).destroy();
        },
      };
      const first = nonce.slice(0, 12);
      const input8 = (_: Uint8Array): Uint8Array => first;
      for (const step of Object.values(steps)) step();

      for (const [name, step] of Object.entries(steps)) {
        const { error, reached, result } = underAttack(step);
        expect([name, reached, error]).toEqual([name, [], undefined]);
        if (name === 'parts' || name.startsWith('managedNonce'))
          expectBytes(
            result as Uint8Array,
            { parts: sealed }[name] ?? (name.endsWith('back') ? message : concat(nonce, sealed)),
            name,
          );
        if (name.startsWith('Poly1305 of')) expectBytes(result as Uint8Array, tag, name);
        if (name === 'secretbox in parts') expectBytes(result as Uint8Array, boxed, name);
        if (name.startsWith('secretbox in parts, back')) expectBytes(result as Uint8Array, message, name);
        if (name === 'bytesToHex') expect(result).toBe(digits);
        if (name === 'hexToBytes') expectBytes(result as Uint8Array, key, name);
      }
      expect(subkey).toEqual(expected);
    });
  });
});

describe('before it was first used', () => {
  /** A new copy of the library, without a first use. */
  async function fresh(): Promise<Library & typeof engineModule> {
    vi.resetModules();
    const [a, b, c, d] = await Promise.all([
      import('../../src/blake3.ts'),
      import('../../src/chacha.ts'),
      import('../../src/poly1305.ts'),
      import('../../src/engine.ts'),
    ]);
    return ready({ ...a, ...b, ...c, ...d });
  }

  test.each(engines)('%s: nothing is reached, and the answers are right', async (engine) => {
    const mine = await fresh();
    mine.select(engine);
    expect(answered([...cipherAnswers(mine), ...blake3Answers(mine)], 'throws').reached).toEqual([]);
  });

  test('nor when the engine is chosen', async () => {
    const mine = await fresh();
    expect(answered([...cipherAnswers(mine), ...blake3Answers(mine)], 'throws').reached).toEqual([]);
    expect(mine.describe().engine).toBe(engines[0]);
  });

  test('shared memory is known as such where a page has wrapped ArrayBuffer', async () => {
    const original = globalThis.ArrayBuffer;
    globalThis.ArrayBuffer = class extends original {};
    vi.resetModules();
    const { isShared } = await import('../../src/engine/intrinsics.ts');
    globalThis.ArrayBuffer = original;
    expect([new SharedArrayBuffer(1), new ArrayBuffer(1)].map((buffer) => isShared(new Uint8Array(buffer)))).toEqual([
      true,
      false,
    ]);
  });

  test.each([
    ['decodes no hexadecimal text', Uint8Array, 'fromHex'],
    ['encodes no text', globalThis, 'TextEncoder'],
  ] as const)('nor where the host %s', async (_, owner, name) => {
    const own = Object.getOwnPropertyDescriptor(owner, name);
    Reflect.deleteProperty(owner, name);
    const mine = await fresh();
    if (own) Object.defineProperty(owner, name, own);
    // Without TextEncoder, the context of a key derivation has to be bytes, which it is in none of these.
    const hashes = name === 'TextEncoder' ? [] : blake3Answers(mine);
    expect(answered([...cipherAnswers(mine), ...hashes], 'throws').reached).toEqual([]);
    expect(mine.describe().engine).toBe(engines[0]);
  });
});
