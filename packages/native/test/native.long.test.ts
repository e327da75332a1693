/** Runs in Node only: native code in each width that this machine has: against other implementations, and as wrongly as it can be called. */
import { createCipheriv } from 'node:crypto';
import { chacha20poly1305 as nobleSealing } from '@noble/ciphers/chacha.js';
import { salsa20 as nobleSalsa, xsalsa20poly1305 as nobleBox } from '@noble/ciphers/salsa.js';
import { blake3 as nobleBlake3 } from '@noble/hashes/blake3.js';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { blake3, hashMany } from '../../lanewise/src/blake3.ts';
import { longKernel as blake3Kernel } from '../../lanewise/src/blake3/binding.ts';
import { chacha20, chacha20poly1305, xchacha20, xchacha20poly1305 } from '../../lanewise/src/chacha.ts';
import { longKernel as chachaKernel } from '../../lanewise/src/chacha/binding.ts';
import { adiantum, hpolyc } from '../../lanewise/src/disk.ts';
import { diskKernel } from '../../lanewise/src/disk/binding.ts';
import { describe as chosen, offerNative, select, type NativeCode } from '../../lanewise/src/engine.ts';
import { Instance } from '../../lanewise/src/engine/instance.ts';
import { cbc, ctr, ctrLittleEndian, ecb, ocb } from '../../lanewise/src/serpent.ts';
import { serpentKernel } from '../../lanewise/src/serpent/binding.ts';
import { serpentCtrKernel } from '../../lanewise/src/serpent/ctr-binding.ts';
import { salsa20, xsalsa20poly1305 } from '../../lanewise/src/salsa.ts';
import { longKernel as salsaKernel } from '../../lanewise/src/salsa/binding.ts';
import { expectBytes, sample } from '../../lanewise/test/support/bytes.ts';
import { underAttack } from '../../lanewise/test/support/hostile.ts';
import { codeOf, lanesHere } from '../src/kernels.ts';
import { addon } from './support/compiled.ts';

type Code = Extract<NativeCode, { lanes: number }>;

const bytes = sample(200_000, 30);
const [key, nonce, longNonce, aad] = [sample(32, 31), sample(12, 32), sample(24, 33), sample(37, 34)];
const nonce16 = sample(16, 35);
/** Both sides of blocks, of groups in each width, of the stage, and of the length from which bytes are read in place. */
const lengths = [
  ...[65, 127, 128, 129, 255, 257, 511, 512, 513, 1023, 1024, 1025, 1280, 2049, 3071, 3073, 4095, 4096, 4097, 5000],
  ...[16_383, 16_385, 17_408, 65_535, 65_536, 65_537, 122_879, 122_880, 122_881, 131_072, 199_000],
];

/** A result without native code. */
function inWebAssembly<Result>(work: () => Result): Result {
  const { engine } = chosen();
  select('simd');
  try {
    return work();
  } finally {
    select(engine === 'native' ? 'native' : 'auto');
  }
}

const widths = addon ? lanesHere(addon) : [];

