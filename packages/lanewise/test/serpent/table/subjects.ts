/** The functions of `lanewise/serpent.js` that take bytes. The expected bytes are libgcrypt's, version 1.10.1. */
import * as serpent from '../../../src/serpent.ts';
import { concat, sample, truth, unhex, untouched } from '../../support/bytes.ts';
import { aad, data, key, out, parameter, type Subject } from '../../support/subject.ts';

const nonce = sample(15, 27);
const iv = sample(16, 28);

const sealed = unhex(
  'a5bc28baad53d472da50a1a7c295299ec59b2179d4ac5fb81da10cc4123185fa7451ee228de6c06639141660fdffc503' +
    'c855ec0b76d5a2e07e8d2de4664f5254c349efdf4995eced6725b63f0f5b0212133f511e057d2eebcae01482cab6e705' +
    'd038ba5865abacbcad671a432f7569df8f178063',
);
const counted = unhex(
  '6ba8ef54a28a83762b4868cfe7af566acb163c84a5de8c40a08f6bf0c5ddd27d543d59b7860fff1e239b725b4f94a9fa' +
    '70e88deff159c1eeb5e29a80da7838135220ce2fa8f0c9b9b55e9f6d7ec22524e0cf0137754334b03cd203da14b333ed' +
    '88f6ea85',
);
const chained = unhex(
  'fc0e09c41dac27cb05cd339ac0fe0661e9b12fd1b356163d40d97c3c851bc561165f4e0bdc2a602369afaa5f4d6da602' +
    '835bf226ce245f1f74c25a28e92b51e138cc5ed96122cbccb89479f80a77db49cd416e510ee4e38335b114885af6e2e1' +
    '1ac611cea2d0e6b28529c46d9ea9a785',
);
const blocks = unhex(
  '6b2c2dfab8cc0c343a497ba911c71b919b0c1319113b19bb60b5af77d7fb1bf09ac17e1b15ca563da8cd79df2164d842' +
    '675e7946b9a04ccc875f62925e9fbb6784f3aed57d9a33db4807bcbe56f87ea8d5704cf7839171a7df38e8896a4d9321' +
    'bca76a8bbda42778f247cc7f8e6b0408',
);

/** A call of an object with bytes and room for the result. */
const method = (
  title: string,
  name: string,
  input: Uint8Array,
  expected: Uint8Array,
  room: number,
  make: () => (bytes: never, out: never) => unknown,
): Subject => ({
  title,
  parameters: [parameter(name), out(room)],
  values: () => [input.slice(), untouched(room)],
  make() {
    const call = make();
    return (values) => call(values[0], values[1]);
  },
  expected,
});

const box = (): serpent.Aead => serpent.ocb(key, nonce, aad);

export const subjects: readonly Subject[] = [
  {
    title: 'serpent ocb()',
    parameters: [parameter('key'), parameter('nonce'), { name: 'AAD', optional: true }],
    values: () => [key.slice(), nonce.slice(), aad.slice()],
    make: () => (values) => serpent.ocb(values[0], values[1], values[2]).encrypt(data),
    expected: sealed,
  },
  {
    title: 'serpent ctr()',
    parameters: [parameter('key'), parameter('nonce', 16)],
    values: () => [key.slice(), iv.slice()],
    make: () => (values) => serpent.ctr(values[0], values[1]).encrypt(data),
    expected: counted,
  },
  {
    title: 'serpent cbc()',
    parameters: [parameter('key'), parameter('iv', 16)],
    values: () => [key.slice(), iv.slice()],
    make: () => (values) => serpent.cbc(values[0], values[1]).encrypt(data),
    expected: chained,
  },
  {
    title: 'serpent ecb()',
    parameters: [parameter('key')],
    values: () => [key.slice()],
    make: () => (values) => serpent.ecb(values[0]).encrypt(data),
    expected: blocks,
  },
  method('serpent ocb().encrypt()', 'plaintext', data, sealed, 116, () => {
    const it = box();
    return (bytes, room) => it.encrypt(bytes, room);
  }),
  method('serpent ocb().decrypt()', 'ciphertext', sealed, data, 100, () => {
    const it = box();
    return (bytes, room) => it.decrypt(bytes, room);
  }),
  method('serpent ocb().encryptDetached()', 'plaintext', data, sealed, 100, () => {
    const it = box();
    return (bytes, room) => {
      const { ciphertext, tag } = it.encryptDetached(bytes, room);
      return concat(truth(ciphertext), tag);
    };
  }),
  {
    title: 'serpent ocb().decryptDetached()',
    parameters: [parameter('ciphertext'), parameter('tag', 16), out(100)],
    values: () => [sealed.slice(0, 100), sealed.slice(100), untouched(100)],
    make() {
      const it = box();
      return (values) => it.decryptDetached(values[0], values[1], values[2]);
    },
    expected: data,
  },
  method('serpent ctr().encrypt()', 'plaintext', data, counted, 100, () => {
    const it = serpent.ctr(key, iv);
    return (bytes, room) => it.encrypt(bytes, room);
  }),
  method('serpent ctr().decrypt()', 'ciphertext', counted, data, 100, () => {
    const it = serpent.ctr(key, iv);
    return (bytes, room) => it.decrypt(bytes, room);
  }),
  method('serpent cbc().encrypt()', 'plaintext', data, chained, 112, () => {
    const it = serpent.cbc(key, iv);
    return (bytes, room) => it.encrypt(bytes, room);
  }),
  method('serpent cbc().decrypt()', 'ciphertext', chained, data, 112, () => {
    const it = serpent.cbc(key, iv);
    return (bytes, room) => it.decrypt(bytes, room);
  }),
  method('serpent ecb().encrypt()', 'plaintext', data, blocks, 112, () => {
    const it = serpent.ecb(key);
    return (bytes, room) => it.encrypt(bytes, room);
  }),
  method('serpent ecb().decrypt()', 'ciphertext', blocks, data, 112, () => {
    const it = serpent.ecb(key);
    return (bytes, room) => it.decrypt(bytes, room);
  }),
];
