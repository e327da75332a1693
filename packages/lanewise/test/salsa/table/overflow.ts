/** Operations of `lanewise/salsa.js` on random bytes, in which tests make the stack overflow. */
import * as salsa from '../../../src/salsa.ts';
import * as salsaOracles from '../../support/salsa.ts';
import { LONG, same, type Given, type Operation } from '../../support/overflow-operation.ts';
import { instances } from './instances.ts';

// Read here once: the tests' module loader reports a stack overflow in the getter of a re-export as a missing export.
const { salsa20, secretbox, secretbox_xchacha20poly1305 } = salsa;

const memories = (): Uint8Array[] => instances().map(({ memory }) => memory);
const box = ({ key, nonce, text }: Given): Uint8Array => salsaOracles.secretbox(key, nonce, text);

export const operations: readonly Operation[] = [
  {
    name: 'salsa20',
    memories,
    longest: LONG,
    work: ({ key, nonce, text }) => salsa20(key, nonce.subarray(0, 8), text),
    expected: ({ key, nonce, text }) => salsaOracles.salsa20(key, nonce.subarray(0, 8), text),
    sealed: true,
  },
  {
    name: 'secretbox: encrypt',
    memories,
    longest: LONG,
    make: ({ key, nonce }) => secretbox(key, nonce),
    work: ({ text }, object: salsa.Secretbox) => object.encrypt(text),
    expected: box,
    sealed: true,
  },
  {
    name: 'secretbox: decrypt',
    memories,
    longest: LONG,
    make: (given) => ({ object: secretbox(given.key, given.nonce), sealed: box(given) }),
    work: (_, { object, sealed }: { object: salsa.Secretbox; sealed: Uint8Array }) => object.decrypt(sealed),
    expected: same,
    isPublic: box,
  },
  {
    name: 'secretbox with XChaCha20',
    memories,
    longest: LONG,
    make: ({ key, nonce }) => secretbox_xchacha20poly1305(key, nonce),
    work: ({ text }, object: salsa.Secretbox) => object.encrypt(text),
    expected: ({ key, nonce, text }) => salsaOracles.secretboxXChaCha(key, nonce, text),
    sealed: true,
  },
];
