/** Seeded randomness: a run that prints its seed can be repeated with the same data in the same order. */
export type Random = () => number;

/** Returns numbers from 0 to below 1: a counter goes through a 32-bit mixer (the finaliser of MurmurHash3). */
export function seeded(seed: number): Random {
  let counter = seed >>> 0;
  return () => {
    counter = (counter + 0x9e3779b9) >>> 0;
    let x = counter;
    x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
    x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
    return ((x ^ (x >>> 16)) >>> 0) / 2 ** 32;
  };
}

/** Bytes beyond this number repeat those before, which no measurement can notice. */
const FRESH_BYTES = 2 ** 16;

export function randomBytes(length: number, random: Random): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  const fresh = Math.min(length, FRESH_BYTES);
  for (let i = 0; i < fresh; i++) bytes[i] = Math.floor(random() * 256);
  for (let filled = fresh; filled < length; filled *= 2) bytes.copyWithin(filled, 0, filled);
  return bytes;
}

/** A new array in random order (Fisher and Yates). */
export function shuffled<T>(items: readonly T[], random: Random): T[] {
  const result = [...items];
  for (let i = result.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [result[i], result[j]] = [result[j], result[i]];
  }
  return result;
}