describe.skipIf(!addon).each(widths)('%i lanes', (lanes) => {
  // In C at each length.
  const code = addon && (codeOf(addon, lanes, 0) as Code);
  beforeEach(() => offerNative(code!));
  afterAll(() => offerNative({ reason: 'the test has ended' }));

  test('in a call nothing is reached that a program can have replaced, from the first on', () => {
    offerNative(codeOf(addon!, lanes));
    const sealed = nobleSealing(key, nonce, aad).encrypt(bytes.subarray(0, 9000));
    const message = bytes.slice(0, 9000);
    for (const [call, expected] of [
      [() => chacha20poly1305(key, nonce, aad).encrypt(message), sealed],
      [() => chacha20poly1305(key, nonce, aad).decrypt(sealed), message],
      [() => xsalsa20poly1305(key, longNonce).encrypt(aad), nobleBox(key, longNonce).encrypt(aad)],
      [() => blake3(sealed), nobleBlake3(sealed)],
    ] as const) {
      const { reached, error, result } = underAttack(call);
      expect({ reached, error }).toEqual({ reached: [], error: undefined });
      expectBytes(result as Uint8Array, expected, String(call));
    }
  });

  test('describe() says so', () => {
    const { engine, lanes: described, instructions, reason } = chosen();
    expect({ engine, described, reason }).toEqual({ engine: 'native', described: lanes, reason: undefined });
    expect(instructions).toMatch(/^[\w-]+$/);
  });

  test.each([
    ['chacha', chachaKernel],
    ['salsa', salsaKernel],
    ['blake3', blake3Kernel],
    ['Serpent', serpentKernel],
    ['Serpent in CTR mode', serpentCtrKernel],
    ['disk', diskKernel],
  ] as const)('the kernel of %s computes its known answer', (name, source) => {
    // It needs instructions for AES, which come with wide vectors.
    if (name === 'disk' && lanes < 8) {
      expect(code!.instanceOf(source as unknown as typeof chachaKernel, Instance)).toBeUndefined();
      return;
    }
    const instance = code!.instanceOf(source as unknown as typeof chachaKernel, Instance);
    expect(instance).toBeInstanceOf(Instance);
    expect(source.selfTest(instance as never)).toBe(true);
    expect(instance!.memory.subarray(source.secrets).every((byte) => byte === 0)).toBe(true);
  });

  test.each(lengths)('%i bytes, at each alignment, as other implementations compute them', (length) => {
    const message = bytes.subarray(length % 17, (length % 17) + length);
    const iv = Buffer.concat([Buffer.alloc(4), nonce]);
    expectBytes(chacha20(key, nonce, message), createCipheriv('chacha20', key, iv).update(message), 'ChaCha20');
    const sealed = nobleSealing(key, nonce, aad).encrypt(message);
    expectBytes(chacha20poly1305(key, nonce, aad).encrypt(message), sealed, 'sealed');
    expectBytes(chacha20poly1305(key, nonce, aad).decrypt(sealed), message, 'opened');
    expectBytes(blake3(message), nobleBlake3(message), 'BLAKE3');
    if (length > 70_000) return;
    expectBytes(salsa20(key, nonce.subarray(0, 8), message), nobleSalsa(key, nonce.subarray(0, 8), message), 'Salsa20');
    const box = nobleBox(key, longNonce).encrypt(message);
    expectBytes(xsalsa20poly1305(key, longNonce).encrypt(message), box, 'box');
    expectBytes(xsalsa20poly1305(key, longNonce).decrypt(box), message, 'box opened');
    expectBytes(blake3(message, { key, dkLen: 3000 }), nobleBlake3(message, { key, dkLen: 3000 }), 'keyed BLAKE3');
    expect(chosen().engine).toBe('native');
  });

  test('a counter that carries within a group, or among the blocks of a short message, and one of 64 bits', () => {
    const ciphers = [
      { cipher: salsa20, its: nonce.subarray(0, 8) },
      { cipher: xchacha20, its: longNonce },
    ];
    for (const { cipher, its } of ciphers)
      for (const length of [100, 200, 256, 5000])
        for (const counter of [2n ** 32n - 20n, 2n ** 32n - 3n, 2n ** 32n - 1n, 2n ** 40n - 3n]) {
          const work = (): Uint8Array => cipher(key, its, bytes.subarray(0, length), undefined, counter);
          expectBytes(work(), inWebAssembly(work), `${cipher.name}, ${length} bytes from block ${counter}`);
        }
  });

  test('Serpent at every length up to 1,300 and at the ends of sets and groups, as WebAssembly computes it', () => {
    const modes: Record<string, (message: Uint8Array) => Uint8Array> = {
      ctr: (message) => ctr(key, nonce16).encrypt(message),
      ctrLittleEndian: (message) => ctrLittleEndian(key, nonce16).encrypt(message),
      ocb: (message) => ocb(key, nonce, aad).encrypt(message),
      opened: (message) => ocb(key, nonce, aad).decrypt(ocb(key, nonce, aad).encrypt(message)),
      cbc: (message) => cbc(key, nonce16).encrypt(message),
      decrypted: (message) => cbc(key, nonce16).decrypt(cbc(key, nonce16).encrypt(message)),
      ecb: (message) => ecb(key).decrypt(ecb(key).encrypt(message)),
    };
    const more = [2047, 2048, 2064, 4095, 4096, 4113, 8191, 65_537, 122_880, 122_896, 199_000];
    for (const length of [...Array.from({ length: 1300 }, (_, i) => i), ...more])
      for (const [name, mode] of Object.entries(modes)) {
        if (name !== 'ctr' && length < 1300 && length % 7 > 1) continue;
        const message = bytes.subarray(length % 17, (length % 17) + length);
        const own = mode(message);
        // Chosen anew for each kernel, one that fails its self-test would be put away.
        expect(chosen().engine).toBe('native');
        expectBytes(own, inWebAssembly(() => mode(message)), `${name}, ${length} bytes`); // prettier-ignore
      }
  });

  test('counters of Serpent that carry in each word, within a set and between sets', () => {
    const message = bytes.subarray(0, 5000);
    for (const ones of [3, 7, 11])
      for (const from of [1, 20, 100]) {
        const iv = new Uint8Array(16).fill(255, 15 - ones, 15);
        iv[15] = 256 - from;
        for (const [mode, its] of [[ctr, iv], [ctrLittleEndian, iv.toReversed()]] as const) // prettier-ignore
          expectBytes(mode(key, its).encrypt(message), inWebAssembly(() => mode(key, its).encrypt(message)), `${ones}, ${from}`); // prettier-ignore
      }
  });

  test.skipIf(lanes < 8)(
    'pages of Adiantum and HPolyC at every length up to 1,300, as WebAssembly computes them',
    () => {
      const lengths = [
        ...Array.from({ length: 1285 }, (_, i) => 16 + i),
        2048,
        4096,
        4097,
        8192,
        65_535,
        65_536,
        199_000,
      ];
      for (const make of [adiantum, hpolyc])
        for (const rounds of [8, 12, 20] as const) {
          const cipher = make(key, { rounds });
          for (const length of lengths) {
            if (length % 3 !== rounds % 3 && length < 1285) continue;
            const page = bytes.subarray(length % 17, (length % 17) + length);
            const tweak = bytes.subarray(0, length % 40);
            const sealed = cipher.encrypt(page, tweak);
            expect(chosen().engine).toBe('native');
            expectBytes(sealed, inWebAssembly(() => cipher.encrypt(page, tweak)), `${length} bytes`); // prettier-ignore
            expectBytes(cipher.decrypt(sealed, tweak), page, `${length} bytes, opened`);
          }
        }
    },
  );

  test.skipIf(lanes < 8)('many pages of Adiantum and HPolyC, as WebAssembly computes them', () => {
    for (const make of [adiantum, hpolyc])
      for (const pageSize of [16, 48, 512, 520, 1024, 1500, 4096])
        for (const count of [1, 2, 7, 8, 9, 15, 16, 17, 33, 40]) {
          const cipher = make(key);
          const options = { pageSize, first: 2 ** 32 - 5, tweak: 'index64' } as const;
          const pages = bytes.slice(0, pageSize * count);
          const expected = inWebAssembly(() => cipher.encryptPages(pages.slice(), options));
          expectBytes(cipher.encryptPages(pages, options), expected, `${count} pages of ${pageSize}`);
          expectBytes(cipher.decryptPages(pages, options), bytes.subarray(0, pages.length), `${count} pages, opened`);
        }
  });

  test('streams of Serpent side by side', () => {
    for (const count of [1, 2, 5, 16, 33]) {
      const ivs = Array.from({ length: count }, (_, i) => sample(16, i));
      const messages = ivs.map((_, i) => bytes.subarray(i * 96, i * 96 + 96));
      const expected = inWebAssembly(() => cbc.encryptMany(key, ivs, messages));
      cbc.encryptMany(key, ivs, messages).forEach((each, i) => expectBytes(each, expected[i], `${count}, stream ${i}`));
    }
  });

  test('many messages of one length', () => {
    const messages = Array.from({ length: 75 }, (_, i) => bytes.subarray(i * 900, i * 900 + 777));
    hashMany(messages).forEach((digest, i) => expectBytes(digest, nobleBlake3(messages[i]), `message ${i}`));
  });

  test('BLAKE3 of long messages where they are, and of others: the same digests, and no byte stays in memory', () => {
    const fresh = codeOf(addon!, lanes) as Code;
    offerNative(fresh);
    const { memory } = fresh.instanceOf(blake3Kernel, Instance)!;
    const zeros = Buffer.alloc(memory.length - blake3Kernel.secrets);
    const most = sample(5 * 2 ** 20, 36);
    // Both sides of the length from which bytes are read in place, of a stage, and of many.
    for (const size of [4096, 65_536, 2 ** 20, 2 ** 21, 2 ** 22])
      for (const length of [size - 1024, size - 1, size, size + 1, size + 1025]) {
        const message = most.subarray(3, 3 + length);
        const shared = new Uint8Array(new SharedArrayBuffer(length));
        shared.set(message);
        for (const options of [{}, { key }, { key, dkLen: 100 }]) {
          const expected = inWebAssembly(() => blake3(message, options));
          for (const its of [message, shared]) {
            expectBytes(blake3(its, options), expected, `${length} bytes`);
            expect(zeros.equals(memory.subarray(blake3Kernel.secrets)), `${length} bytes`).toBe(true);
          }
        }
      }
  });

  test.each([0, 1, 15, 64, 1000, -1, -64, -1000])('out is %i bytes after the input', (shift) => {
    for (const length of [320, 5008, 130_000]) {
      const memory = new Uint8Array(length + 2100);
      const input = memory.subarray(1020, 1020 + length);
      const out = memory.subarray(1020 + shift, 1020 + shift + length);
      const expected = chacha20(key, nonce, bytes.subarray(0, length));
      input.set(bytes.subarray(0, length));
      expectBytes(chacha20(key, nonce, input, out), expected, `${length} bytes`);
      input.set(bytes.subarray(0, length));
      const sealed = xchacha20poly1305(key, longNonce).encrypt(bytes.subarray(0, length));
      const place = memory.subarray(1020 + shift, 1036 + shift + length);
      expectBytes(xchacha20poly1305(key, longNonce).encrypt(input, place), sealed, `${length} bytes sealed`);
      for (const [name, mode] of [
        ['CTR', (message: Uint8Array, to?: Uint8Array) => ctr(key, nonce16).decrypt(message, to)],
        [
          'CBC',
          (message: Uint8Array, to?: Uint8Array) => cbc(key, nonce16, { disablePadding: true }).decrypt(message, to),
        ],
      ] as const) {
        const its = inWebAssembly(() => mode(bytes.subarray(0, length)));
        input.set(bytes.subarray(0, length));
        expectBytes(mode(input, out), its, `${length} bytes in ${name} mode`);
      }
    }
  });

  test('shared, resizable and detached memory', () => {
    const message = bytes.subarray(0, 50_000);
    const [digest, sealed] = [nobleBlake3(message), nobleSealing(key, nonce).encrypt(message)];
    const shared = new Uint8Array(new SharedArrayBuffer(50_000));
    const resizable = new Uint8Array(new ArrayBuffer(50_000, { maxByteLength: 60_000 }));
    for (const memory of [shared, resizable]) {
      memory.set(message);
      expectBytes(blake3(memory), digest, 'hashed');
      expectBytes(chacha20poly1305(key, nonce).encrypt(memory), sealed, 'sealed');
    }
    resizable.buffer.resize(20_000);
    expectBytes(blake3(resizable), nobleBlake3(message.subarray(0, 20_000)), 'shrunk');
    const detached = new Uint8Array(50_000);
    structuredClone(detached, { transfer: [detached.buffer] });
    expect(() => blake3(detached)).toThrow('"message" expected Uint8Array, got one whose buffer is detached');
  });

  test('a tag that is wrong: nothing is written, and nothing stays in memory', () => {
    // In a memory of its own: a message that was sealed leaves its ciphertext.
    const fresh = codeOf(addon!, lanes) as Code;
    offerNative(fresh);
    for (const length of [200, 5000, 100_000]) {
      const sealed = nobleSealing(key, nonce).encrypt(bytes.subarray(0, length));
      sealed[length >> 1] ^= 1;
      const out = new Uint8Array(length).fill(7);
      expect(() => chacha20poly1305(key, nonce).decrypt(sealed, out)).toThrow(/^invalid tag$/);
      expect(out.every((byte) => byte === 7)).toBe(true);
      const { memory } = fresh.instanceOf(chachaKernel, Instance)!;
      expect(memory.subarray(chachaKernel.secrets).every((byte) => byte === 0)).toBe(true);
    }
  });

  test.each([
    ['chacha20', chachaKernel, (n: number) => chacha20(key, nonce, bytes.subarray(0, n))],
    ['salsa20', salsaKernel, (n: number) => salsa20(key, nonce.subarray(0, 8), bytes.subarray(0, n))],
    ['blake3', blake3Kernel, (n: number) => blake3(bytes.subarray(0, n), { key, dkLen: 2000 })],
    ['Serpent in CTR mode', serpentCtrKernel, (n: number) => ctr(key, nonce16).encrypt(bytes.subarray(0, n))],
    ...(lanes < 8
      ? []
      : ([['Adiantum', diskKernel, (n: number) => adiantum(key).encrypt(bytes.subarray(0, n + 1), aad)]] as const)),
    ['Serpent in OCB mode', serpentKernel, (n: number) => ocb(key, nonce, aad).encrypt(bytes.subarray(0, n))],
  ] as const)('%s leaves no byte in memory', (_, source, call) => {
    const fresh = codeOf(addon!, lanes) as Code;
    offerNative(fresh);
    for (const length of [200, 3000, 5000, 65_536, 150_000]) {
      call(length);
      const { memory } = fresh.instanceOf(source as unknown as typeof chachaKernel, Instance)!;
      expect(memory.subarray(source.secrets).every((byte) => byte === 0)).toBe(true);
    }
  });
});

