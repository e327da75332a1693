/** Calls of the room's public modules that nothing is recorded of. */
import { destroyed, key, none, nonce, ones, STAGE, type Call } from '../../branch-calls.ts';

export const ordinary: readonly Call[] = [
  // Output that overlaps input still to be read, in parts; and memory that another thread may change.
  ({ chacha }) => {
    const buffer = ones(STAGE + 100);
    const length = STAGE + 50;
    return chacha.xchacha20poly1305(key, nonce(24)).encryptDetached(buffer.subarray(0, length), buffer.subarray(50));
  },
  ({ chacha }) => {
    const sealed = chacha.chacha20poly1305(key, nonce(12)).encrypt(ones(STAGE + 1));
    const shared = new Uint8Array(new SharedArrayBuffer(sealed.length));
    shared.set(sealed);
    return chacha.chacha20poly1305(key, nonce(12)).decrypt(shared, ones(STAGE + 1));
  },
  ({ chacha }) => {
    const { ciphertext, tag } = chacha.chacha20poly1305(key, nonce(12)).encryptDetached(ones(STAGE + 1));
    const shared = new Uint8Array(new SharedArrayBuffer(ciphertext.length));
    shared.set(ciphertext);
    return chacha.chacha20poly1305(key, nonce(12)).decryptDetached(shared, tag, ones(STAGE + 1));
  },
  // Counters at their ends.
  ({ chacha }) => chacha.xchacha20(key, nonce(24), ones(64), undefined, 2n ** 64n - 1n),
  ({ chacha }) => {
    const stream = chacha.chacha20.stream(key, nonce(12));
    stream.seek(2 ** 38).update(none);
    return stream.seek(2 ** 38 - 64).update(ones(64));
  },
  // Nothing to be done.
  ({ chacha }) => chacha.chacha20(key, nonce(12), none),
];

export const refused: readonly Call[] = [
  ({ chacha }) => chacha.xchacha20poly1305(key, nonce(24)).decrypt(ones(15)),
  ({ chacha }) => destroyed(chacha.xchacha20poly1305(key, nonce(24)), (box) => box.encrypt(none)),
  ({ chacha }) => {
    const box = chacha.xchacha20poly1305(key, nonce(24));
    return [1, 2].map(() => box.encrypt(none));
  },
  ({ chacha }) => chacha.chacha20.stream(key, nonce(12)).seek(2 ** 38 + 1),
  ({ chacha }) => destroyed(chacha.chacha20.stream(key, nonce(12)), (stream) => stream.update(none)),
];
