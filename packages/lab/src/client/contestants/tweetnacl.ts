/**
 * TweetNaCl.js: plain JavaScript. Of the library's primitives, this file has its Poly1305; the room of Salsa20 uses the
 * rest.
 */
import nacl from 'tweetnacl';
import { TAG_BYTES, type MacContestant } from './contestant.ts';
import { rival } from './rival.ts';

/** The package exports these functions without declaring them. */
interface LowLevel {
  crypto_onetimeauth(
    out: Uint8Array,
    outAt: number,
    message: Uint8Array,
    messageAt: number,
    length: number,
    key: Uint8Array,
  ): number;
}
const { lowlevel } = nacl as unknown as { lowlevel: LowLevel };

export const tweetnacl: MacContestant = {
  ...rival('tweetnacl'),
  poly1305: (key) => (message) => {
    const tag = new Uint8Array(TAG_BYTES);
    lowlevel.crypto_onetimeauth(tag, 0, message, 0, message.length, key);
    return tag;
  },
};
