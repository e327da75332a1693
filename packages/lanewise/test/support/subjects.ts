/** Every public function that takes bytes, with right values, as a table. */
import * as lanewise from '../../src/chacha.ts';
import { poly1305 } from '../../src/poly1305.ts';
import { bytesToHex, equalBytes } from '../../src/utils.ts';
import { concat, sample, truth, untouched } from './bytes.ts';
import * as oracles from './oracles.ts';
import { serpentSubjects } from './subjects-serpent.ts';

/** Arguments without their types, as callers without TypeScript pass them. */
export type Values = readonly never[];

export interface Parameter {
  readonly name: string;
  /** The length it must have, and only that; undefined for any. */
  readonly length?: number;
  /** The message leaves the length out, because another would do too. */
  readonly orOther?: boolean;
  readonly optional?: boolean;
}
export interface Subject {
  readonly title: string;
  readonly parameters: readonly Parameter[];
  /** Right values. */
  readonly values: () => Uint8Array[];
  /** A fresh object; what it gives back is called with values, wrong ones first and then right ones. */
  readonly make: () => (values: Values) => unknown;
  /** What the call with right values gives. */
  readonly expected?: Uint8Array;
}

export const key = sample(32, 21);
export const data = sample(100, 22);
const aad = sample(20, 23);
export const nonces: Readonly<Record<number, Uint8Array>> = {
  8: sample(8, 24),
  12: sample(12, 25),
  24: sample(24, 26),
};
const nonce = nonces[24];
const sealed = oracles.seal(key, nonce, aad, data);
const [ciphertext, tag] = [sealed.subarray(0, 100), sealed.subarray(100)];
const boxed = concat(nonce, sealed);

const p = (name: string, length?: number): Parameter => (length === undefined ? { name } : { name, length });
const out = (length: number): Parameter => ({ name: 'out', length, optional: true });

export const streamNames = [
  'chacha8',
  'chacha12',
  'chacha20',
  'chacha8orig',
  'chacha12orig',
  'chacha20orig',
  'xchacha8',
  'xchacha12',
  'xchacha20',
] as const;

const streams = streamNames.flatMap((name): Subject[] => {
  const cipher = lanewise[name];
  const itsNonce = nonces[cipher.nonceLength];
  const expected = {
    chacha20: oracles.chacha20(key, nonces[12], data),
    chacha20orig: oracles.chacha20(key, nonces[8], data),
    xchacha20: oracles.xchacha20(key, nonce, data),
  }[name as string];
  const common = expected ? { expected } : {};
  const keyParameter = { ...p('key', 32), orOther: name.endsWith('orig') };
  return [
    {
      title: `${name}()`,
      parameters: [keyParameter, p('nonce', cipher.nonceLength), p('data'), out(100)],
      values: () => [key.slice(), itsNonce.slice(), data.slice(), untouched(100)],
      make: () => (values) => cipher(values[0], values[1], values[2], values[3]),
      ...common,
    },
    {
      title: `${name}.stream()`,
      parameters: [keyParameter, p('nonce', cipher.nonceLength)],
      values: () => [key.slice(), itsNonce.slice()],
      make: () => (values) => cipher.stream(values[0], values[1]).update(data),
      ...common,
    },
    {
      title: `${name}.stream().update()`,
      parameters: [p('data'), out(100)],
      values: () => [data.slice(), untouched(100)],
      make() {
        const stream = cipher.stream(key, itsNonce);
        return (values) => stream.update(values[0], values[1]);
      },
      ...common,
    },
  ];
});

const box = (): lanewise.Aead => lanewise.xchacha20poly1305(key, nonce, aad);
const managed = (): lanewise.ManagedCipher =>
  lanewise.managedNonce(lanewise.xchacha20poly1305, () => nonce.slice())(key, aad);

