/** The public interface of salsa.js and nacl.js in the hands of a user with strict types. Not run. */
import nacl, { secretbox as naclSecretbox, verify } from 'lanewise/nacl.js';
import {
  hsalsa,
  managedNonce,
  salsa20,
  secretbox,
  secretbox_xchacha20poly1305,
  xsalsa20poly1305,
  type CipherStream,
  type ManagedCipher,
  type Secretbox,
  type SecretboxCipher,
} from 'lanewise/salsa.js';

declare const bytes: Uint8Array;
declare const buffer: Buffer<ArrayBuffer>;
declare const words: Uint32Array;

const box: Secretbox = secretbox(bytes, bytes);
const stream: CipherStream = salsa20.stream(bytes, bytes, 5n);
const managed: ManagedCipher = managedNonce(secretbox)(bytes);
export const ciphers: readonly SecretboxCipher[] = [secretbox, xsalsa20poly1305, secretbox_xchacha20poly1305];

/** Results are fresh bytes of an ArrayBuffer. */
export const fresh: Uint8Array<ArrayBuffer>[] = [
  box.seal(bytes),
  box.open(bytes),
  box.encrypt(bytes),
  box.decrypt(bytes),
  stream.update(bytes),
  managed.encrypt(bytes),
  naclSecretbox(bytes, bytes, bytes),
  nacl.randomBytes(nacl.secretbox.keyLength),
];

/** `out` goes through with its own type. */
export const ownBuffers: Buffer<ArrayBuffer>[] = [
  box.seal(bytes, buffer),
  box.open(bytes, buffer),
  salsa20(bytes, bytes, bytes, buffer),
];

/** A forgery is null, which the caller has to look at. */
export const opened: Uint8Array | null = nacl.secretbox.open(bytes, bytes, bytes);
export const same: boolean = verify(bytes, bytes);
// @ts-expect-error it may be null
export const unlooked: Uint8Array = naclSecretbox.open(bytes, bytes, bytes);

export function misuses(): void {
  // @ts-expect-error there are no additional data
  secretbox(bytes, bytes, bytes);
  // @ts-expect-error strings aren't bytes
  box.seal('text');
  // @ts-expect-error words, not bytes
  hsalsa(bytes, words, words, words);
  // @ts-expect-error the lengths are constants
  nacl.secretbox.keyLength = 16;
}
