/** A sound, for pages that play one: it needs no encoder, and browsers seek in it as in a film. */
import { concat, sample } from './bytes.ts';

/** Uncompressed, of some seconds. */
export function wave(seconds: number): Uint8Array<ArrayBuffer> {
  const rate = 44_100;
  const samples = sample(2 * rate * seconds, 62);
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + samples.length, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(2 * rate, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36);
  head.writeUInt32LE(samples.length, 40);
  return concat(head, samples);
}
