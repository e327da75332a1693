/**
 * The built library in one JavaScript runtime, with nothing but that runtime: known answers, round trips, and the
 * engines against each other. Prints one line for each engine. Arguments: the engines that must be available, first the
 * one that must be the default.
 */
import { blake3 } from '../dist/blake3.js';
import { chacha20, chacha20poly1305, xchacha20poly1305 } from '../dist/chacha.js';
import { describe, select } from '../dist/engine.js';

const unhex = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
const range = (from, length) => Uint8Array.from({ length }, (_, i) => from + i);
const same = (a, b) => a.length === b.length && a.every((byte, i) => byte === b[i]);
/** Bytes without a pattern that a block, a lane or a set could repeat. */
const sample = (length) => Uint8Array.from({ length }, (_, i) => (Math.imul(i + 1, 0x9e3779b1) >>> 23) & 255);

const sunscreen = new TextEncoder().encode(
  "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen would be it.",
);
const aad = unhex('50515253c0c1c2c3c4c5c6c7');

/** Copied from the specifications, not computed. */
const known = [
  {
    name: 'RFC 8439 section 2.4.2',
    run: () => chacha20(range(0, 32), unhex('000000000000004a00000000'), sunscreen, undefined, 1),
    expected:
      '6e2e359a2568f98041ba0728dd0d6981e97e7aec1d4360c20a27afccfd9fae0b' +
      'f91b65c5524733ab8f593dabcd62b3571639d624e65152ab8f530c359f0861d8' +
      '07ca0dbf500d6a6156a38e088a22b65e52bc514d16ccf806818ce91ab7793736' +
      '5af90bbf74a35be6b40b8eedf2785e42874d',
  },
  {
    name: 'RFC 8439 section 2.8.2',
    run: () => chacha20poly1305(range(0x80, 32), unhex('070000004041424344454647'), aad).encrypt(sunscreen),
    expected:
      'd31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d6' +
      '3dbea45e8ca9671282fafb69da92728b1a71de0a9e060b2905d6a5b67ecd3b36' +
      '92ddbd7f2d778b8c9803aee328091b58fab324e4fad675945585808b4831d7bc' +
      '3ff4def08e4b7a9de576d26586cec64b6116' +
      '1ae10b594f09e26a7e902ecbd0600691',
  },
  {
    name: 'draft-irtf-cfrg-xchacha-03 appendix A.3',
    run: () => xchacha20poly1305(range(0x80, 32), range(0x40, 24), aad).encrypt(sunscreen),
    expected:
      'bd6d179d3e83d43b9576579493c0e939572a1700252bfaccbed2902c21396cbb' +
      '731c7f1b0b4aa6440bf3a82f4eda7e39ae64c6708c54c216cb96b72e1213b452' +
      '2f8c9ba40db5d945b11b69b982c1bb9e3f3fac2bc369488f76b2383565d3fff9' +
      '21f9664c97637da9768812f615c68b13b52e' +
      'c0875924c1c7987947deafd8780acf49',
  },
  {
    name: 'BLAKE3 official test vectors, input_len 0',
    run: () => blake3(new Uint8Array(0)),
    expected: 'af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262',
  },
];

const lengths = [...Array(301).keys(), 65535, 65536, 65537];
const key = sample(32);
const aeads = [
  { name: 'chacha20poly1305', make: (ad) => chacha20poly1305(key, sample(12), ad) },
  { name: 'xchacha20poly1305', make: (ad) => xchacha20poly1305(key, sample(24), ad) },
];

/** What the first available engine answered, by case: the others must answer the same. */
const answers = new Map();

function run() {
  let checks = 0;
  const check = (ok, what) => {
    if (!ok) throw new Error(what);
    checks++;
  };
  const agree = (what, bytes) => {
    if (!answers.has(what)) answers.set(what, bytes);
    check(same(bytes, answers.get(what)), `${what}: the engines differ`);
  };

  for (const { name, run, expected } of known) check(hex(run()) === expected, name);
  for (const length of [...lengths, 1025, 5000, 17_000, 70_000])
    agree(`blake3 of ${length} bytes`, blake3(sample(length), { key: sample(32) }));
  for (const length of lengths) {
    const message = sample(length);
    const sealed = chacha20(key, sample(12), message);
    agree(`chacha20, ${length} bytes`, sealed);
    check(same(chacha20(key, sample(12), sealed), message), `chacha20, ${length} bytes: round trip`);
    for (const { name, make } of aeads) {
      const ad = sample(length % 40);
      const box = make(ad).encrypt(message);
      agree(`${name}, ${length} bytes`, box);
      check(same(make(ad).decrypt(box), message), `${name}, ${length} bytes: round trip`);
      const changed = box.slice();
      changed[length >> 1] ^= 1;
      let refused = false;
      try {
        make(ad).decrypt(changed);
      } catch {
        refused = true;
      }
      check(refused, `${name}, ${length} bytes: accepts a changed box`);
    }
  }
  return checks;
}

const required = process.argv.slice(2);
const chosen = describe(); // before select(): what users get
let failed = required.length > 0 && chosen.engine !== required[0];
for (const engine of ['simd', 'scalar', 'js']) {
  try {
    select(engine);
  } catch (error) {
    failed ||= required.includes(engine);
    console.log(`${engine}: unavailable, ${error.message}`);
    continue;
  }
  try {
    console.log(`${engine}: ok, ${run()} checks`);
  } catch (error) {
    failed = true;
    console.log(`${engine}: FAILED, ${error.message}`);
  }
}
console.log(
  `default: ${[chosen.engine, chosen.relaxed && 'relaxed SIMD', chosen.reason].filter(Boolean).join(', ')}` +
    (required.length > 0 && chosen.engine !== required[0] ? `; FAILED, expected ${required[0]}` : ''),
);
if (failed) process.exit(1);
