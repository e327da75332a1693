/** UTF-8 for hosts without TextEncoder, such as React Native before 0.74. */
import { Bytes, codeAt, part } from '../engine/intrinsics.ts';

/** The bytes of a text, as TextEncoder makes them (RFC 3629 §3); U+FFFD stands for half a surrogate pair. */
export function encodeUtf8(text: string): Uint8Array {
  const bytes = new Bytes(3 * text.length);
  let length = 0;
  for (let i = 0; i < text.length; i++) {
    let point = codeAt(text, i);
    const next = codeAt(text, i + 1); // NaN at the end, which is no low half
    if ((point & 0xfc00) === 0xd800 && (next & 0xfc00) === 0xdc00) {
      point = 0x1_0000 + ((point & 0x3ff) << 10) + (next & 0x3ff);
      i++;
    } else if ((point & 0xf800) === 0xd800) point = 0xfffd;
    if (point < 0x80) bytes[length++] = point;
    else {
      if (point < 0x800) bytes[length++] = 0xc0 | (point >> 6);
      else {
        if (point < 0x1_0000) bytes[length++] = 0xe0 | (point >> 12);
        else {
          bytes[length++] = 0xf0 | (point >> 18);
          bytes[length++] = 0x80 | ((point >> 12) & 63);
        }
        bytes[length++] = 0x80 | ((point >> 6) & 63);
      }
      bytes[length++] = 0x80 | (point & 63);
    }
  }
  return part(bytes, 0, length);
}
