/**
 * Utilities: random bytes, comparison, hexadecimal, wiping.
 * @module
 */
export { equalBytes, clean, bytesToHex, hexToBytes } from './calls/bytes.ts';
export { isBytes } from './calls/checks.ts';
export { managedNonce, type ManagedCipher, type NonceCipher } from './calls/managed-nonce.ts';
export { randomBytes } from './calls/random.ts';
