/** Random nonces, stored in front of the message. */
import { isBytes, typeOf, lengthOf, outputOf, refuseSurplus, sizeOf, type Result } from './checks.ts';
import { apply, Bytes, copyBytes, copyOf, part } from '../engine/intrinsics.ts';
import { randomBytes } from './random.ts';

/** A cipher that takes a nonce of `nonceLength` and adds a tag of `tagLength`. */
export type NonceCipher<Rest extends readonly unknown[]> = ((
  key: Uint8Array,
  nonce: Uint8Array,
  ...rest: Rest
) => {
  /** Returns ciphertext and tag: `out`, or fresh bytes. */
  encrypt(plaintext: Uint8Array, out?: Uint8Array): Uint8Array;
  /** Returns the plaintext: `out`, or fresh bytes. Throws if the tag is wrong. */
  decrypt(ciphertext: Uint8Array, out?: Uint8Array): Uint8Array;
}) & {
  /** The length of the nonce in bytes. */
  readonly nonceLength: number;
  /** The length of the tag in bytes. */
  readonly tagLength: number;
};

/** Encrypts any number of messages, each under its own nonce. */
export interface ManagedCipher {
  /**
   * Encrypts a message under a fresh nonce.
   *
   * @param plaintext - Any number of bytes.
   * @param out - `nonceLength + tagLength` bytes longer; may overlap the plaintext.
   * @returns Nonce, ciphertext and tag: `out`, or fresh bytes.
   */
  encrypt(plaintext: Uint8Array): Uint8Array<ArrayBuffer>;
  encrypt<Out extends Uint8Array | undefined>(plaintext: Uint8Array, out: Out): Result<Out>;
  /**
   * Decrypts a message that begins with its nonce.
   *
   * @param message - The result of `encrypt`.
   * @param out - `nonceLength + tagLength` bytes shorter; may overlap the message.
   * @returns The plaintext: `out`, or fresh bytes.
   * @throws Error if the message is too short for a nonce and a tag, Error `invalid tag` if it isn't authentic under this key.
   */
  decrypt(message: Uint8Array): Uint8Array<ArrayBuffer>;
  decrypt<Out extends Uint8Array | undefined>(message: Uint8Array, out: Out): Result<Out>;
}

/**
 * Draws a random nonce for each message and stores it in front of the ciphertext. Use it with ciphers whose nonce is long
 * enough to be random (24 bytes: 2^80 messages under one key; with 12 bytes stay below 2^32).
 *
 * @param cipher - {@link xchacha20poly1305} or another with `nonceLength` and `tagLength`.
 * @param random - The source of nonces; by default the host's generator.
 * @returns The cipher without its nonce argument.
 * @throws TypeError or RangeError if `cipher` isn't a cipher with a nonce and a tag, or `random` isn't a function. The
 * returned cipher throws Error if the host has no generator of random numbers.
 * @example
 * ```ts
 * import { managedNonce, randomBytes, xchacha20poly1305 } from 'lanewise/chacha.js';
 * const box = managedNonce(xchacha20poly1305)(randomBytes(32));
 * const first = box.encrypt(new TextEncoder().encode('one'));
 * const second = box.encrypt(new TextEncoder().encode('two'));
 * const plaintext = box.decrypt(first);
 * ```
 */
export function managedNonce<Rest extends readonly unknown[]>(
  cipher: NonceCipher<Rest>,
  random: (length: number) => Uint8Array = randomBytes,
): (key: Uint8Array, ...rest: Rest) => ManagedCipher {
  refuseSurplus(arguments, 2);
  const { nonceLength, tagLength } = lengthsOf(cipher);
  if (typeof random !== 'function')
    throw new TypeError(`"random" expected function, got ${typeOf(random)}; the key goes to managedNonce(cipher)(key)`);
  return (key, ...rest) => {
    const values: [Uint8Array, Uint8Array, ...unknown[]] = [key, new Bytes(nonceLength)];
    for (let i = 0; i < rest.length; i++) values[i + 2] = rest[i];
    const withNonce = (nonce: Uint8Array): ReturnType<typeof cipher> => {
      values[1] = nonce;
      return apply(cipher, undefined, values as unknown as [Uint8Array, Uint8Array, ...Rest]);
    };
    // The cipher's own checks, before any work.
    withNonce(values[1]);
    // The arguments are copied, so that a later change of the caller's bytes has no effect.
    for (let i = 0; i < values.length; i++) if (isBytes(values[i])) values[i] = copyOf(values[i] as Uint8Array);
    const managed = {
      encrypt(plaintext: Uint8Array, out?: Uint8Array): Uint8Array {
        refuseSurplus(arguments, 2);
        const check = (): number => lengthOf(plaintext, 'plaintext');
        const result = outputOf(out, nonceLength + check() + tagLength);
        const made = random(nonceLength);
        const nonce = copyOf(made, lengthOf(made, 'nonce', nonceLength));
        // Checked again: the generator is the caller's, and may have detached buffers.
        const length = check();
        lengthOf(result, 'out', nonceLength + length + tagLength);
        withNonce(nonce).encrypt(plaintext, part(result, nonceLength, length + tagLength));
        // The nonce is written last, because the plaintext may have been at its place.
        copyBytes(result, nonce);
        return result;
      },
      decrypt(message: Uint8Array, out?: Uint8Array): Uint8Array {
        refuseSurplus(arguments, 2);
        const length = lengthOf(message, 'ciphertext') - nonceLength;
        if (length < tagLength)
          throw new Error(
            `"ciphertext" expected length >= nonceLength + tagLength=${nonceLength + tagLength}, got length=${length + nonceLength}`,
          );
        if (out !== undefined) lengthOf(out, 'out', length - tagLength);
        const nonce = part(message, 0, nonceLength);
        return withNonce(nonce).decrypt(part(message, nonceLength, length), out);
      },
    };
    return managed as ManagedCipher;
  };
}

/** The lengths of a cipher, from its own properties. */
function lengthsOf(cipher: NonceCipher<never>): { readonly nonceLength: number; readonly tagLength: number } {
  const wanted = '"cipher" expected function with nonceLength and tagLength, got';
  if (typeof cipher !== 'function') throw new TypeError(`${wanted} ${typeOf(cipher)}`);
  const { nonceLength, tagLength } = cipher;
  const check = (length: unknown, name: string, least: number): void => {
    if (typeof length !== 'number') throw new TypeError(`${wanted} ${name}: ${typeOf(length)}`);
    sizeOf(length, name, least);
  };
  check(nonceLength, 'nonceLength', 1);
  check(tagLength, 'tagLength', 0);
  return { nonceLength, tagLength };
}
