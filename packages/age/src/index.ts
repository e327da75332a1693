/**
 * age file encryption (C2SP age) in the shapes of `age-encryption`, typage: a program changes its import. All of that package's
 * recipients and identities work, because they are its own, but for recipients of X25519. These, the payload, streams, armor of
 * streams, random access and passphrases are Lanewise's.
 * @module
 */
export {
  generateHybridIdentity,
  generateIdentity,
  generateX25519Identity,
  identityToRecipient,
  Stanza,
  webauthn,
  type Identity,
  type Recipient,
} from 'age-encryption';
export * from './files.ts';
