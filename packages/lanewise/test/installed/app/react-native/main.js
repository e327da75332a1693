/** Known answers of /vectors in Hermes, which has no WebAssembly, no TextEncoder and no generator of random numbers. */
import * as lanewise from 'lanewise';
import { blake3 } from 'lanewise/blake3.js';
import { adiantum, hpolyc } from 'lanewise/disk.js';
import { describe } from 'lanewise/engine.js';
import { createPool } from 'lanewise/pool.js';
import { ecb } from 'lanewise/serpent.js';
import { secretstream } from 'lanewise/stream.js';
import vectors from './vectors.json';

const unhex = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
const ascii = (text) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

let checks = 0;
const expect = (name, actual, expected) => {
  if (actual !== expected) throw new Error(`${name}: ${actual} and not ${expected}`);
  checks++;
};
const refusal = (work) => {
  try {
    work();
  } catch (error) {
    return String(error);
  }
  return 'nothing';
};
const sections = (file, kind) =>
  vectors[file].sections.filter((its) => its.kind === kind).flatMap(({ tests }) => tests);

expect('engine', describe().engine, 'js');

for (const { name, key, nonce, counter, plaintext, ciphertext } of sections('rfc8439', 'encrypt'))
  expect(name, hex(lanewise.chacha20(unhex(key), unhex(nonce), unhex(plaintext), undefined, counter)), ciphertext);
for (const { name, key, message, tag } of sections('rfc8439', 'poly1305'))
  expect(name, hex(lanewise.poly1305(unhex(message), unhex(key))), tag);
for (const [file, kind, cipher] of [
  ['rfc8439', 'aeadEncrypt', lanewise.chacha20poly1305],
  ['rfc8439', 'aeadDecrypt', lanewise.chacha20poly1305],
  ['xchacha-draft', 'xaeadEncrypt', lanewise.xchacha20poly1305],
])
  for (const { name, key, nonce, aad, plaintext, ciphertext, tag } of sections(file, kind)) {
    const sealed = cipher(unhex(key), unhex(nonce), unhex(aad)).encrypt(unhex(plaintext));
    expect(name, hex(sealed), ciphertext + tag);
    expect(name, hex(cipher(unhex(key), unhex(nonce), unhex(aad)).decrypt(sealed)), plaintext);
    sealed[0] ^= 1;
    const its = cipher(unhex(key), unhex(nonce), unhex(aad));
    expect(
      `${name}, changed`,
      refusal(() => its.decrypt(sealed)),
      'Error: invalid tag',
    );
  }
for (const { kind, name, key, nonce, plaintext, box } of vectors['salsa-nacl'].tests)
  if (kind.startsWith('secretbox'))
    expect(name, hex(lanewise[kind](unhex(key), unhex(nonce)).encrypt(unhex(plaintext))), box);
const { key, context_string: context, tests } = vectors.blake3;
for (const { input_len: length, hash, keyed_hash: keyed, derive_key: derived } of tests) {
  const input = Uint8Array.from({ length }, (_, i) => i % 251);
  const dkLen = hash.length / 2;
  expect(`hash of ${length} bytes`, hex(blake3(input, { dkLen })), hash);
  expect(`keyed hash of ${length} bytes`, hex(blake3(input, { key: ascii(key), dkLen })), keyed);
  expect(`derived key of ${length} bytes`, hex(blake3(input, { context: ascii(context), dkLen })), derived);
}
for (const { cipher, rounds, key, tweak, plaintext, ciphertext } of vectors.disk.tests) {
  const its = { adiantum, hpolyc }[cipher](unhex(key), { rounds });
  expect(cipher, hex(its.encrypt(unhex(plaintext), unhex(tweak))), ciphertext);
}
for (const line of vectors['serpent-nessie'].tests) {
  const [key, plaintext, ciphertext] = line.split(' ');
  expect('Serpent', hex(ecb(unhex(key), { disablePadding: true }).encrypt(unhex(plaintext))), ciphertext);
}
for (const its of vectors['chacha20-poly1305-siv-c2sp'].tests) {
  const cipher = lanewise.chacha20poly1305siv(unhex(its.key), unhex(its.nonce), unhex(its.associatedData));
  expect('SIV', hex(cipher.encrypt(unhex(its.plaintext))), its.ciphertext + its.tag);
}
for (const { seed, output } of vectors['chacha8rand-c2sp'].tests)
  expect('ChaCha8Rand', hex(lanewise.chacha8rand(unhex(seed)).bytes(output.length / 2)), output);
for (const { P, S, N, r, p, dkLen, output } of vectors.rfc7914.tests)
  expect('scrypt', hex(lanewise.scryptSync(ascii(P), ascii(S), { N, r, p, dkLen })), output);
for (const { key, header, chunks } of vectors['stream-secretstream-pynacl'].tests) {
  const opener = secretstream(unhex(key)).opener({ header: unhex(header) });
  for (const { ad, message, ciphertext } of chunks)
    expect('secretstream', hex(opener.push(unhex(ciphertext), undefined, { ad: unhex(ad) })), message);
  opener.end();
}
for (const { key, size, payload } of vectors['stream-age'].tests) {
  const opener = lanewise.agePayload(unhex(key)).opener();
  const opened = [...opener.push(unhex(payload)), ...opener.end()];
  expect('a file of age', opened.length, size - 16);
}

// A program learns at its first call what React Native lacks.
expect(
  'randomBytes',
  refusal(() => lanewise.randomBytes(32)),
  'Error: crypto.getRandomValues is not available',
);
expect(
  'context',
  refusal(() => blake3(ascii(''), { context })),
  'TypeError: "context" expected Uint8Array, got type=string; use hexToBytes, fromBase64, TextEncoder, or scrypt for a password',
);
expect('pool', createPool().describe().parallel, false);
globalThis.print(`ok, ${checks} known answers`);
