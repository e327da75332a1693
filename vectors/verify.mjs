// Confirms every vector in this folder with independent implementations (oracles.mjs): at least two of them must give
// its value and none may contradict it.  node vectors/verify.mjs      Exit code 1 if any vector is not confirmed.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { casesOf, said as blake3Said } from './blake3-oracles.mjs';
import * as disk from './disk-model.mjs';
import * as model from './model.mjs';
import { ask, counterEnd, hex, oracles, unhex } from './oracles.mjs';
import { said as salsaSaid } from './salsa-oracles.mjs';

const load = async (name) => JSON.parse(await readFile(new URL(name, import.meta.url), 'utf8'));
const hexWords = (ws) => ws.map((w) => w.toString(16).padStart(8, '0'));
const refusal = Symbol('refused');
/** Like ask(), but an oracle that throws has answered `refusal`. */
function attempt(method, ...args) {
  return Object.entries(oracles).flatMap(([name, oracle]) => {
    try {
      const answer = oracle[method]?.(...args);
      return answer === undefined ? [] : [[name, answer]];
    } catch {
      return [[name, refusal]];
    }
  });
}

class File {
  constructor(name) {
    this.name = name;
    this.count = 0;
    this.by = {};
    this.wrong = [];
  }
  /** One vector: said = [oracle, agrees?] pairs; the same oracle may speak on several fields. */
  vector(id, said) {
    this.count++;
    const verdict = new Map();
    for (const [oracle, agrees] of said) verdict.set(oracle, (verdict.get(oracle) ?? true) && agrees);
    const bad = [...verdict].filter(([, ok]) => !ok).map(([oracle]) => oracle);
    if (bad.length) this.wrong.push(`${id}: contradicted by ${bad.join(', ')}`);
    else if (verdict.size < 2)
      this.wrong.push(`${id}: only ${[...verdict.keys()].join() || 'nobody'} could confirm it`);
    for (const [oracle, ok] of verdict) if (ok) this.by[oracle] = (this.by[oracle] ?? 0) + 1;
  }
}
const equal = (said, wanted) => said.map(([name, got]) => [name, got !== refusal && hex(got) === wanted]);

const streams = (t, data, counter = t.counter) =>
  ask('stream', { key: unhex(t.key), nonce: unhex(t.nonce), counter: BigInt(counter), data, rounds: t.rounds ?? 20 });
const keystream = (t, length, counter) => streams(t, new Uint8Array(length), counter);
const sealed = (t, plaintext = t.plaintext) =>
  ask('seal', { key: unhex(t.key), nonce: unhex(t.nonce), aad: unhex(t.aad), plaintext: unhex(plaintext) }).map(
    ([name, s]) => [name, hex(s.ciphertext) === t.ciphertext && hex(s.tag) === t.tag],
  );
const opened = (t) => {
  const nonce = unhex(t.nonce);
  return equal(
    attempt('open', {
      key: unhex(t.key),
      nonce,
      nonceLength: nonce.length,
      aad: unhex(t.aad),
      ciphertext: unhex(t.ciphertext),
      tag: unhex(t.tag),
    }),
    t.plaintext,
  );
};

