/** The public interface in the hands of a user with strict types: no cast is needed, wrong uses are errors. Not run. */
import {
  chacha20,
  chacha20poly1305,
  hchacha,
  managedNonce,
  randomBytes,
  xchacha20,
  xchacha20poly1305,
  type Aead,
  type AeadCipher,
  type CipherStream,
  type Detached,
  type ManagedCipher,
  type StreamCipher,
} from 'lanewise/chacha.js';
import { describe, select, type Description, type Engine } from 'lanewise/engine.js';
import { poly1305 } from 'lanewise/poly1305.js';
import { bytesToHex, clean, equalBytes, hexToBytes, isBytes } from 'lanewise/utils.js';
import { version } from 'lanewise';

declare const bytes: Uint8Array;
declare const buffer: Buffer<ArrayBuffer>;
declare const shared: Uint8Array<SharedArrayBuffer>;
declare const words: Uint32Array;
declare const unknown: unknown;

type Fresh = Uint8Array<ArrayBuffer>;

const box: Aead = xchacha20poly1305(bytes, bytes);
const stream: CipherStream = chacha20.stream(bytes, bytes, 5);
const managed: ManagedCipher = managedNonce(xchacha20poly1305)(bytes, bytes);
const withoutAad: ManagedCipher = managedNonce(xchacha20poly1305, randomBytes)(bytes);

/** Results are fresh bytes of an ArrayBuffer. */
export const fresh: Fresh[] = [
  box.encrypt(bytes),
  box.decrypt(bytes),
  box.decryptDetached(bytes, bytes),
  box.encryptDetached(bytes).ciphertext,
  box.encryptDetached(bytes, buffer).tag,
  chacha20(bytes, bytes, bytes),
  chacha20(bytes, bytes, bytes, undefined, 3n),
  stream.update(bytes),
  stream.seek(10n).seek(1).update(shared),
  managed.encrypt(buffer),
  withoutAad.decrypt(shared),
  randomBytes(),
  randomBytes(7),
  hexToBytes('00'),
  poly1305(bytes, bytes),
  poly1305.create(bytes).update(shared).digest(),
];

/** `out` goes through with its own type. */
export const ownBuffers: Buffer<ArrayBuffer>[] = [
  box.encrypt(bytes, buffer),
  box.decrypt(bytes, buffer),
  box.decryptDetached(bytes, bytes, buffer),
  box.encryptDetached(bytes, buffer).ciphertext,
  chacha20(bytes, bytes, bytes, buffer),
  stream.update(bytes, buffer),
  managed.encrypt(bytes, buffer),
  managed.decrypt(bytes, buffer),
];
export const ownShared: Uint8Array<SharedArrayBuffer> = xchacha20(bytes, bytes, shared, shared, 1);
export const detached: Detached<Buffer<ArrayBuffer>> = box.encryptDetached(bytes, buffer);

/** Results fit the platform's own functions. */
export const platform = [
  new Blob([box.encrypt(bytes), managed.encrypt(bytes), poly1305(bytes, bytes)]),
  new Response(box.decrypt(bytes)),
  crypto.subtle.digest('SHA-256', chacha20(bytes, bytes, bytes)),
  crypto.subtle.importKey('raw', randomBytes(32), 'HKDF', false, ['deriveBits']),
  new TextDecoder().decode(box.decrypt(bytes)),
  new File([hexToBytes('00')], version),
];

export function narrowed(): number {
  return isBytes(unknown) ? unknown.length : 0;
}
export const description: Description = describe();
export const engine: Engine = description.engine;
export const reason: string | undefined = description.reason;
export const lengths: number[] = [
  chacha20.nonceLength,
  chacha20.blockSize,
  xchacha20poly1305.tagLength,
  poly1305.blockLen,
];
export const ciphers: [StreamCipher, AeadCipher] = [xchacha20, chacha20poly1305];
export const same: boolean = equalBytes(bytes, shared);
export const hex: string = bytesToHex(bytes);
clean(bytes, buffer);
hchacha(words, words, words, words);
select('auto');
box.destroy();

export const wrong = [
  // @ts-expect-error strings aren't bytes
  box.encrypt('plaintext'),
  // @ts-expect-error nor are arrays of numbers
  box.encrypt([1, 2, 3]),
  // @ts-expect-error nor is a buffer without a view
  box.encrypt(new ArrayBuffer(5)),
  // @ts-expect-error nor are words
  chacha20(bytes, bytes, words),
  // @ts-expect-error the nonce is missing
  xchacha20poly1305(bytes),
  // @ts-expect-error another type is wanted
  xchacha20poly1305(bytes, bytes, 'header'),
  // @ts-expect-error a new message takes a new object, and a counter no string
  chacha20(bytes, bytes, bytes, undefined, '1'),
  // @ts-expect-error `out` is bytes
  box.decrypt(bytes, words),
  // @ts-expect-error a raw cipher has no nonce to manage: it makes no object that encrypts
  managedNonce(chacha20),
  // @ts-expect-error additional data are bytes
  managedNonce(xchacha20poly1305)(bytes, 5),
  // @ts-expect-error the key is missing
  poly1305(bytes),
  // @ts-expect-error another type is wanted
  randomBytes('32'),
  // @ts-expect-error another type is wanted
  stream.seek('5'),
  // @ts-expect-error another type is wanted
  hexToBytes(bytes),
];
// @ts-expect-error without `out` the result is bytes, whatever the caller would like
export const noBuffer: Buffer = box.encrypt(bytes);
// @ts-expect-error nor that of a raw cipher
export const noBufferEither: Buffer = chacha20(bytes, bytes, bytes);
// @ts-expect-error nor that of a stream
export const noSharedBytes: Uint8Array<SharedArrayBuffer> = stream.update(bytes);
// @ts-expect-error no such engine
select('wasm');
// @ts-expect-error a Blob takes no bytes of shared memory
export const blob = new Blob([box.encrypt(bytes, shared)]);
// @ts-expect-error properties of a cipher can't be changed
chacha20.nonceLength = 8;
// @ts-expect-error nor can a description's
description.engine = 'js';
// @ts-expect-error words aren't bytes
hchacha(bytes, words, words, words);
// @ts-expect-error the object is made by its cipher
export const made = new Aead();
// @ts-expect-error nothing else is exported
export { family } from 'lanewise/chacha.js';
