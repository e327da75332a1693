/**
 * age files alone, for programs that care for their start: all of `@lanewise/age` but identities and recipients that are made or that are
 * passkeys. `age-encryption`, 50 files, is loaded when the key of a file is looked for, or one is made for a recipient that is not of X25519.
 * @module
 */
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