/** State matrices: set up by the model; the end, from each oracle's keystream; after the rounds, the difference. */
function states(t, counter, { stateSetup, stateAfterRounds, stateAtEnd }) {
  const tail = Uint8Array.from([...model.bytes([Number(counter)]), ...unhex(t.nonce)]);
  const setup = model.setup(unhex(t.key), tail);
  const said = [];
  if (stateSetup) said.push(['model', String(hexWords(setup)) === String(stateSetup)]);
  for (const [name, block] of keystream(t, 64, counter)) {
    const end = model.words(Uint8Array.from(block));
    if (stateAtEnd) said.push([name, String(hexWords(end)) === String(stateAtEnd)]);
    if (stateAfterRounds)
      said.push([name, String(hexWords(end.map((w, i) => (w - setup[i]) >>> 0))) === String(stateAfterRounds)]);
  }
  if (stateAfterRounds) said.push(['model', String(hexWords(model.afterRounds(setup))) === String(stateAfterRounds)]);
  return said;
}
const oneTime = (t) => equal(keystream(t, 32, 0), t.oneTimeKey);
const wholeAead = (t) => [
  ...oneTime(t),
  ...states(t, 0, { stateSetup: t.oneTimeKeyStateSetup, stateAtEnd: t.oneTimeKeyStateAtEnd }),
  ['model', hex(model.macData(unhex(t.aad), unhex(t.ciphertext))) === t.macData],
  ...equal(ask('poly1305', unhex(t.oneTimeKey), unhex(t.macData)), t.tag),
  ...equal(streams(t, unhex(t.plaintext), 1), t.ciphertext),
  ...sealed(t),
  ...opened(t),
];
const polynomial = (t, key, message) => {
  const trace = model.poly1305Trace(unhex(key), unhex(message));
  const said = [];
  if (t.r) said.push(['model', trace.r.toString(16) === t.r && trace.s.toString(16) === t.s]);
  if (t.accumulators)
    said.push(['model', String(trace.accumulators.map((a) => a.toString(16))) === String(t.accumulators)]);
  if (t.accumulator) said.push(['model', trace.accumulator.toString(16) === t.accumulator]);
  return said;
};

const kinds = {
  quarterRound: (t) => {
    const input = ['a', 'b', 'c', 'd'].map((n) => parseInt(t.input[n], 16));
    const output = String(['a', 'b', 'c', 'd'].map((n) => t.output[n]));
    return [
      ['model', String(hexWords(model.quarterRound(input))) === output],
      ['model, BigInt', String(hexWords(model.quarterRoundBig(input))) === output],
    ];
  },
  quarterRoundOnState: (t) =>
    [
      ['model', model.quarterRound],
      ['model, BigInt', model.quarterRoundBig],
    ].map(([name, round]) => {
      const state = t.input.map((w) => parseInt(w, 16));
      round(t.indices.map((i) => state[i])).forEach((w, i) => {
        state[t.indices[i]] = w;
      });
      return [name, String(hexWords(state)) === String(t.output)];
    }),
  block: (t) => [...equal(keystream(t, 64), t.keystream), ...states(t, t.counter, t)],
  encrypt: (t) => [
    ...equal(streams(t, unhex(t.plaintext)), t.ciphertext),
    ...equal(streams(t, unhex(t.ciphertext)), t.plaintext),
    ...(t.keystream ? equal(keystream(t, t.keystream.length / 2), t.keystream) : []),
    ...(t.states ?? []).flatMap((s) => states(t, s.counter, s)),
  ],
  poly1305: (t) => [
    ...equal(ask('poly1305', unhex(t.key), unhex(t.message)), t.tag),
    ...polynomial(t, t.key, t.message),
  ],
  poly1305KeyGen: (t) => [...oneTime(t), ...states(t, 0, t)],
  aeadEncrypt: (t) => [
    ...wholeAead(t),
    ...equal(keystream(t, t.keystream.length / 2, 1), t.keystream),
    ...polynomial(t, t.oneTimeKey, t.macData),
  ],
  aeadDecrypt: (t) => wholeAead(t),
  hchacha20: (t) => equal(ask('hchacha', unhex(t.key), unhex(t.nonce)), t.subkey),
  xaeadEncrypt: (t) => [...sealed(t), ...opened(t)],
};
kinds.xencrypt = kinds.encrypt;

/** A stream past its last block: few implementations refuse it rightly (see README), so the arithmetic is asked too. */
const refused = (counter, nonce, length, said) => [
  ['arithmetic', counter + BigInt(Math.ceil(length / 64)) > counterEnd(nonce.length)],
  ...said.map(([name, got]) => [name, got === refusal]),
];

const report = [];
async function file(name, each) {
  const f = new File(name);
  each(f, await load(name));
  report.push(f);
}

