/** Writes the header of an age file (C2SP age, "Header"). */
import { hkdf } from '@noble/hashes/hkdf.js';
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import type { Stanza } from 'age-encryption';
import { unpadded } from './base64.ts';
import { VERSION_LINE } from './header.ts';

const utf8 = new TextEncoder();

/** The base64 of a body in lines of 64 characters. The last one is shorter, and empty where nothing is left for it. */
function bodyLines(body: Uint8Array): string {
  const text = unpadded(body);
  let lines = '';
  for (let at = 0; at <= text.length; at += 64) lines += `${text.slice(at, at + 64)}\n`;
  return lines;
}

/** The header with these stanzas, and its MAC under the file key. */
export function headerText(stanzas: readonly Stanza[], fileKey: Uint8Array): Uint8Array {
  const lines = stanzas.map(({ args, body }) => `-> ${args.join(' ')}\n${bodyLines(body)}`);
  const front = `${VERSION_LINE}${lines.join('')}---`;
  const key = hkdf(sha256, fileKey, undefined, utf8.encode('header'), 32);
  const mac = hmac(sha256, key, utf8.encode(front));
  key.fill(0);
  return utf8.encode(`${front} ${unpadded(mac)}\n`);
}
