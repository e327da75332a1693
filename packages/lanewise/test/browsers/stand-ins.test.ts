/** The stand-ins that runs in browsers have for modules of Node give the same results. */
// Runs in Node only: compares the stand-ins with modules of Node.
import { Buffer as NodeBuffer } from 'node:buffer';
import {
  createCipheriv as nodeCreateCipheriv,
  createDecipheriv as nodeCreateDecipheriv,
  createHash as nodeCreateHash,
  createHmac as nodeCreateHmac,
} from 'node:crypto';
import nodeSodium from 'libsodium-wrappers-sumo';
import { describe, expect, test } from 'vitest';
import { Buffer } from './stand-ins/buffer.ts';
import { createCipheriv, createDecipheriv, createHash, createHmac } from './stand-ins/crypto.ts';
import sodium from './stand-ins/libsodium.ts';
import { broken, askedFor, queryOf } from './page/messages.ts';
import {
  filesOf,
  inEveryMode,
  modes,
  modesOf,
  onlyInNode,
  programMode,
  suite,
  withWebAssembly,
  withWorkers,
  workerdMode,
} from './suite.ts';
import { concat, expectBytes, hex, range, sample } from '../support/bytes.ts';

const key = sample(32, 1001);
const data = sample(1000, 1002);
await nodeSodium.ready;

describe('ciphers', () => {
  const counters = [
    0n,
    1n,
    2n ** 31n,
    2n ** 32n - 3n,
    2n ** 32n - 2n,
    2n ** 32n - 1n,
    2n ** 32n,
    2n ** 33n - 1n,
    2n ** 64n - 40n,
  ];
  test.each(counters)('chacha20 from block %i', (counter) => {
    const iv = concat(new Uint8Array(BigUint64Array.of(counter).buffer), sample(8, 1003));
    for (const length of [0, 1, 64, 65, 1000]) {
      const message = data.subarray(0, length);
      expectBytes(
        createCipheriv('chacha20', key, iv).update(message),
        nodeCreateCipheriv('chacha20', key, iv).update(message),
        `${length} bytes`,
      );
    }
  });

  test.each([0, 1, 100, 1000])('chacha20-poly1305 of %i bytes', (length) => {
    const [nonce, aad, message] = [sample(12, 1004), sample(30, 1005), data.subarray(0, length)];
    const ours = createCipheriv('chacha20-poly1305', key, nonce);
    const theirs = nodeCreateCipheriv('chacha20-poly1305', key, nonce, { authTagLength: 16 });
    ours.setAAD(aad);
    theirs.setAAD(aad);
    expectBytes(ours.update(message), theirs.update(message), 'the ciphertext');
    expectBytes(ours.final(), theirs.final(), 'the end of it');
    expectBytes(ours.getAuthTag(), theirs.getAuthTag(), 'the tag');
  });

  test.each([16, 32] as const)('AES-GCM with a key of %i bytes', (keyLength) => {
    const name = keyLength === 16 ? 'aes-128-gcm' : 'aes-256-gcm';
    const [itsKey, nonce] = [key.subarray(0, keyLength), sample(12, 1004)];
    for (const length of [0, 1, 16, 1000]) {
      const ours = createCipheriv(name, itsKey, nonce);
      const theirs = nodeCreateCipheriv(name, itsKey, nonce, { authTagLength: 16 });
      const ciphertext = ours.update(data.subarray(0, length));
      expectBytes(ciphertext, theirs.update(data.subarray(0, length)), 'the ciphertext');
      theirs.final();
      expectBytes(ours.getAuthTag(), theirs.getAuthTag(), 'the tag');
      for (const wrong of [0, 1]) {
        const tag = theirs.getAuthTag();
        tag[15] ^= wrong;
        for (const decipher of [createDecipheriv(name, itsKey, nonce), nodeCreateDecipheriv(name, itsKey, nonce)]) {
          decipher.setAuthTag(tag);
          const opened = decipher.update(ciphertext);
          if (wrong) expect(() => decipher.final()).toThrow();
          else expectBytes(concat(opened, decipher.final()), data.subarray(0, length), 'opened');
        }
      }
    }
  });

  test('HMAC-SHA-512', () => {
    for (const length of [0, 1, 111, 112, 128, 1000])
      expectBytes(
        createHmac('sha512', key).update(data.subarray(0, length)).digest(),
        nodeCreateHmac('sha512', key).update(data.subarray(0, length)).digest(),
        `${length} bytes`,
      );
  });

  test('secretstream, both ways', () => {
    const name = 'crypto_secretstream_xchacha20poly1305';
    const theirs = nodeSodium[`${name}_init_push`](key);
    const header = theirs.header;
    const [pulling, pushing] = [0, 1].map(() => sodium[`${name}_init_pull`](header, key));
    const push = nodeSodium[`${name}_init_pull`](header, key);
    range(0, 70).forEach((length) => {
      const [message, tag] = [data.subarray(0, length), length % 3];
      const ad = length % 2 ? data.subarray(200, 200 + length) : null;
      if (length % 10 === 9) {
        pulling.rekey();
        pushing.rekey();
        nodeSodium[`${name}_rekey`](theirs.state);
        nodeSodium[`${name}_rekey`](push);
      }
      const sealed = nodeSodium[`${name}_push`](theirs.state, message, ad, tag);
      expectBytes(sodium[`${name}_push`](pushing, message, ad, tag), sealed, `${length} bytes sealed`);
      const wrong = sealed.slice();
      wrong[length % 17] ^= 1;
      expect(sodium[`${name}_pull`](pulling, wrong, ad)).toBe(false);
      const opened = sodium[`${name}_pull`](pulling, sealed, ad);
      if (!opened) throw new Error(`${length} bytes are refused`);
      expectBytes(opened.message, message, `${length} bytes opened`);
      expect(opened.tag).toBe(tag);
      expect(nodeSodium[`${name}_pull`](push, sealed, ad)).toBeTruthy();
    });
  });

  test.each(['sha256', 'md5'] as const)('%s', (name) => {
    const [ours, theirs] = [createHash(name), nodeCreateHash(name)].map((hash) =>
      hash.update(data).update(key).digest('hex'),
    );
    expect(ours).toBe(theirs);
  });

  test('libsodium', () => {
    const nonce = sample(24, 1006);
    for (const length of range(0, 70)) {
      const message = data.subarray(0, length);
      const aad = data.subarray(500, 500 + length);
      for (const name of ['crypto_stream_xchacha20_xor', 'crypto_onetimeauth'] as const) {
        const call = (library: typeof sodium): Uint8Array =>
          name === 'crypto_onetimeauth' ? library[name](message, key) : library[name](message, nonce, key);
        expectBytes(call(sodium), call(nodeSodium as unknown as typeof sodium), `${name}, ${length} bytes`);
      }
      const seal = (library: typeof sodium): Uint8Array =>
        library.crypto_aead_xchacha20poly1305_ietf_encrypt(message, aad, null, nonce, key);
      expectBytes(seal(sodium), seal(nodeSodium as unknown as typeof sodium), `sealed, ${length} bytes`);
    }
    const input = nonce.subarray(0, 16);
    expectBytes(
      sodium.crypto_core_hchacha20(input, key),
      nodeSodium.crypto_core_hchacha20(input, key, null),
      'HChaCha20',
    );
  });
});

