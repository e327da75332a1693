/**
 * Lengths on both sides of every limit, at every alignment, against other implementations: encryption and decryption, into
 * fresh bytes and into given ones.
 */
import * as noble from '@noble/ciphers/chacha.js';
import { describe, expect, test } from 'vitest';
import * as lanewise from '../../src/chacha.ts';
import { STAGE_BYTES } from '../../src/keystream/map.ts';
import { STAGE_BYTES as MAC_STAGE_BYTES } from '../../src/poly1305/map.ts';
import { poly1305 } from '../../src/poly1305.ts';
import { atOffset, expectBytes, guarded, range, sample } from '../support/bytes.ts';
import { onEachEngine } from '../support/engines.ts';
import * as oracles from '../support/oracles.ts';

const MEBIBYTE = 2 ** 20;
const around = (limit: number): number[] =>
  [-65, -64, -63, -17, -16, -15, -1, 0, 1, 15, 16, 17, 63, 64, 65].map((d) => limit + d);
/** The most that a kernel takes in one call; longer messages go in parts. */
const stageLimits = [...around(STAGE_BYTES), ...around(2 * STAGE_BYTES)];
const large = [-63, -16, -1, 0, 1, 16, 63].map((d) => MEBIBYTE + d);
const lengths = [...range(0, 2049), ...around(2 ** 16), ...stageLimits, ...large];
const macLengths = [
  ...range(0, 2049),
  ...range(MAC_STAGE_BYTES - 17, MAC_STAGE_BYTES + 18),
  ...around(2 ** 16),
  ...around(2 * MAC_STAGE_BYTES),
  ...large,
];

const key = sample(32, 2);
const nonce = sample(12, 3);
const longNonce = sample(24, 4);
const data = sample(MEBIBYTE + 64, 5);
const moreData = sample(300_001, 6);

/** A way to encrypt; the expected result is another implementation's. */
interface Subject {
  readonly name: string;
  readonly seal: (plaintext: Uint8Array, out?: Uint8Array) => Uint8Array;
  readonly open: (sealed: Uint8Array, out?: Uint8Array) => Uint8Array;
  readonly expected: (length: number) => Uint8Array;
}

/** For a stream cipher, the long answer begins with all shorter ones. */
function raw(
  name: string,
  call: (data: Uint8Array, out?: Uint8Array) => Uint8Array,
  oracle: (data: Uint8Array) => Uint8Array,
): Subject {
  let whole: Uint8Array | undefined;
  return { name, seal: call, open: call, expected: (length) => (whole ??= oracle(data)).subarray(0, length) };
}

/** Additional data of changing lengths, so that both paddings meet. */
const aadFor = (length: number): Uint8Array => moreData.subarray(length % 7, (length % 7) + (length % 41));

function aead(name: string, cipher: lanewise.AeadCipher, nonce: Uint8Array): Subject {
  const answers = new Map<number, Uint8Array>();
  return {
    name,
    seal: (plaintext, out) => cipher(key, nonce, aadFor(plaintext.length)).encrypt(plaintext, out),
    open: (sealed, out) => cipher(key, nonce, aadFor(sealed.length - 16)).decrypt(sealed, out),
    expected(length) {
      const answer = answers.get(length) ?? oracles.seal(key, nonce, aadFor(length), data.subarray(0, length));
      answers.set(length, answer);
      return answer;
    },
  };
}

const subjects: readonly Subject[] = [
  raw(
    'ChaCha20',
    (bytes, out) => lanewise.chacha20(key, nonce, bytes, out, 7),
    (bytes) => oracles.chacha20(key, nonce, bytes, 7),
  ),
  raw(
    'XChaCha20',
    (bytes, out) => lanewise.xchacha20(key, longNonce, bytes, out),
    (bytes) => oracles.xchacha20(key, longNonce, bytes),
  ),
  aead('ChaCha20-Poly1305', lanewise.chacha20poly1305, nonce),
  aead('XChaCha20-Poly1305', lanewise.xchacha20poly1305, longNonce),
];
/** With fewer rounds the loops are the same: only some lengths. */
const fewerRounds: readonly Subject[] = [8, 12].map((rounds) => {
  const [ours, theirs] = rounds === 8 ? [lanewise.chacha8, noble.chacha8] : [lanewise.chacha12, noble.chacha12];
  return raw(
    `ChaCha${rounds}`,
    (bytes, out) => ours(key, nonce, bytes, out),
    (bytes) => theirs(key, nonce, bytes),
  );
});

