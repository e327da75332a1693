/** Calls of the room's public modules that nothing is recorded of. */
import { expect } from 'vitest';
import { destroyed, key, none, nonce, ones, STAGE, type Call } from '../../branch-calls.ts';

export const ordinary: readonly Call[] = [
  // The tag apart, of messages that are staged whole and that are not.
  ...[10, STAGE + 100].map((length): Call => ({ salsa: { secretbox } }) => {
    const { ciphertext, tag } = secretbox(key, nonce(24)).encryptDetached(ones(length));
    return secretbox(key, nonce(24)).decryptDetached(ciphertext, tag, ones(length));
  }),
  ({ nacl: { secretbox, verify } }) => {
    const box = secretbox(ones(10), nonce(24), key);
    expect(secretbox.open(box, nonce(24), key)).toEqual(ones(10));
    const long = ones(STAGE + 100);
    expect(secretbox.open(secretbox(long, nonce(24), key), nonce(24), key)).toEqual(long);
    expect(secretbox.open(box.fill(0), nonce(24), key)).toBeNull();
    expect(secretbox.open(none, nonce(24), key)).toBeNull();
    return [verify(box, box), verify(none, none)];
  },
];

export const refused: readonly Call[] = [
  ({ salsa }) => salsa.secretbox(key, nonce(24)).open(ones(15)),
  ({ salsa }) => salsa.secretbox(key, nonce(24)).decryptDetached(ones(STAGE + 100), ones(16), ones(STAGE + 100)),
  ({ salsa }) => destroyed(salsa.secretbox(key, nonce(24)), (box) => box.seal(none)),
  ({ salsa }) => {
    const box = salsa.secretbox(key, nonce(24));
    return [1, 2].map(() => box.seal(none));
  },
  ({ nacl }) => nacl.secretbox(none, nonce(24), ones(31)),
  ({ nacl }) => nacl.secretbox(none, ones(23), key),
  ({ nacl }) => nacl.secretbox('text' as unknown as Uint8Array, nonce(24), key),
];