const others: readonly Subject[] = [
  ...[12, 24].map((length): Subject => {
    const cipher = length === 12 ? lanewise.chacha20poly1305 : lanewise.xchacha20poly1305;
    return {
      title: `${length === 12 ? '' : 'x'}chacha20poly1305()`,
      parameters: [p('key', 32), p('nonce', length), { name: 'AAD', optional: true }],
      values: () => [key.slice(), nonces[length].slice(), aad.slice()],
      make: () => (values) => cipher(values[0], values[1], values[2]).encrypt(data),
      expected: oracles.seal(key, nonces[length], aad, data),
    };
  }),
  {
    title: 'encrypt()',
    parameters: [p('plaintext'), out(116)],
    values: () => [data.slice(), untouched(116)],
    make() {
      const it = box();
      return (values) => it.encrypt(values[0], values[1]);
    },
    expected: sealed,
  },
  {
    title: 'encryptDetached()',
    parameters: [p('plaintext'), out(100)],
    values: () => [data.slice(), untouched(100)],
    make() {
      const it = box();
      return (values) => {
        const result = it.encryptDetached(values[0], values[1]);
        return concat(truth(result.ciphertext), result.tag);
      };
    },
    expected: sealed,
  },
  {
    title: 'decrypt()',
    parameters: [p('ciphertext'), out(100)],
    values: () => [sealed.slice(), untouched(100)],
    make() {
      const it = box();
      return (values) => it.decrypt(values[0], values[1]);
    },
    expected: data,
  },
  {
    title: 'decryptDetached()',
    parameters: [p('ciphertext'), p('tag', 16), out(100)],
    values: () => [ciphertext.slice(), tag.slice(), untouched(100)],
    make() {
      const it = box();
      return (values) => it.decryptDetached(values[0], values[1], values[2]);
    },
    expected: data,
  },
  {
    title: 'managedNonce()()',
    parameters: [p('key', 32), { name: 'AAD', optional: true }],
    values: () => [key.slice(), aad.slice()],
    make: () => (values) =>
      lanewise
        .managedNonce(lanewise.xchacha20poly1305, () => nonce.slice())(values[0], values[1])
        .encrypt(data),
    expected: boxed,
  },
  {
    title: 'managedNonce().encrypt()',
    parameters: [p('plaintext'), out(140)],
    values: () => [data.slice(), untouched(140)],
    make() {
      const it = managed();
      return (values) => it.encrypt(values[0], values[1]);
    },
    expected: boxed,
  },
  {
    title: 'managedNonce().decrypt()',
    parameters: [p('ciphertext'), out(100)],
    values: () => [boxed.slice(), untouched(100)],
    make() {
      const it = managed();
      return (values) => it.decrypt(values[0], values[1]);
    },
    expected: data,
  },
  {
    title: 'poly1305()',
    parameters: [p('message'), p('key', 32)],
    values: () => [data.slice(), key.slice()],
    make: () => (values) => poly1305(values[0], values[1]),
    expected: oracles.poly1305(data, key),
  },
  {
    title: 'poly1305.create()',
    parameters: [p('key', 32)],
    values: () => [key.slice()],
    make: () => (values) => poly1305.create(values[0]).update(data).digest(),
    expected: oracles.poly1305(data, key),
  },
  {
    title: 'Poly1305.update()',
    parameters: [p('message')],
    values: () => [data.slice()],
    make() {
      const mac = poly1305.create(key);
      return (values) => mac.update(values[0]).digest();
    },
    expected: oracles.poly1305(data, key),
  },
  {
    title: 'Poly1305.digestInto()',
    parameters: [p('out', 16)],
    values: () => [untouched(16)],
    make() {
      const mac = poly1305.create(key).update(data);
      return (values) => {
        mac.digestInto(values[0]);
        return values[0];
      };
    },
    expected: oracles.poly1305(data, key),
  },
  {
    title: 'equalBytes()',
    parameters: [p('a'), p('b')],
    values: () => [data.slice(), data.slice()],
    make: () => (values) => equalBytes(values[0], values[1]),
  },
  {
    title: 'bytesToHex()',
    parameters: [p('bytes')],
    values: () => [data.slice()],
    make: () => (values) => bytesToHex(values[0]),
  },
];

export const subjects: readonly Subject[] = [...streams, ...others, ...serpentSubjects];
