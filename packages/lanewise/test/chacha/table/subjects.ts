/** The functions of `lanewise/chacha.js` that take bytes. */
import * as chacha from '../../../src/chacha.ts';
import { concat, truth, untouched } from '../../support/bytes.ts';
import * as oracles from '../../support/oracles.ts';
import { streamNames } from '../../support/stream-names.ts';
import { aad, data, key, nonces, out, parameter, type Subject } from '../../support/subject.ts';

const nonce = nonces[24];
const sealed = oracles.seal(key, nonce, aad, data);
const [ciphertext, tag] = [sealed.subarray(0, 100), sealed.subarray(100)];
const boxed = concat(nonce, sealed);

const streams = streamNames.flatMap((name): Subject[] => {
  const cipher = chacha[name];
  const itsNonce = nonces[cipher.nonceLength];
  const expected = {
    chacha20: oracles.chacha20(key, nonces[12], data),
    chacha20orig: oracles.chacha20(key, nonces[8], data),
    xchacha20: oracles.xchacha20(key, nonce, data),
  }[name as string];
  const common = expected ? { expected } : {};
  const keyParameter = { ...parameter('key', 32), orOther: name.endsWith('orig') };
  return [
    {
      title: `${name}()`,
      parameters: [keyParameter, parameter('nonce', cipher.nonceLength), parameter('data'), out(100)],
      values: () => [key.slice(), itsNonce.slice(), data.slice(), untouched(100)],
      make: () => (values) => cipher(values[0], values[1], values[2], values[3]),
      ...common,
    },
    {
      title: `${name}.stream()`,
      parameters: [keyParameter, parameter('nonce', cipher.nonceLength)],
      values: () => [key.slice(), itsNonce.slice()],
      make: () => (values) => cipher.stream(values[0], values[1]).update(data),
      ...common,
    },
    {
      title: `${name}.stream().update()`,
      parameters: [parameter('data'), out(100)],
      values: () => [data.slice(), untouched(100)],
      make() {
        const stream = cipher.stream(key, itsNonce);
        return (values) => stream.update(values[0], values[1]);
      },
      ...common,
    },
  ];
});

const box = (): chacha.Aead => chacha.xchacha20poly1305(key, nonce, aad);
const managed = (): chacha.ManagedCipher =>
  chacha.managedNonce(chacha.xchacha20poly1305, () => nonce.slice())(key, aad);

export const subjects: readonly Subject[] = [
  ...streams,
  ...[12, 24].map((length): Subject => {
    const cipher = length === 12 ? chacha.chacha20poly1305 : chacha.xchacha20poly1305;
    return {
      title: `${length === 12 ? '' : 'x'}chacha20poly1305()`,
      parameters: [parameter('key', 32), parameter('nonce', length), { name: 'AAD', optional: true }],
      values: () => [key.slice(), nonces[length].slice(), aad.slice()],
      make: () => (values) => cipher(values[0], values[1], values[2]).encrypt(data),
      expected: oracles.seal(key, nonces[length], aad, data),
    };
  }),
  {
    title: 'encrypt()',
    parameters: [parameter('plaintext'), out(116)],
    values: () => [data.slice(), untouched(116)],
    make() {
      const it = box();
      return (values) => it.encrypt(values[0], values[1]);
    },
    expected: sealed,
  },
  {
    title: 'encryptDetached()',
    parameters: [parameter('plaintext'), out(100)],
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
    parameters: [parameter('ciphertext'), out(100)],
    values: () => [sealed.slice(), untouched(100)],
    make() {
      const it = box();
      return (values) => it.decrypt(values[0], values[1]);
    },
    expected: data,
  },
  {
    title: 'decryptDetached()',
    parameters: [parameter('ciphertext'), parameter('tag', 16), out(100)],
    values: () => [ciphertext.slice(), tag.slice(), untouched(100)],
    make() {
      const it = box();
      return (values) => it.decryptDetached(values[0], values[1], values[2]);
    },
    expected: data,
  },
  {
    title: 'managedNonce()()',
    parameters: [parameter('key', 32), { name: 'AAD', optional: true }],
    values: () => [key.slice(), aad.slice()],
    make: () => (values) =>
      chacha
        .managedNonce(chacha.xchacha20poly1305, () => nonce.slice())(values[0], values[1])
        .encrypt(data),
    expected: boxed,
  },
  {
    title: 'managedNonce().encrypt()',
    parameters: [parameter('plaintext'), out(140)],
    values: () => [data.slice(), untouched(140)],
    make() {
      const it = managed();
      return (values) => it.encrypt(values[0], values[1]);
    },
    expected: boxed,
  },
  {
    title: 'managedNonce().decrypt()',
    parameters: [parameter('ciphertext'), out(100)],
    values: () => [boxed.slice(), untouched(100)],
    make() {
      const it = managed();
      return (values) => it.decrypt(values[0], values[1]);
    },
    expected: data,
  },
];