for (const name of ['rfc8439.json', 'xchacha-draft.json']) {
  await file(name, (f, { sections }) => {
    for (const { kind, tests } of sections) for (const t of tests) f.vector(t.name, kinds[kind](t));
  });
}
await file('chacha-classic.json', (f, { tests }) => {
  for (const t of tests) f.vector(t.name, equal(keystream(t, t.keystream.length / 2), t.keystream));
});
await file('cryptopp-chacha.json', (f, { tests }) => {
  tests.forEach((t, i) => {
    const skip = Number(BigInt(t.position) % 64n);
    const said = keystream(t, skip + t.keystream.length / 2, BigInt(t.position) / 64n);
    f.vector(
      `${i + 1} (${t.name})`,
      said.map(([name, got]) => [name, hex(got.subarray(skip)) === t.keystream]),
    );
  });
});
await file('chacha-counter-edge.json', (f, { tests }) => {
  for (const t of tests) {
    const c = {
      key: unhex(t.key),
      nonce: unhex(t.nonce),
      counter: BigInt(t.counter),
      data: new Uint8Array(t.length),
      rounds: t.rounds,
    };
    if (t.result === 'valid')
      f.vector(t.name, [...equal(attempt('stream', c), t.keystream), ['model', t.keystream.length === 2 * t.length]]);
    else f.vector(t.name, refused(c.counter, c.nonce, t.length, attempt('stream', c)));
  }
});
for (const name of ['wycheproof-chacha20-poly1305.json', 'wycheproof-xchacha20-poly1305.json']) {
  const nonceLength = name.includes('xchacha') ? 24 : 12;
  await file(name, (f, { tests }) => {
    for (const t of tests) {
      const asAead = { key: t.key, nonce: t.iv, aad: t.aad, plaintext: t.msg, ciphertext: t.ct, tag: t.tag };
      if (t.result === 'valid') f.vector(`tcId ${t.tcId}`, [...sealed(asAead), ...opened(asAead)]);
      else {
        const c = {
          key: unhex(t.key),
          nonce: unhex(t.iv),
          nonceLength,
          aad: unhex(t.aad),
          ciphertext: unhex(t.ct),
          tag: unhex(t.tag),
        };
        // node:crypto takes other nonce lengths too, so it is not asked about those.
        const said = attempt('open', c).filter(
          ([oracle]) => oracle !== 'node:crypto' || c.nonce.length === nonceLength,
        );
        f.vector(
          `tcId ${t.tcId}`,
          said.map(([oracle, got]) => [oracle, got === refusal]),
        );
      }
    }
  });
}
await file('pycryptodome-chacha20-counter.json', (f, { tests }) => {
  for (const t of tests) {
    const nonce = unhex(t.iv);
    const counter = BigInt(`0x${hex(unhex(t.initialCounter).reverse())}`);
    const said = attempt('stream', { key: unhex(t.key), nonce, counter, data: unhex(t.msg), rounds: 20 });
    if (t.result === 'valid') f.vector(`tcId ${t.tcId}`, equal(said, t.ct));
    else f.vector(`tcId ${t.tcId}`, refused(counter, nonce, t.msg.length / 2, said));
  }
});
/** Adiantum and HPolyC by the model, with its own parts and with noble's; the published value or a third voice is in the file. */
function diskPage(test, key, tweak, page) {
  const input = { cipher: test.cipher, rounds: test.rounds, key, tweak, page };
  const said = [
    ['model', disk.encrypt(input)],
    ['noble in the model', disk.encrypt(input, disk.nobles)],
  ];
  return said.map(([name, got]) => [
    name,
    test.sha256
      ? createHash('sha256').update(got).digest('hex') === test.sha256 &&
        (!test.last || hex(got.subarray(-16)) === test.last)
      : hex(got) === test.ciphertext,
  ]);
}
await file('disk.json', (f, { tests, plaintexts }) => {
  tests.forEach((t, i) => {
    const page = new Uint8Array(Buffer.from(plaintexts[t.plaintext], 'base64'));
    f.vector(`${i} (${t.cipher}${t.rounds})`, diskPage(t, unhex(t.key), unhex(t.tweak), page));
  });
});
await file('disk-edge.json', (f, { tests }) => {
  for (const t of tests) {
    const [key, page, tweak] = [disk.pattern(1, 32), disk.pattern(2, t.length), disk.pattern(3, t.tweak)];
    f.vector(`${t.cipher}${t.rounds} of ${t.length} and ${t.tweak}`, diskPage(t, key, tweak, page));
  }
});
await file('disk-nh.json', (f, { tests }) => {
  for (const t of tests) {
    const [key, message] = [t.key, t.message].map((text) => new Uint8Array(Buffer.from(text, 'base64')));
    f.vector(t.name, [
      ['model', hex(disk.nh(key, message)) === t.hash],
      ['numbers', hex(disk.nhInHalves(key, message)) === t.hash],
    ]);
  }
});
await file('poly1305-edge.json', (f, { tests }) => {
  for (const t of tests) f.vector(`tcId ${t.tcId}`, kinds.poly1305(t));
});
for (const name of ['blake3.json', 'blake3-edge.json']) {
  await file(name, (f, { tests }) => {
    tests.forEach((t, i) => {
      const said = casesOf(t).flatMap(({ wanted, ...c }) =>
        blake3Said(c).map(([oracle, got]) => [oracle, got === wanted]),
      );
      f.vector(`${i + 1} (${t.kind ?? 'official'}, ${t.input_len} bytes)`, said);
    });
  });
}

