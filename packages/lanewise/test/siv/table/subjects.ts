/** The functions of `lanewise/siv.js` that take bytes. */
import { chacha20poly1305siv, type Aead } from '../../../src/siv.ts';
import { untouched } from '../../support/bytes.ts';
import { aad, data, key, out, parameter, type Subject } from '../../support/subject.ts';

const nonce = data.slice(0, 16);
const box = (): Aead => chacha20poly1305siv(key, nonce, aad);
const apart = box().encryptDetached(data);

export const subjects: readonly Subject[] = [
  {
    title: 'chacha20poly1305siv()',
    parameters: [parameter('key', 32), parameter('nonce', 16), { name: 'AAD', optional: true }],
    values: () => [key.slice(), nonce.slice(), aad.slice()],
    make: () => (values) => chacha20poly1305siv(values[0], values[1], values[2]).encrypt(data),
  },
  {
    title: 'SIV: encrypt()',
    parameters: [parameter('plaintext'), out(132)],
    values: () => [data.slice(), untouched(132)],
    make() {
      const it = box();
      return (values) => it.encrypt(values[0], values[1]);
    },
  },
  {
    title: 'SIV: decryptDetached()',
    parameters: [parameter('ciphertext'), parameter('tag', 32), out(100)],
    values: () => [apart.ciphertext.slice(), apart.tag.slice(), untouched(100)],
    make() {
      const it = box();
      return (values) => it.decryptDetached(values[0], values[1], values[2]);
    },
    expected: data,
  },
];
