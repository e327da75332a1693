/** A public call that gives bytes to a kernel, as the table of them has it: `byte-calls.ts`. */
import type { Aead, StreamCipher } from '../../src/chacha.ts';
import { concat, sample } from './bytes.ts';

/** Replaces an argument. */
export type Given = (bytes: Uint8Array) => Uint8Array;

export interface Call {
  readonly title: string;
  /** Calls, with each argument that is bytes passed through `given`, in order; returns the results one after the other. */
  readonly run: (given: Given) => Uint8Array;
}

export const key = sample(32, 301);
export const shortKey = sample(16, 302);
export const nonce = sample(24, 303);
export const aad = sample(40, 304);
export const iv = sample(16, 305);
export const n12 = nonce.subarray(0, 12);
export const n8 = nonce.subarray(0, 8);

/** The first length uses a kernel for short messages, the last is more than any stage holds. */
export const LENGTHS = [10, 100, 130_000];
export const messageOf = (length: number): Uint8Array<ArrayBuffer> => sample(length, 306);

export const room = (length: number): Uint8Array<ArrayBuffer> => new Uint8Array(length);

/** Caches a ciphertext, which another call decrypts. */
const made = new Map<string, Uint8Array>();
export function once(title: string, make: () => Uint8Array): Uint8Array {
  const known = made.get(title);
  if (known) return known;
  const bytes = make();
  made.set(title, bytes);
  return bytes;
}

/** The raw ciphers: at once, and in two pieces of a stream. */
export const raw =
  (title: string, cipher: StreamCipher, itsKey: Uint8Array, itsNonce: Uint8Array) =>
  (length: number): Call[] => [
    {
      title: `${title}()`,
      run: (given) => cipher(given(itsKey), given(itsNonce), given(messageOf(length)), given(room(length))),
    },
    {
      title: `${title}.stream()`,
      run(given) {
        const stream = cipher.stream(given(itsKey), given(itsNonce));
        return concat(
          stream.update(given(messageOf(length))),
          stream.update(given(messageOf(length)), given(room(length))),
        );
      },
    },
  ];

export interface Box {
  encrypt(plaintext: Uint8Array, out?: Uint8Array): Uint8Array;
  decrypt(ciphertext: Uint8Array, out?: Uint8Array): Uint8Array;
}

/** Calls of an object that encrypts, adding `more` bytes, and decrypts into the plaintext's room and `left` bytes more. */
export const box =
  (title: string, make: (given: Given) => Box, more: number, left = 0) =>
  (length: number): Call[] => {
    const sealed = (): Uint8Array =>
      once(`${title} ${length}`, () => make((bytes) => bytes).encrypt(messageOf(length)));
    return [
      { title: `${title}.encrypt()`, run: (given) => make(given).encrypt(given(messageOf(length))) },
      {
        title: `${title}.encrypt() into out`,
        run: (given) => make(given).encrypt(given(messageOf(length)), given(room(length + more))),
      },
      { title: `${title}.decrypt()`, run: (given) => make(given).decrypt(given(sealed())) },
      {
        title: `${title}.decrypt() into out`,
        run: (given) => make(given).decrypt(given(sealed()), given(room(length + left))),
      },
    ];
  };

export const detached =
  (title: string, make: (given: Given) => Aead, tagFirst = false) =>
  (length: number): Call[] => {
    const sealed = (): Uint8Array =>
      once(`${title} ${length}`, () => make((bytes) => bytes).encrypt(messageOf(length)));
    return [
      {
        title: `${title}.encryptDetached()`,
        run(given) {
          const { ciphertext, tag } = make(given).encryptDetached(given(messageOf(length)), given(room(length)));
          return concat(ciphertext.subarray(0, length), tag);
        },
      },
      {
        title: `${title}.decryptDetached()`,
        run: (given) =>
          make(given).decryptDetached(
            given(tagFirst ? sealed().slice(16) : sealed().slice(0, length)),
            given(tagFirst ? sealed().slice(0, 16) : sealed().slice(length)),
            given(room(length)),
          ),
      },
    ];
  };

const padding = (length: number): number => 16 - (length % 16);
export const paddedBox =
  (title: string, make: (given: Given) => Box) =>
  (length: number): Call[] =>
    box(title, make, padding(length), padding(length))(length);

/** The calls of one kind with a message of `length` bytes. */
export type Family = (length: number) => Call[];
