/**
 * scrypt (RFC 7914): keys from passwords. Its cost in time and memory makes guessing many passwords expensive.
 *
 * {@link scrypt} works in slices between turns of the event loop, can be aborted and reports its progress; {@link scryptSync}
 * blocks until it is done. The cost is `N` (or `logN`, its exponent), `r` and `p`; the defaults, N = 2^17, r = 8, p = 1, are OWASP's
 * recommendation. They never change, but store the parameters with the salt anyway, so that the next key may cost more.
 *
 * scrypt reads memory at addresses that depend on the password; its definition demands that. An attacker who observes the
 * processor's caches during a derivation may learn something about the password.
 * @module
 */
export { scrypt, scryptSync } from './scrypt/functions.ts';
export type { ScryptOptions, ScryptSyncOptions } from './scrypt/parameters.ts';
export { randomBytes } from './calls/random.ts';
