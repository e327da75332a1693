/** Argon2id and Argon2i of passwords, which only the larger build has. Whether a text needs another hash costs nothing: the original says it. */
import { argon2idSync, argon2iSync } from 'lanewise/argon2.js';
import { equalBytes } from 'lanewise/utils.js';
import { partOf, realLengthOf, sizeOf } from '../../drop-ins/src/message.ts';
import { decode, encode } from '../../lanewise/src/argon2/encoded.ts';
import { ARGON2I, ARGON2ID, parametersOf } from '../../lanewise/src/argon2/parameters.ts';
import { isUnsigned, type Conversions } from './conversions.ts';
import type { Original, Replacements } from './original.ts';
import { isSlow } from './speed.ts';

const KIBIBYTE = 1024;
const SALT_BYTES = 16;
const HASH_BYTES = 32;
const LEAST_BYTES = 16;
/** Less memory is the original's: a call of ours costs more to begin. In KiB. */
const LEAST_MEMORY = 1024;
/** `crypto_pwhash_MEMLIMIT_SENSITIVE`, in KiB. Calls with more go to the original, which refuses them if it finds no memory. */
const MOST_MEMORY = 2 ** 20;

/** By `crypto_pwhash_ALG_ARGON2I13` and `…_ARGON2ID13`, which are also the library's kinds. */
const FUNCTIONS = { [ARGON2I]: argon2iSync, [ARGON2ID]: argon2idSync };
/** `crypto_pwhash_argon2i_OPSLIMIT_MIN` and the same of Argon2id. */
const LEAST_PASSES = { [ARGON2I]: 3, [ARGON2ID]: 1 };
type Kind = keyof typeof FUNCTIONS;
const isKind = (value: unknown): value is Kind => value === ARGON2I || value === ARGON2ID;

type Costs = Readonly<Record<'t' | 'm' | 'p' | 'dkLen', number>>;

const areOurs = ({ m, p }: Costs): boolean => m >= LEAST_MEMORY && m <= MOST_MEMORY && m >= 8 * p && !isSlow();

/** The costs of a call, or undefined for those that the original computes or refuses. */
function costsOf(kind: Kind, passes: unknown, bytes: unknown, dkLen: unknown): Costs | undefined {
  if (!isUnsigned(passes) || !isUnsigned(bytes) || !isUnsigned(dkLen)) return undefined;
  const costs = { t: passes, m: Math.floor(bytes / KIBIBYTE), p: 1, dkLen };
  return passes >= LEAST_PASSES[kind] && dkLen >= LEAST_BYTES && areOurs(costs) ? costs : undefined;
}

const derive = (kind: Kind, password: Uint8Array, salt: Uint8Array, costs: Costs): Uint8Array =>
  FUNCTIONS[kind](password, salt, { ...costs, maxmem: 2 ** 32 });

/**
 * An array that gives another length than it has is read as it is. The original would believe it, and also hash the
 * bytes that lie in its heap after the password.
 */
const trueBytes = (value: unknown): Uint8Array | undefined =>
  value instanceof Uint8Array && realLengthOf(value) ? partOf(value, 0) : undefined;

export const passwordHashes = (
  original: Original,
  { bytesOf, exactly, isFormat, formatted }: Conversions,
): Replacements => ({
  crypto_pwhash: (theirs) => (length, password, salt, passes, memory, algorithm, format) => {
    const bytes = bytesOf(password) ?? trueBytes(password);
    const saltBytes = exactly(salt, SALT_BYTES);
    const costs = isKind(algorithm) ? costsOf(algorithm, passes, memory, length) : undefined;
    return bytes && saltBytes && costs && isFormat(format)
      ? formatted(derive(algorithm as Kind, bytes, saltBytes, costs), format)
      : theirs(length, password, salt, passes, memory, algorithm, format);
  },
  crypto_pwhash_str: (theirs) => (password, passes, memory, format) => {
    const bytes = bytesOf(password);
    const costs = costsOf(ARGON2ID, passes, memory, HASH_BYTES);
    if (!bytes || !costs || !isFormat(format)) return theirs(password, passes, memory, format);
    const salt = original.randombytes_buf(SALT_BYTES);
    const hash = derive(ARGON2ID, bytes, salt, costs);
    // The text is the result in all formats.
    return encode(parametersOf(ARGON2ID, { ...costs, maxmem: 2 ** 32 }), salt, hash);
  },
  crypto_pwhash_str_verify: (theirs) => (text, password, format) => {
    const its = typeof text === 'string' ? decode(text) : undefined;
    const bytes = bytesOf(password);
    if (!its || !bytes || !isFormat(format) || its.version !== 0x13 || !isKind(its.kind))
      return theirs(text, password, format);
    const costs = { t: its.t, m: its.m, p: its.p, dkLen: sizeOf(its.hash) };
    if (costs.dkLen < LEAST_BYTES || !areOurs(costs)) return theirs(text, password, format);
    const found = derive(its.kind, bytes, its.salt, costs);
    const isRight = equalBytes(found, its.hash);
    found.fill(0);
    return isRight;
  },
});
