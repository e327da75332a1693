// Makes chacha-counter-edge.json: keystream around the edges of the block counter. Every value is one that at least two
// implementations give and none contradicts.  node vectors/generate-chacha-counter-edge.mjs [--check]
import { agreed, compact, counterEnd, writeOrCheck } from './oracles.mjs';

const key = Uint8Array.from({ length: 32 }, (_, i) => (i * 7 + 3) & 255);
const nonceOf = {
  8: '0f1e2d3c4b5a6978',
  12: '000000090000004a00000000',
  24: '404142434445464748494a4b4c4d4e4f5051525354555658',
};
const two = (n) => 1n << BigInt(n);

// [first counter, bytes]. 13 and 16 blocks reach over groups of 4, 8 and 12 blocks from both sides.
const end32 = [
  [two(31) - 1n, 128],
  [two(31), 64],
  [two(32) - 1n, 1],
  [two(32) - 1n, 63],
  [two(32) - 1n, 64],
  [two(32) - 2n, 65],
  [two(32) - 2n, 128],
  [two(32) - 5n, 320],
  [two(32) - 13n, 13 * 64],
  [two(32) - 16n, 1024],
];
const past32 = [
  [two(32) - 1n, 65],
  [two(32) - 2n, 129],
  [two(32) - 16n, 1025],
];
const over32 = [
  [two(32) - 1n, 128],
  [two(32) - 2n, 256],
  [two(32) - 3n, 5 * 64 + 17],
  [two(32) - 7n, 13 * 64],
  [two(32) - 15n, 1024],
  [two(32), 64],
  [two(32) + 1n, 65],
  [two(33) - 1n, 128],
  [two(40) - 2n, 200],
  [two(53) - 2n, 320],
  [two(53) - 1n, 128],
  [two(53), 64],
  [two(53) + 1n, 64],
  [two(63) - 1n, 128],
  [two(63), 64],
  [two(64) - two(32) - 1n, 128],
];
const end64 = [
  [two(64) - 1n, 1],
  [two(64) - 1n, 63],
  [two(64) - 1n, 64],
  [two(64) - 2n, 128],
  [two(64) - 13n, 13 * 64],
  [two(64) - 16n, 1024],
];
const past64 = [
  [two(64) - 1n, 65],
  [two(64) - 2n, 129],
  [two(64) - 16n, 1025],
];

const tests = [];
for (const [cipher, nonceLength, rounds, cases] of [
  ...[8, 12, 20].map((rounds) => ['ChaCha, RFC 8439 form', 12, rounds, [[0n, 64], ...end32, ...past32]]),
  ...[8, 12, 20].map((rounds) => [
    'ChaCha, original form',
    8,
    rounds,
    [[0n, 64], ...end32, ...over32, ...end64, ...past64],
  ]),
  ['XChaCha', 24, 20, [[0n, 64], ...end32, ...over32, ...end64, ...past64]],
]) {
  for (const [counter, length] of cases) {
    const nonce = Uint8Array.from(Buffer.from(nonceOf[nonceLength], 'hex'));
    const test = {
      name: `${cipher}, ${rounds} rounds, counter 0x${counter.toString(16)}, ${length} bytes`,
      rounds,
      key: Buffer.from(key).toString('hex'),
      nonce: nonceOf[nonceLength],
      counter: `0x${counter.toString(16)}`,
      length,
    };
    if (counter + BigInt(Math.ceil(length / 64)) > counterEnd(nonceLength)) tests.push({ ...test, result: 'invalid' });
    else {
      const keystream = agreed('stream', { key, nonce, counter, data: new Uint8Array(length), rounds });
      tests.push({ ...test, keystream, result: 'valid' });
    }
  }
}

await writeOrCheck(
  new URL('chacha-counter-edge.json', import.meta.url),
  compact({
    source:
      'Our own: the keystream of ChaCha (8, 12 and 20 rounds; 32-bit counter with a 12-byte nonce, 64-bit counter with an 8-byte nonce) and XChaCha20 around 2^31, 2^32, 2^53, 2^63 and 2^64. "invalid" tests reach past the last block and must be refused before anything is written.',
    made: 'node vectors/generate-chacha-counter-edge.mjs: every value is given by at least two implementations and contradicted by none',
    tests,
  }),
);
