/** Passwords hashed to text, and verified. */
import { equalBytes } from '../calls/bytes.ts';
import { bytesOrText, refuseSurplus, sizeOf, typeOf } from '../calls/checks.ts';
import { optionOf, optionOr, optionsOf } from '../calls/options.ts';
import { randomBytes } from '../calls/random.ts';
import { fillBytes } from '../engine/intrinsics.ts';
import { decode, encode, type Encoded } from './encoded.ts';
import { inSlices } from './functions.ts';
import { ARGON2ID, callOf, type Argon2Options } from './parameters.ts';

/** The costs of a hash. RFC 9106 §3.1 */
export interface PasswordCosts {
  /** The memory in KiB. */
  readonly m: number;
  /** The number of passes over the memory. */
  readonly t: number;
  /** The number of lanes. */
  readonly p: number;
}

/**
 * The second recommendation of RFC 9106 §4, where memory is short: 64 MiB, three passes, four lanes.
 *
 * @example
 * ```ts
 * import { hashPassword, RFC_9106 } from 'lanewise/argon2.js';
 * console.log((await hashPassword('correct horse', RFC_9106)).slice(0, 30)); // prints $argon2id$v=19$m=65536,t=3,p=4
 * ```
 */
export const RFC_9106: PasswordCosts = /* @__PURE__ */ Object.freeze({
  m: 65_536,
  t: 3,
  p: 4,
});
/**
 * The recommendation of OWASP that calls have unless they are told another: 19 MiB, two passes, one lane.
 *
 * @example
 * ```ts
 * import { OWASP } from 'lanewise/argon2.js';
 * console.log(OWASP.m); // prints 19456
 * ```
 */
export const OWASP: PasswordCosts = /* @__PURE__ */ Object.freeze({
  m: 19_456,
  t: 2,
  p: 1,
});

/** The options of {@link verifyPassword}. */
export interface VerifyOptions extends Omit<Argon2Options, 't' | 'm' | 'p' | 'dkLen' | 'version'> {
  /** The most that t·m of the text may be: 2^22 unless given, which is four passes over 1 GiB. It limits the time. */
  readonly maxwork?: number | undefined;
}

const VERIFY = {
  __proto__: null,
  secret: 1,
  ad: 1,
  signal: 1,
  onProgress: 1,
  lanes: 1,
  maxmem: 1,
  maxwork: 1,
} as const;
const COSTS = { __proto__: null, t: 1, m: 1, p: 1 } as const;

function decoded(encoded: unknown): Encoded {
  if (typeof encoded !== 'string') throw new TypeError(`"encoded" expected string, got ${typeOf(encoded)}`);
  const found = decode(encoded);
  if (!found)
    throw new RangeError(
      `"encoded" expected $argon2id$v=19$m=…,t=…,p=…$salt$hash, got another text of length=${encoded.length}`,
    );
  return found;
}

/**
 * Hashes a password for a database: Argon2id with a random salt of 16 bytes, as text in the form of Argon2's reference, which other
 * programs verify.
 *
 * @param password - A text, which is encoded as UTF-8 as it is, or bytes.
 * @param options - {@link Argon2Options}; the costs are those of {@link OWASP} unless given, for example `{ ...RFC_9106 }`.
 * @returns `$argon2id$v=19$m=19456,t=2,p=1$…`, some 97 characters.
 * @throws TypeError or RangeError if an argument isn't of that form. The promise rejects as that of `argon2id`.
 * @example
 * ```ts
 * import { hashPassword, verifyPassword } from 'lanewise/argon2.js';
 * const stored = await hashPassword('correct horse battery staple');
 * console.log(await verifyPassword('correct horse battery staple', stored)); // true
 * ```
 */
export function hashPassword(password: string | Uint8Array, options?: Argon2Options): Promise<string> {
  refuseSurplus(arguments, 2);
  const salt = randomBytes(16);
  const call = callOf(ARGON2ID, bytesOrText(password, 'password'), salt, options, false);
  const { dkLen } = call.parameters;
  if (dkLen < 12 || dkLen > 64) throw new RangeError(`"dkLen" expected integer from 12 to 64 here, got ${dkLen}`);
  return inSlices(call).then((hash) => encode(call.parameters, salt, hash));
}

/**
 * Tells whether a password is the one that a text is the hash of, of Argon2id, i or d. It compares in constant time.
 *
 * @param password - As for {@link hashPassword}.
 * @param encoded - The text. One whose costs are above the limits is refused before any work.
 * @param options - {@link VerifyOptions}: `secret` and `ad` as they were for the hash; `maxmem` (2^30 bytes) and `maxwork`, the limits;
 * `signal`, `onProgress`, `lanes`.
 * @returns Whether it is.
 * @throws TypeError or RangeError if an argument isn't of that form: a text that isn't a hash is an error, and not a wrong password. The
 * promise rejects as that of `argon2id`.
 * @example
 * ```ts
 * import { hashPassword, needsRehash, verifyPassword } from 'lanewise/argon2.js';
 * let stored = await hashPassword('correct horse', { m: 8192, t: 1 });
 * if (await verifyPassword('correct horse', stored)) if (needsRehash(stored)) stored = await hashPassword('correct horse');
 * ```
 */
export function verifyPassword(
  password: string | Uint8Array,
  encoded: string,
  options?: VerifyOptions,
): Promise<boolean> {
  refuseSurplus(arguments, 3);
  const given = optionsOf(options, VERIFY);
  const { kind, version, m, t, p, salt, hash } = decoded(encoded);
  const most = sizeOf(optionOr(given, 'maxwork', 2 ** 22), 'maxwork');
  if (t * m > most) throw new RangeError(`"maxwork" expected at least t*m=${t * m}, got ${most}`);
  const inputs = { secret: optionOf(given, 'secret'), ad: optionOf(given, 'ad'), maxmem: optionOf(given, 'maxmem') };
  const ways = {
    signal: optionOf(given, 'signal'),
    onProgress: optionOf(given, 'onProgress'),
    lanes: optionOf(given, 'lanes'),
  };
  const costs = { version, m, t, p, dkLen: hash.length };
  const all = { __proto__: null, ...costs, ...inputs, ...ways } as unknown as Argon2Options;
  return inSlices(callOf(kind, bytesOrText(password, 'password'), salt, all, false)).then((found) => {
    const isRight = equalBytes(found, hash);
    fillBytes(found, 0);
    return isRight;
  });
}

/**
 * Tells whether a hash is to be made anew when its password is next there: if it isn't of Argon2id and version 0x13, or costs less.
 *
 * @param encoded - The text.
 * @param options - `t`, `m` and `p` of new hashes: those of {@link OWASP} unless given.
 * @returns Whether it is.
 * @throws TypeError or RangeError if an argument isn't of that form.
 * @example
 * ```ts
 * import { hashPassword, needsRehash, RFC_9106 } from 'lanewise/argon2.js';
 * console.log(needsRehash(await hashPassword('correct horse'), RFC_9106)); // true
 * ```
 */
export function needsRehash(encoded: string, options?: Pick<Argon2Options, 't' | 'm' | 'p'>): boolean {
  refuseSurplus(arguments, 2);
  const given = optionsOf(options, COSTS);
  const [m, t, p] = (['m', 't', 'p'] as const).map((name) => sizeOf(optionOr(given, name, OWASP[name]), name, 1));
  const its = decoded(encoded);
  return its.kind !== ARGON2ID || its.version !== 0x13 || its.m < m || its.t < t || its.p !== p;
}
