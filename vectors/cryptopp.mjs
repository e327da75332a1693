// The test vectors of Crypto++: where its files are, and how they write bytes.
import { join } from 'node:path';
import { debian, pinned } from './registries.mjs';

/** "r64 00" repeats, "0x…" and spaced hex are bytes, a backslash at the end of a line continues it. */
export function cryptoppBytes(text) {
  const repeat = /^r(\d+) ([0-9a-f]{2})$/.exec(text);
  const hex = repeat ? repeat[2].repeat(Number(repeat[1])) : text.replace(/^0x|\s/g, '').toLowerCase();
  if (!/^([0-9a-f]{2})*$/.test(hex)) throw new Error(`not bytes: ${text.slice(0, 40)}`);
  return hex;
}
/** A file of test vectors of Crypto++. */
export const cryptoppVectors = (name, sha) =>
  pinned(join(debian('libcrypto++-utils', '8.7.0+git220824-1'), 'usr', 'share', 'crypto++', 'TestVectors', name), sha);
