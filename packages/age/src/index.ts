/**
 * age file encryption (C2SP age) in the shapes of `age-encryption`, typage: a program changes its import. That package makes and reads
 * the headers, so all of its recipients and identities work. The payload, streams, armor of streams, random access and passphrases are
 * Lanewise's.
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
export { armor, ArmorDecoder, ArmorEncoder, type Armor } from './armor.ts';
export type { KeyOptions } from './checks.ts';
export { Decrypter, type DecryptOptions, type DecryptWholeOptions } from './decrypter.ts';
export {
  Encrypter,
  type EncryptOptions,
  type FileHeader,
  type ReadableStreamWithSize,
  type StreamSource,
} from './encrypter.ts';
export type { AnyIdentity } from './file-key.ts';
export { HeaderReader } from './header.ts';
export { inspect, type Inspection } from './inspect.ts';
export type { LabelledRecipient } from './labels.ts';
export { readHeader, type ReadHeader, type Rest } from './read-header.ts';
