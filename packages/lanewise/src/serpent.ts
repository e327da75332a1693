/**
 * Serpent, the finalist of the AES competition with the largest security margin: keys of 16, 24 or 32 bytes, blocks
 * of 16. It has no tables, so its time doesn't depend on keys or messages.
 *
 * | name | | use |
 * |---|---|---|
 * | {@link ocb} | authenticated, nonce of 1 to 15 bytes | recommended |
 *
 * **Unauthenticated**, for protocols and files that have a MAC of their own: an attacker who changes a ciphertext changes its
 * plaintext, and one who sees a receiver's reaction to a changed ciphertext may learn its plaintext.
 *
 * | name | | use |
 * |---|---|---|
 * | {@link ctr} | first counter of 16 bytes, big-endian | as in libgcrypt, Nettle and Botan |
 * | {@link ctrLittleEndian} | first counter of 16 bytes, little-endian | where a format asks for it |
 * | {@link cbc} | IV of 16 bytes, must be random | older formats; `cbc.encryptMany` for many messages |
 * | {@link ecb} | | raw blocks; equal ones stay equal |
 *
 * Bytes are in the order of NESSIE and of all libraries today; the submission to AES prints keys and blocks back to front.
 * @module
 */
export {
  ocb,
  ctr,
  ctrLittleEndian,
  cbc,
  ecb,
  type OcbCipher,
  type CtrCipher,
  type CbcCipher,
  type EcbCipher,
} from './serpent/modes.ts';
export type { Aead, Detached } from './calls/aead.ts';
export type { BlockMode } from './serpent/blocks.ts';
export type { Ctr } from './serpent/ctr.ts';
export type { PaddingOptions } from './serpent/input.ts';
export { managedNonce, type ManagedCipher } from './calls/managed-nonce.ts';
export { randomBytes } from './calls/random.ts';
