/** HKDF (RFC 5869) with SHA-2. */
import { lengthOf, refuseSurplus, sizeOf } from '../calls/checks.ts';
import { keptStates, lend } from '../calls/lifetime.ts';
import type { Instance } from '../engine/instance.ts';
import { Bytes, getWeak, max, min, moveBytes } from '../engine/intrinsics.ts';
import type { Hash } from './hash.ts';
import { hashOf, type Sha2Function } from './hashes.ts';
import { finishMac, macStaged, takeKept, takeKey, takeStagedKey } from './keyed.ts';
import { DIGEST, INNER, SCHEDULE, STAGE } from './map.ts';
import type { Functions } from './module.ts';
import { stage, wipedTo } from './stage.ts';

type Kernel = Instance<Functions>;
/** Bytes, and how many there were when they were checked. */
type Counted = readonly [bytes: Uint8Array, length: number];

const counted = (bytes: Uint8Array, name: string): Counted => [bytes, lengthOf(bytes, name)];
const optional = (bytes: Uint8Array | undefined, name: string): Counted =>
  bytes === undefined ? [new Bytes(0), 0] : counted(bytes, name);

/** RFC 5869 §2.3: L <= 255*HashLen */
function lengthFor({ outputLen }: Hash, length: unknown): number {
  const size = sizeOf(length, 'length');
  if (size > 255 * outputLen)
    throw new RangeError(`"length" expected integer from 0 to 255*${outputLen}=${255 * outputLen}, got ${size}`);
  return size;
}

/** §2.2: PRK goes to DIGEST. A salt that isn't given is one of zeros, as HMAC pads an empty key. */
function extractStaged(kernel: Kernel, hash: Hash, [input, inputLength]: Counted, [salt, saltLength]: Counted): void {
  takeKey(kernel, hash, salt, saltLength);
  macStaged(kernel, hash, input, inputLength);
}

/** §2.3, under the key that the kernel has taken. */
function expandStaged(kernel: Kernel, hash: Hash, [info, infoLength]: Counted, out: Uint8Array): void {
  const [{ memory }, { outputLen }] = [kernel, hash];
  for (let at = 0, before = 0, number = 1; at < out.length; at += outputLen, before = outputLen) {
    if (before) moveBytes(memory, STAGE, DIGEST, DIGEST + before);
    kernel.run.begin(INNER);
    const staged = stage(kernel, hash, before, info, infoLength);
    // There is room for the padding after a full stage.
    memory[STAGE + staged] = number++;
    finishMac(kernel, hash, staged + 1, before + infoLength + 1);
    kernel.read(DIGEST, min(outputLen, out.length - at), out, at);
  }
}

/** The address up to which a derivation leaves something. */
const leaves = (hash: Hash, ...lengths: readonly number[]): number => wipedTo(hash.outputLen + 1 + max(...lengths));

/**
 * HKDF (RFC 5869): keys from an input with enough entropy, such as a shared secret. A password has too little: take `scrypt`.
 *
 * @param hash - `sha256` or a sibling.
 * @param input - The input keying material, any number of bytes.
 * @param salt - Any number of bytes, random and public; undefined for none, which counts as zeros.
 * @param info - What the keys are for: any number of bytes; undefined for none.
 * @param length - The bytes to derive, from 0 to 255 times those of a digest.
 * @returns `length` fresh bytes.
 * @throws TypeError or RangeError if an argument is not of that form.
 * @example
 * ```ts
 * import { hkdf, sha256 } from 'lanewise/sha2.js';
 * import { randomBytes } from 'lanewise/utils.js';
 * const info = new TextEncoder().encode('example.org session v1');
 * const key = hkdf(sha256, randomBytes(32), undefined, info, 32);
 * ```
 */
export function hkdf(
  hash: Sha2Function,
  input: Uint8Array,
  salt: Uint8Array | undefined,
  info: Uint8Array | undefined,
  length: number,
): Uint8Array<ArrayBuffer> {
  refuseSurplus(arguments, 5);
  const its = hashOf(hash);
  const [from, salted, about] = [counted(input, 'input'), optional(salt, 'salt'), optional(info, 'info')];
  const out = new Bytes(lengthFor(its, length));
  lend(its.instance(), SCHEDULE, leaves(its, from[1], salted[1], about[1]), (kernel) => {
    extractStaged(kernel, its, from, salted);
    takeStagedKey(kernel, its, its.outputLen);
    expandStaged(kernel, its, about, out);
  });
  return out;
}

/**
 * HKDF-Extract (RFC 5869 §2.2): a uniform key from an input with enough entropy.
 *
 * @param hash - `sha256` or a sibling.
 * @param input - The input keying material, any number of bytes.
 * @param salt - Any number of bytes, random and public; none unless given, which counts as zeros.
 * @returns The pseudorandom key, as many fresh bytes as a digest has.
 * @throws TypeError if an argument is not of that form.
 * @example
 * ```ts
 * import { expand, extract, sha256 } from 'lanewise/sha2.js';
 * import { randomBytes } from 'lanewise/utils.js';
 * const pseudorandomKey = extract(sha256, randomBytes(32));
 * const key = expand(sha256, pseudorandomKey, new TextEncoder().encode('key 1'), 32);
 * ```
 */
export function extract(hash: Sha2Function, input: Uint8Array, salt?: Uint8Array): Uint8Array<ArrayBuffer> {
  refuseSurplus(arguments, 3);
  const its = hashOf(hash);
  const [from, salted] = [counted(input, 'input'), optional(salt, 'salt')];
  const out = new Bytes(its.outputLen);
  lend(its.instance(), SCHEDULE, leaves(its, from[1], salted[1]), (kernel) => {
    extractStaged(kernel, its, from, salted);
    kernel.read(DIGEST, out.length, out);
  });
  return out;
}

/**
 * HKDF-Expand (RFC 5869 §2.3): keys from a uniform one.
 *
 * @param hash - `sha256` or a sibling.
 * @param key - The pseudorandom key: at least as many bytes as a digest has, by the RFC; any number is accepted.
 * @param info - What the keys are for: any number of bytes; undefined for none.
 * @param length - The bytes to derive, from 0 to 255 times those of a digest.
 * @returns `length` fresh bytes.
 * @throws TypeError or RangeError if an argument is not of that form.
 * @example
 * ```ts
 * import { expand, sha512 } from 'lanewise/sha2.js';
 * import { randomBytes } from 'lanewise/utils.js';
 * const key = expand(sha512, randomBytes(64), new TextEncoder().encode('key 1'), 32);
 * ```
 */
export function expand(
  hash: Sha2Function,
  key: Uint8Array,
  info: Uint8Array | undefined,
  length: number,
): Uint8Array<ArrayBuffer> {
  refuseSurplus(arguments, 4);
  const its = hashOf(hash);
  const [under, about] = [counted(key, 'key'), optional(info, 'info')];
  const kept = getWeak(keptStates, key);
  const size = lengthFor(its, length);
  const out = kept ? kept[1] : new Bytes(size);
  lend(its.instance(), SCHEDULE, leaves(its, under[1], about[1]), (kernel) => {
    if (kept) takeKept(kernel, its, under[0], under[1], kept[0]);
    else takeKey(kernel, its, under[0], under[1]);
    expandStaged(kernel, its, about, out);
  });
  return out;
}
