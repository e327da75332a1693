/**
 * Argon2id, Argon2i and Argon2d (RFC 9106): keys from passwords. Their cost in time and memory makes guessing many passwords expensive.
 *
 * {@link argon2id} works in slices between turns of the event loop, can be aborted and reports its progress; {@link argon2idSync}
 * blocks until it is done. The cost is `m` (the memory in KiB), `t` (passes over it) and `p` (lanes); the defaults, m = 19456, t = 2,
 * p = 1, are a recommendation of OWASP. They never change, but store the parameters with the salt anyway, so that the next key may
 * cost more.
 *
 * Argon2d, and Argon2id but for the first half of its first pass, read memory at addresses that depend on the password; their definition
 * demands that. An attacker who observes the processor's caches during a derivation may learn something about the password.
 * @module
 */
export { argon2d, argon2dSync, argon2i, argon2id, argon2idSync, argon2iSync } from './argon2/functions.ts';
export { lanesOn } from './argon2/parallel.ts';
export {
  hashPassword,
  needsRehash,
  OWASP,
  RFC_9106,
  verifyPassword,
  type PasswordCosts,
  type VerifyOptions,
} from './argon2/passwords.ts';
export type { Argon2Options, Argon2SyncOptions, LanesOnPool } from './argon2/parameters.ts';
export { randomBytes } from './calls/random.ts';
