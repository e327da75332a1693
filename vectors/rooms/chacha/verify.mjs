// Who confirms the vectors of ChaCha and its AEADs.
import * as model from '../../model.mjs';
import { ask, counterEnd, hex, unhex } from '../../oracles.mjs';
import { attempt, equal, refusal } from '../../verify-file.mjs';
import { poly1305, polynomial } from '../poly1305/verify.mjs';

const hexWords = (ws) => ws.map((w) => w.toString(16).padStart(8, '0'));
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
  poly1305,
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

/** The examples of a specification, each of its kind. */
function specification(f, { sections }) {
  for (const { kind, tests } of sections) for (const t of tests) f.vector(t.name, kinds[kind](t));
}

const wycheproof =
  (nonceLength) =>
  (f, { tests }) => {
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
  };

/** By file, how its vectors are confirmed. */
export const files = {
  'rfc8439.json': specification,
  'xchacha-draft.json': specification,
  'wycheproof-chacha20-poly1305.json': wycheproof(12),
  'wycheproof-xchacha20-poly1305.json': wycheproof(24),
  'chacha-classic.json'(f, { tests }) {
    for (const t of tests) f.vector(t.name, equal(keystream(t, t.keystream.length / 2), t.keystream));
  },
  'cryptopp-chacha.json'(f, { tests }) {
    tests.forEach((t, i) => {
      const skip = Number(BigInt(t.position) % 64n);
      const said = keystream(t, skip + t.keystream.length / 2, BigInt(t.position) / 64n);
      f.vector(
        `${i + 1} (${t.name})`,
        said.map(([name, got]) => [name, hex(got.subarray(skip)) === t.keystream]),
      );
    });
  },
  'chacha-counter-edge.json'(f, { tests }) {
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
  },
  'pycryptodome-chacha20-counter.json'(f, { tests }) {
    for (const t of tests) {
      const nonce = unhex(t.iv);
      const counter = BigInt(`0x${hex(unhex(t.initialCounter).reverse())}`);
      const said = attempt('stream', { key: unhex(t.key), nonce, counter, data: unhex(t.msg), rounds: 20 });
      if (t.result === 'valid') f.vector(`tcId ${t.tcId}`, equal(said, t.ct));
      else f.vector(`tcId ${t.tcId}`, refused(counter, nonce, t.msg.length / 2, said));
    }
  },
};
