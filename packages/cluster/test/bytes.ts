/** Bytes of tests. */

/** Bytes that are other ones at every offset of a range that a test reads. */
export function patterned(length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  const words = new Uint32Array(bytes.buffer, 0, length >> 2);
  for (let index = 0; index < words.length; index++) words[index] = Math.imul(index + 1, 0x9e3779b1);
  bytes.fill(0x5a, words.length * 4);
  return bytes;
}

/** All bytes of an iteration. */
export async function bytesOf(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}

/** The error that a promise is rejected with; undefined if it is not. */
export const thrown = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );
