/** Bytes of the caller as they are, whatever their array says of itself: a class may answer for its length, its memory and its parts. */
const { buffer, byteOffset, byteLength } = Object.getOwnPropertyDescriptors(
  Object.getPrototypeOf(Uint8Array.prototype) as Uint8Array,
);

/** The caller's memory by an array of our own. */
export const viewOf = (bytes: Uint8Array): Uint8Array =>
  new Uint8Array<ArrayBufferLike>(buffer.get!.call(bytes), byteOffset.get!.call(bytes), byteLength.get!.call(bytes));

export const copyOf = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(viewOf(bytes));