describe.skipIf(!addon)('the choice', () => {
  const code = addon && (codeOf(addon, Math.max(...widths)) as Code);

  test('one wrong answer puts native code away, and describe() says so', () => {
    let asked = 0;
    const wrong: Code = {
      ...code!,
      instanceOf: (source, make) => {
        const instance = code!.instanceOf(source, make);
        if (!instance) return undefined;
        asked++;
        const memory = instance.memory;
        const run = { ...(instance.run as object) } as Record<string, unknown>;
        run['hash'] = () => memory.fill(0);
        return Object.assign(Object.create(instance) as typeof instance, { run, holds: () => false });
      },
    };
    offerNative(wrong);
    expect(chosen().engine).toBe('native');
    expectBytes(blake3(bytes), nobleBlake3(bytes), 'the answer is right all the same');
    expect(asked).toBe(1);
    expect(chosen()).toMatchObject({ engine: 'simd', reason: 'no native: it gave a wrong answer' });
    expect(() => select('native')).toThrow('"engine" native is not available: it gave a wrong answer');
  });

  test('select refuses it, and takes it back', () => {
    offerNative(code!);
    select('simd');
    expect(chosen()).toMatchObject({ engine: 'simd', reason: 'selected' });
    select('native');
    expect(chosen().engine).toBe('native');
    select('js');
    select('auto');
    expect(chosen().engine).toBe('native');
    offerNative({ reason: 'no addon for this system' });
    expect(chosen()).toMatchObject({ engine: 'simd', reason: 'no native: no addon for this system' });
  });

  test('kernels of another version of the library are not taken', () => {
    const other = { ...chachaKernel, texts: { ...chachaKernel.texts, vectors: `${chachaKernel.texts.vectors!} ` } };
    expect(code!.instanceOf(other, Instance)).toBeUndefined();
  });
});

describe.skipIf(!addon)('the addon called directly', () => {
  const made = (memory = new Uint8Array(1 << 17)) => addon!.create(0, widths.at(-1)!, memory)!;
  const call = (name: string, ...operands: (number | Uint8Array)[]): unknown =>
    (made()[name] as (...operands: unknown[]) => unknown)(...operands);

  test.each([
    ['xor', [1, 10, 130_000, 100]],
    ['xor', [1, 10, -64, 1]],
    ['xor', [1, 0, 4096, 1]],
    ['seal', [1, 2000, 64]],
    ['seal', [1, 0, -1]],
    ['open', [1, 0, 131_072]],
    ['absorb', [131_000, 100]],
    ['finish', [0, 0, 0, 0, 131_060]],
    ['verify', [-8]],
  ] as const)('%s refuses addresses out of bounds: %j', (name, operands) => {
    expect(() => call(name, ...operands)).toThrow(new RangeError('memory access out of bounds'));
  });

  test('other types than numbers and bytes, and kernels that there are not', () => {
    expect(() => call('decrypt', 'x' as never)).toThrow('the call of native code failed');
    expect(() => call('decrypt', 64, 0, 0, 0, 0, 0, 0, 0, new Uint16Array(64) as never)).toThrow(TypeError);
    expect(() => addon!.create(9, widths.at(-1)!, new Uint8Array(1 << 17))).toThrow(RangeError);
    expect(() => addon!.create(0, 5, new Uint8Array(1 << 17))).toThrow(RangeError);
    expect(() => addon!.create(0, widths.at(-1)!, new Uint16Array(1 << 17) as never)).toThrow(RangeError);
    expect(() => addon!.create(0, widths.at(-1)!, new ArrayBuffer(1 << 17) as never)).toThrow(
      'the call of native code failed',
    );
    expect(() => made(new Uint8Array(1000))).toThrow(RangeError);
    expect(addon!.find('no kernel')).toBe(-1);
  });
});
