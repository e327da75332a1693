/**
 * The built library in one JavaScript runtime, with nothing but that runtime: known answers, round trips, and the
 * engines against each other. Prints one line for each engine. Arguments: the engines that must be available, first the
 * one that must be the default.
 */
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { blake3 } from '../dist/blake3.js';
import { chacha20, chacha20poly1305, xchacha20poly1305 } from '../dist/chacha.js';
import { describe, select } from '../dist/engine.js';
import { agePayload, chunked, secretstream } from '../dist/stream.js';
import { createDecryptor, createEncryptor } from '../dist/stream-node.js';

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

const text = (string) => new TextEncoder().encode(string);
const join = (...parts) => Uint8Array.from(parts.flatMap((part) => [...part]));
/** The first messages of a stream of libsodium's, by PyNaCl 1.6.2. */
const libsodium = [
  { message: '', ad: '', tag: 0, sealed: '0dff2db0dcccf8b9cea79016f3d4ae8e52' },
  { message: 'a', ad: '', tag: 1, sealed: '286a66cd3bb7d2d1fe5391d66f3fd609aa11' },
  {
    message: 'hello lanewise',
    ad: 'ad',
    tag: 0,
    sealed: '539c388747555e521c8bce29e94084aa94fd64503242064fa519834212cbc4',
  },
];
/** "hello lanewise" in the context "smoke", with a salt that counts up, by HMAC-SHA-512 and ChaCha20-Poly1305 of OpenSSL. */
const chunkedStream = unhex(
  '404142434445464748494a4b4c4d4e4f5051525354555657919f5614749d7919dbd03c2843c28a6ebbf7c373aa591ddacde34a0ea271f064' +
    '3e99a3c10448959060e023fe8c2338af0689da8a2f9a8ed5dc3c5e406635',
);
/** The payload of a file of one zero byte by age 1.3.1. */
const agePayloadKey = unhex('9ccd509f94c03e5901a6ca3e3bc40c331f5fdae23c3aae75361633dec2a9bece');
const ageSealed = unhex('96193f70214d8f751274ac6332c668b015');

const lengths = [...Array(301).keys(), 65535, 65536, 65537];
const key = sample(32);
const aeads = [
  { name: 'chacha20poly1305', make: (ad) => chacha20poly1305(key, sample(12), ad) },
  { name: 'xchacha20poly1305', make: (ad) => xchacha20poly1305(key, sample(24), ad) },
];

/** What the first available engine answered, by case: the others must answer the same. */
const answers = new Map();

async function run() {
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

  const refuses = (work) => {
    try {
      work();
    } catch {
      return true;
    }
    return false;
  };
  const through = (machine, bytes, by) => {
    const parts = [];
    for (let at = 0; at < bytes.length; at += by) parts.push(machine.push(bytes.subarray(at, at + by)));
    return join(...parts, machine.end());
  };
  check(same(through(agePayload(agePayloadKey).sealer(), Uint8Array.of(0), 1), ageSealed), 'a file of age');
  for (const length of [0, 1, 65535, 65536, 65537, 200_000]) {
    const message = sample(length);
    const sealed = through(agePayload(key).sealer(), message, 70_000);
    agree(`agePayload, ${length} bytes`, sealed);
    check(same(through(agePayload(key).opener(), sealed, 65_552), message), `agePayload, ${length} bytes: round trip`);
    check(
      refuses(() => through(agePayload(key).opener(), sealed.subarray(0, -1), 65_552)),
      `agePayload, ${length}: cut off`,
    );
  }
  const smoke = chunked(range(0, 32), { context: text('smoke') });
  const opened = through(await smoke.opener({ header: chunkedStream.subarray(0, 56) }), chunkedStream.subarray(56), 7);
  check(same(opened, text('hello lanewise')), 'chunked-encryption');
  const sealer = await chunked(key).sealer();
  const sealed = through(sealer, sample(50_000), 20_000);
  const opener = await chunked(key).opener({ header: sealer.header });
  check(same(through(opener, sealed, 16_400), sample(50_000)), 'chunked: round trip');
  const messages = secretstream(range(0, 32)).opener({ header: range(0x40, 24), requireFinal: false });
  for (const { message, ad, tag, sealed } of libsodium) {
    check(same(messages.push(unhex(sealed), undefined, { ad: text(ad) }), text(message)), `libsodium: ${message}`);
    check(messages.tag === tag, `libsodium: the tag of ${message}`);
  }
  check(
    refuses(() => messages.push(unhex(libsodium[0].sealed))),
    'libsodium: a message twice',
  );
  return checks;
}