await file('cryptopp-salsa.json', (f, { tests }) => {
  tests.forEach((t, i) => {
    const skip = Number(BigInt(t.position) % 64n);
    const length = t.length ?? t.ciphertext.length / 2;
    const data = new Uint8Array(skip + length);
    if (t.plaintext) data.set(unhex(t.plaintext), skip);
    const counter = BigInt(t.position) / 64n;
    const said = salsaSaid('stream', { key: unhex(t.key), nonce: unhex(t.nonce), counter, data, rounds: t.rounds });
    const digest = (bytes) => {
      const sum = new Uint8Array(64);
      bytes.forEach((b, j) => (sum[j % 64] ^= b));
      return sum;
    };
    const wanted = t.xorDigest ?? t.ciphertext;
    f.vector(
      `${i + 1} (${t.name ?? 'XSalsa20'})`,
      said.map(([name, got]) => [name, hex(t.xorDigest ? digest(got) : got.subarray(skip)) === wanted]),
    );
  });
});
await file('salsa-nacl.json', (f, { tests }) => {
  const methods = { secretbox: 'secretbox', secretbox_xchacha20poly1305: 'secretboxXChaCha' };
  for (const { kind, name, ...t } of tests) {
    const [key, nonce] = [unhex(t.key), unhex(t.nonce)];
    if (kind === 'hsalsa20') f.vector(name, equal(salsaSaid('hsalsa', key, nonce), t.subkey));
    else f.vector(name, equal(salsaSaid(methods[kind], { key, nonce, plaintext: unhex(t.plaintext) }), t.box));
  }
});

let failed = 0;
for (const f of report) {
  const by = Object.entries(f.by)
    .map(([oracle, n]) => `${oracle} ${n}`)
    .join(', ');
  console.log(
    `${f.name.padEnd(36)} ${String(f.count - f.wrong.length).padStart(4)} of ${String(f.count).padStart(4)} confirmed   ${by}`,
  );
  for (const line of f.wrong) console.log(`    ${line}`);
  failed += f.wrong.length;
}
const total = report.reduce((n, f) => n + f.count, 0);
console.log(
  failed
    ? `${failed} of ${total} vectors are NOT confirmed`
    : `all ${total} vectors are confirmed by at least two implementations`,
);
process.exitCode = failed ? 1 : 0;
