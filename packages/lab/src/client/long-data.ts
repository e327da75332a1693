/** The data of long messages. */
import { randomBytes, type Random } from './random.ts';

const NUMBERED_BYTES = 65536;

/** Fills memory with data that repeat, and a number in front of each 64 KiB: no part is like another. */
export function fillerOf(random: Random): (memory: Uint8Array) => void {
  const pattern = randomBytes(NUMBERED_BYTES, random);
  return (memory) => {
    const view = new DataView(memory.buffer, memory.byteOffset, memory.byteLength);
    for (let at = 0; at < memory.length; at += NUMBERED_BYTES) {
      memory.set(pattern.subarray(0, memory.length - at), at);
      if (memory.length - at >= 4) view.setUint32(at, at / NUMBERED_BYTES);
    }
  };
}

export function longData(bytes: number, random: Random): Uint8Array<ArrayBuffer> {
  const data = new Uint8Array(bytes);
  fillerOf(random)(data);
  return data;
}
