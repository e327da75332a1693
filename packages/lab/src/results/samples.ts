/** The encoding of samples: Float32, little-endian, in base64. Seven digits are more than any clock gives. */

const BYTES = 4;
/** `String.fromCharCode` takes its arguments on the stack, which limits their number. */
const AT_ONCE = 8192;

export function encodeSamples(values: readonly number[]): string {
  const bytes = new Uint8Array(values.length * BYTES);
  const view = new DataView(bytes.buffer);
  values.forEach((value, i) => view.setFloat32(BYTES * i, value, true));
  let text = '';
  for (let at = 0; at < bytes.length; at += AT_ONCE) text += String.fromCharCode(...bytes.subarray(at, at + AT_ONCE));
  return btoa(text);
}

/** Throws unless the text is base64 of a whole number of samples. */
export function decodeSamples(text: string): number[] {
  const decoded = atob(text);
  if (decoded.length % BYTES !== 0) throw new RangeError(`${decoded.length} bytes are no whole number of samples`);
  const view = new DataView(Uint8Array.from(decoded, (character) => character.charCodeAt(0)).buffer);
  return Array.from({ length: decoded.length / BYTES }, (_, i) => view.getFloat32(BYTES * i, true));
}