/** Streams of the platform and of Node: every kind of source and of reader that the runtime has. */
async function runStreams() {
  let checks = 0;
  const plaintext = sample(300_000);
  const check = (bytes, what) => {
    if (!same(new Uint8Array(bytes), plaintext)) throw new Error(what);
    checks++;
  };
  const all = (stream) => new Response(stream).arrayBuffer();
  const pieces = [plaintext.subarray(0, 1), plaintext.subarray(1, 99_999), plaintext.subarray(99_999)];
  const streamOf = (type) => {
    let at = 0;
    return new ReadableStream({
      ...(type && { type }),
      pull(controller) {
        if (at < pieces.length) controller.enqueue(pieces[at++].slice());
        else {
          controller.close();
          controller.byobRequest?.respond(0);
        }
      },
    });
  };
  const sources = {
    bytes: () => plaintext,
    Blob: () => new Blob(pieces),
    Response: () => new Response(plaintext),
    iterable: () => pieces,
    'a stream': () => streamOf(),
    'a byte stream': () => streamOf('bytes'),
    'a Readable': () => Readable.from(pieces),
  };
  for (const [name, format] of Object.entries({ chunked, agePayload, secretstream })) {
    for (const [kind, source] of Object.entries(sources))
      check(await all(format(key).decrypt(format(key).encrypt(source()))), `${name} of ${kind}`);
    check(
      await all(streamOf().pipeThrough(format(key).encryptor()).pipeThrough(format(key).decryptor())),
      `${name}: pairs`,
    );
    for (const room of [1000, 100_000, 400_000]) {
      const reader = format(key).decrypt(format(key).encrypt(plaintext)).getReader({ mode: 'byob' });
      const parts = [];
      for (let view = new Uint8Array(room); ;) {
        const { value, done } = await reader.read(view);
        if (done) break;
        parts.push(value.slice());
        view = new Uint8Array(value.buffer);
      }
      check(join(...parts), `${name}: a reader with ${room} bytes`);
    }
    const parts = [];
    const sink = () => new Writable({ write: (chunk, _, done) => (parts.push(chunk), done()) });
    await pipeline(Readable.from(pieces), createEncryptor(format(key)), createDecryptor(format(key)), sink());
    check(join(...parts), `${name}: Transforms`);
    const sealed = new Uint8Array(await all(format(key).encrypt(plaintext)));
    for (const [error, work] of Object.entries({
      truncated: () => all(format(key).decrypt(sealed.subarray(0, 200_000))),
      authentic: () => pipeline(Readable.from([sealed.fill(0, -20_000)]), createDecryptor(format(key)), sink()),
      enough: () => all(format(key).encrypt(plaintext, { signal: AbortSignal.abort(new Error('enough')) })),
    })) {
      const got = await work().then(String, String);
      if (!got.includes(error)) throw new Error(`${name}: ${got} instead of ${error}`);
      checks++;
    }
    let reason;
    const endless = new ReadableStream({
      pull: (controller) => controller.enqueue(plaintext),
      cancel: (its) => void (reason = its),
    });
    const reader = format(key).encrypt(endless).getReader();
    await reader.read();
    await reader.cancel('enough');
    if (reason !== 'enough') throw new Error(`${name}: the source is not cancelled`);
    checks++;
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
    console.log(`${engine}: ok, ${await run()} checks`);
  } catch (error) {
    failed = true;
    console.log(`${engine}: FAILED, ${error.message}`);
  }
}
try {
  console.log(`streams: ok, ${await runStreams()} checks`);
} catch (error) {
  failed = true;
  console.log(`streams: FAILED, ${error.message}`);
}
console.log(
  `default: ${[chosen.engine, chosen.relaxed && 'relaxed SIMD', chosen.reason].filter(Boolean).join(', ')}` +
    (required.length > 0 && chosen.engine !== required[0] ? `; FAILED, expected ${required[0]}` : ''),
);
if (failed) process.exit(1);
