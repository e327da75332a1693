/** The functions of `lanewise/sha2.js` that take bytes. */
import { expand, extract, hkdf, hmac, pbkdf2Sync, sha256, sha512 } from '../../../src/sha2.ts';
import { data, key, parameter, type Subject } from '../../support/subject.ts';

export const subjects: readonly Subject[] = [
  ...[sha256, sha512].map((hash) => ({
    title: `sha2 of ${hash.outputLen} bytes`,
    parameters: [parameter('message')],
    values: () => [data.slice()],
    make: () => (values: readonly Uint8Array[]) => hash(values[0]),
  })),
  {
    title: 'hmac()',
    parameters: [parameter('key'), parameter('message')],
    values: () => [key.slice(), data.slice()],
    make: () => (values) => hmac(sha256, values[0], values[1]),
  },
  {
    title: 'hkdf()',
    parameters: [parameter('input'), { name: 'salt', optional: true }, { name: 'info', optional: true }],
    values: () => [key.slice(), key.slice(), data.slice()],
    make: () => (values) => hkdf(sha256, values[0], values[1], values[2], 40),
  },
  {
    title: 'extract()',
    parameters: [parameter('input'), { name: 'salt', optional: true }],
    values: () => [key.slice(), data.slice()],
    make: () => (values) => extract(sha256, values[0], values[1]),
  },
  {
    title: 'expand()',
    parameters: [parameter('key'), { name: 'info', optional: true }],
    values: () => [key.slice(), data.slice()],
    make: () => (values) => expand(sha256, values[0], values[1], 40),
  },
  {
    title: 'pbkdf2Sync()',
    parameters: [parameter('password'), { name: 'salt', optional: true }],
    values: () => [data.slice(), key.slice()],
    make: () => (values) => pbkdf2Sync(sha256, values[0], values[1], { c: 2 }),
  },
];