/** All four ways through a cipher, with the input and `out` at these offsets of their buffers. */
function check({ name, seal, open, expected }: Subject, length: number, inputOffset: number, outOffset: number): void {
  const what = `${name}, ${length} bytes, from offset ${inputOffset} to ${outOffset}`;
  const plaintext = data.subarray(0, length);
  const sealed = expected(length);
  for (const [verb, run, from, to] of [
    ['seal', seal, plaintext, sealed],
    ['open', open, sealed, plaintext],
  ] as const) {
    const input = atOffset(inputOffset, from);
    expectBytes(run(input), to, `${verb} ${what}, fresh`);
    const { out, check } = guarded(to.length, outOffset);
    if (run(input, out) !== out) expect.fail(`${verb} ${what}: out is not what was returned`);
    expectBytes(out, to, `${verb} ${what}`);
    check(`${verb} ${what}`);
    expectBytes(input, from, `${verb} ${what}: the input, afterwards,`);
  }
}

onEachEngine(() => {
  test.each(subjects)('$name: all lengths to 2048, around 64 KiB, the stage and 1 MiB', (subject) => {
    lengths.forEach((length, i) => check(subject, length, i % 16, (i >> 4) % 16));
  });

  test.each(fewerRounds)('$name: lengths around blocks, sets, groups and the stage', (subject) => {
    for (const length of [...range(0, 66), ...around(256), ...around(512), ...around(1024), ...stageLimits])
      check(subject, length, length % 16, (length >> 4) % 16);
  });

  test.each(subjects)('$name: all offsets', (subject) => {
    for (const length of [1, 16, 64, 65, 200, 513, 1100])
      for (let from = 0; from < 16; from++) for (let to = 0; to < 16; to++) check(subject, length, from, to);
    for (let i = 0; i < 16; i++) check(subject, STAGE_BYTES + 100, i, 15 - i);
  });

  test('Poly1305: all lengths to 2048, around 64 KiB, the stage and 1 MiB', () => {
    macLengths.forEach((length, i) => {
      const message = atOffset(i % 16, data.subarray(0, length));
      const macKey = atOffset((i >> 4) % 16, key);
      const expected = oracles.poly1305(data.subarray(0, length), key);
      expectBytes(poly1305(message, macKey), expected, `${length} bytes`);
      expectBytes(poly1305.create(macKey).update(message).digest(), expected, `${length} bytes, incremental`);
      const { out, check } = guarded(16, i % 16);
      poly1305.create(macKey).update(message).digestInto(out);
      expectBytes(out, expected, `${length} bytes, digestInto`);
      check(`${length} bytes`);
    });
  });

  describe.each([
    { name: 'ChaCha20-Poly1305', cipher: lanewise.chacha20poly1305, nonce },
    { name: 'XChaCha20-Poly1305', cipher: lanewise.xchacha20poly1305, nonce: longNonce },
  ])('$name', ({ cipher, nonce }) => {
    /** Additional data and message are staged apart, so either may be too long for one call. */
    const aadLengths = [...range(0, 71), ...around(1024), ...around(STAGE_BYTES), 200_000, 300_000];
    test.each([0, 1, 16, 64, 100, 600, STAGE_BYTES, STAGE_BYTES + 33])(
      'additional data with a message of %i',
      (length) => {
        const plaintext = data.subarray(0, length);
        aadLengths.forEach((aadLength, i) => {
          const what = `${aadLength} bytes of additional data`;
          const aad = atOffset(i % 16, moreData.subarray(0, aadLength));
          const expected = oracles.seal(key, nonce, aad, plaintext);
          expectBytes(cipher(key, nonce, aad).encrypt(plaintext), expected, `encrypt, ${what}`);
          expectBytes(cipher(key, nonce, aad).decrypt(expected), plaintext, `decrypt, ${what}`);
          expectBytes(
            cipher(key, nonce, aad).decrypt(expected, new Uint8Array(length)),
            plaintext,
            `decrypt into, ${what}`,
          );
        });
      },
    );
  });
});
