/** The key of an age file's payload, from its file key and its salt. */
import { hkdf } from '@noble/hashes/hkdf.js';
import { sha256 } from '@noble/hashes/sha2.js';

const PAYLOAD = new TextEncoder().encode('payload');

/** HKDF-SHA-256 (RFC 5869) as the C2SP specification of age has it, "Payload". Returns 32 bytes, for {@link agePayload}. */
export const payloadKeyOf = (fileKey: Uint8Array, salt: Uint8Array): Uint8Array =>
  hkdf(sha256, fileKey, salt, PAYLOAD, 32);
