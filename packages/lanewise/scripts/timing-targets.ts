/** What is timed, and with what: each target takes an input of its class, in one and the same place, and uses it. */
import { randomFillSync } from 'node:crypto';
import { blake3 } from '../src/blake3.ts';
import * as chacha from '../src/chacha.ts';
import { poly1305 } from '../src/poly1305.ts';
import { salsa20, secretbox, xsalsa20 } from '../src/salsa.ts';
import * as serpent from '../src/serpent.ts';
import { equalBytes } from '../src/utils.ts';

export interface Target {
  readonly name: string;
  /** What the two classes are. */
  readonly classes: string;
  /** Whether it runs on engines, and not only in JavaScript. */
  readonly engines: boolean;
  /** Puts an input of a class where `run` finds it. Not timed. */
  readonly prepare: (which: number) => void;
  readonly run: () => void;
}

const LENGTH = 256;
const message = new Uint8Array(LENGTH);
const out = new Uint8Array(LENGTH + 16);
const xored = new Uint8Array(LENGTH);
const fixed = new Uint8Array(32);

/** Key classes: all zeros, which is where arithmetic would be quickest, or random. */
function keyed(name: string, run: (key: Uint8Array) => void): Target {
  const key = new Uint8Array(32);
  const prepare = (which: number): void => {
    // The same work for both classes, without a branch.
    randomFillSync(key);
    for (let i = 0; i < key.length; i++) key[i] &= -which;
  };
  return { name, classes: 'key zero, random', engines: true, prepare, run: () => run(key) };
}

/** Tags that are wrong in their first or in their last byte. */
function tagged(name: string, tag: Uint8Array, engines: boolean, run: () => void): Target {
  const right = tag.slice();
  const prepare = (which: number): void => {
    tag.set(right);
    tag[0] ^= 0xff * (1 - which);
    tag[tag.length - 1] ^= 0xff * which;
  };
  return { name, classes: 'tag wrong in first, last byte', engines, prepare, run };
}

const nonceOf = (length: number): Uint8Array => new Uint8Array(length).fill(7);
const ciphers = ['chacha8', 'chacha12', 'chacha20', 'chacha20orig', 'xchacha20'] as const;
const streams = [
  ...ciphers.map((name) => ({ name, cipher: chacha[name] })),
  { name: 'salsa20', cipher: salsa20 },
  { name: 'xsalsa20', cipher: xsalsa20 },
].map(({ name, cipher }) => {
  const nonce = nonceOf(cipher.nonceLength);
  return keyed(name, (key) => void cipher(key, nonce, message, xored));
});

/** What authenticates by a key and a nonce, and where its tag is. */
const aad = message.subarray(0, 16);
const aeads = [
  ...(['chacha20poly1305', 'xchacha20poly1305'] as const).map((name) => ({
    name,
    of: (key: Uint8Array, nonce: Uint8Array) => chacha[name](key, nonce, aad),
    nonce: nonceOf(chacha[name].nonceLength),
    tagAt: LENGTH,
  })),
  { name: 'secretbox', of: secretbox, nonce: nonceOf(24), tagAt: 0 },
  { name: 'serpent ocb', of: serpent.ocb, nonce: nonceOf(12), tagAt: LENGTH },
].flatMap(({ name, of, nonce, tagAt }): Target[] => {
  const sealed = of(fixed, nonce).encrypt(message);
  const box = of(fixed, nonce);
  const forged = (): void => {
    try {
      box.decrypt(sealed, xored);
    } catch {
      return;
    }
    throw new Error('a forgery was opened');
  };
  return [
    keyed(`${name} encrypt`, (key) => void of(key, nonce).encrypt(message, out)),
    tagged(`${name} decrypt`, sealed.subarray(tagAt, tagAt + 16), true, forged),
  ];
});
const serpentStream = keyed('serpent ctr', (key) => void serpent.ctr(key, nonceOf(16)).encrypt(message, xored));

const [tag, other] = [new Uint8Array(16), new Uint8Array(16)];
const [longTag, longOther] = [new Uint8Array(1024), new Uint8Array(1024)];
/** Looked at, so that no engine leaves the comparison out. */
export const answers = { equal: false };

/** What the test must find: it stops at the first difference. */
function leaks(a: Uint8Array, b: Uint8Array): boolean {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

export const targets: readonly Target[] = [
  tagged('equalBytes', tag, false, () => {
    answers.equal ||= equalBytes(tag, other);
  }),
  tagged('equalBytes, 1 KiB', longTag, false, () => {
    answers.equal ||= equalBytes(longTag, longOther);
  }),
  ...streams,
  ...aeads,
  serpentStream,
  keyed('poly1305', (key) => void poly1305(message, key)),
  keyed('blake3, keyed', (key) => void blake3(message, { key })),
  tagged('control: stops at a difference', longTag, false, () => {
    answers.equal ||= leaks(longTag, longOther);
  }),
];