describe('Buffer', () => {
  test('text in both encodings, there and back', () => {
    for (const text of ['', '00', 'ff00a5', hex(data)]) {
      expectBytes(Buffer.from(text, 'hex'), NodeBuffer.from(text, 'hex'), text);
      expect(Buffer.from(text, 'hex').toString('hex')).toBe(text);
      expectBytes(
        Buffer.from(NodeBuffer.from(text, 'hex').toString('base64'), 'base64'),
        NodeBuffer.from(text, 'hex'),
        text,
      );
    }
    expectBytes(Buffer.from('Ä, €'), NodeBuffer.from('Ä, €'), 'UTF-8');
  });

  test('copies of bytes, and views of buffers', () => {
    const bytes = sample(20, 1007);
    const copy = Buffer.from(bytes);
    expectBytes(copy, bytes, 'the copy');
    expect(copy.buffer).not.toBe(bytes.buffer);
    const view = Buffer.from(bytes.buffer, 3, 5);
    expect([view.buffer === bytes.buffer, view.byteOffset, view.length]).toEqual([true, 3, 5]);
    expectBytes(Buffer.concat([bytes, view]), NodeBuffer.concat([bytes, bytes.subarray(3, 8)]), 'concat');
  });

  test('comparison sees every byte, at any offset', () => {
    const bytes = sample(41, 1008);
    for (const from of range(0, 8))
      for (const length of range(0, 33)) {
        const [a, b] = [bytes.slice(), bytes.slice()].map((each) => each.subarray(from, from + length));
        expect(Buffer.compare(a, b)).toBe(0);
        for (const i of range(0, length)) {
          b[i] ^= 0x10;
          expect(Buffer.compare(a, b)).not.toBe(0);
          b[i] ^= 0x10;
        }
        expect(Buffer.compare(a, bytes.subarray(from, from + length + 1))).not.toBe(0);
      }
  });

  test('searching, and integers', () => {
    const [ours, theirs] = [Buffer.from(data), NodeBuffer.from(data)];
    for (const from of range(0, 200)) {
      const wanted = data.subarray(from, from + 4);
      expect(ours.indexOf(wanted)).toBe(theirs.indexOf(wanted));
      expect(ours.indexOf(wanted, from + 1)).toBe(theirs.indexOf(wanted, from + 1));
      expect(ours.includes(wanted)).toBe(true);
      expect(ours.readUInt32LE(from)).toBe(theirs.readUInt32LE(from));
    }
    expect(ours.includes(Uint8Array.of(1, 2, 3, 4, 5, 6))).toBe(false);
    const [a, b] = [Buffer.alloc(20), NodeBuffer.alloc(20)];
    for (const each of [a, b] as const) {
      each.writeUInt32LE(0xdeadbeef, 3);
      each.writeBigUInt64LE(0x0123456789abcdefn, 9);
    }
    expectBytes(a, b, 'what was written');
  });
});

describe('what runs where', () => {
  test('every file runs, or there is a reason', () => {
    expect(suite.length).toBeGreaterThan(20);
    for (const name of ['library/vectors', 'library/lengths', 'library/aead', 'blake3/vectors', 'library/wiping'])
      expect(suite).toContain(name);
    for (const [name, reason] of Object.entries({ ...onlyInNode, ...withWebAssembly, ...withWorkers })) {
      expect(suite.includes(name), name).toBe(name in withWebAssembly || name in withWorkers);
      expect(reason).not.toBe('');
    }
    expect(Object.keys(onlyInNode).length).toBeGreaterThan(20);
    // On each change, Firefox and WebKitGTK run known answers and lengths, and each browser all that depends on a host; at night every browser runs
    // every file, and modes without compilation every file that can do without it.
    const quick = suite.filter((name) => !/\.(long|nightly)$/.test(name));
    expect(quick.length).toBeLessThan(suite.length);
    const answers = Object.keys(inEveryMode).filter((name) => inEveryMode[name] === 'known answers');
    for (const browser of ['chromium', 'firefox', 'webkit']) {
      const files = modesOf(browser).flatMap((mode) => filesOf(mode));
      expect(files).toEqual(expect.arrayContaining(quick.filter((name) => /^(engine|io|pool|stream)\//.test(name))));
      if (browser !== 'chromium')
        expect(files).toEqual(expect.arrayContaining([...answers, 'library/lengths', 'blake3/lengths']));
      expect(modesOf(browser).map((mode) => filesOf(mode, true))).toContainEqual(suite);
    }
    const chromium = modesOf('chromium');
    const without = (name: string): boolean => name in withWebAssembly || name in withWorkers;
    expect(filesOf(workerdMode, true)).toEqual(suite.filter((name) => !without(name)));
    for (const mode of [...chromium, ...modes.filter((each) => !each.complete), workerdMode, programMode]) {
      expect(filesOf(mode)).toEqual(
        expect.arrayContaining(['host', 'library/vectors', 'library/buffers', 'stream/known-answers', 'stream/opfs']),
      );
      expect(filesOf(mode, true)).toEqual(expect.arrayContaining([...filesOf(mode), 'blake3/vectors', 'disk/vectors']));
      expect(filesOf(mode).length).toBeLessThan(suite.length / 2);
    }
    for (const name of ['stream/pool', 'pool/pool', 'engine/provide', 'argon2/lanes'])
      expect(filesOf(chromium[0])).toContain(name);
  });

  test('a realm is told what to run by its address', () => {
    const surroundings = { engines: ['simd', 'js'], isolated: true };
    const told = askedFor(`http://127.0.0.1/realm.js?${queryOf('blake3/lengths', surroundings)}`);
    expect(told).toEqual({ file: 'blake3/lengths', surroundings });
  });

  test('a file that could not be run has failed', () => {
    expect(broken('vectors', 'why')).toMatchObject({ passed: 0, failed: [{ test: '(the file)', error: 'why' }] });
  });
});
