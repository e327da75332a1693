/**
 * The encoding of samples: Float32, little-endian, in base64. Seven digits are more than any clock gives. Probes take a
 * byte each, because there are two for each sample and only their ratio to the least of them matters.
 */

const BYTES = 4;
/** `String.fromCharCode` takes its arguments on the stack, which limits their number. */
const AT_ONCE = 8192;

export function encodeSamples(values: readonly number[]): string {
  const bytes = new Uint8Array(values.length * BYTES);
  const view = new DataView(bytes.buffer);
  values.forEach((value, i) => view.setFloat32(BYTES * i, value, true));
  return base64(bytes);
}

function base64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += AT_ONCE) text += String.fromCharCode(...bytes.subarray(at, at + AT_ONCE));
  return btoa(text);
}

const fromBase64 = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text), (character) => character.charCodeAt(0));

/** Throws unless the text is base64 of a whole number of samples, none negative. */
export function decodeSamples(text: string): number[] {
  const decoded = fromBase64(text);
  if (decoded.length % BYTES !== 0) throw new RangeError(`${decoded.length} bytes are no whole number of samples`);
  const view = new DataView(decoded.buffer);
  const values = Array.from({ length: decoded.length / BYTES }, (_, i) => view.getFloat32(BYTES * i, true));
  const wrong = values.find((value) => !(value >= 0 && value < Infinity));
  if (wrong !== undefined) throw new RangeError(`${wrong} is no time`);
  return values;
}

/** A byte counts steps of 0.54 % above the least, so that it reaches to four times the least, and means that or more. */
const STEPS_IN_OCTAVE = 128;
const MOST = 255;

export const encodeProbes = (values: readonly number[], least: number): string =>
  base64(Uint8Array.from(values, (value) => Math.min(MOST, Math.round(STEPS_IN_OCTAVE * Math.log2(value / least)))));

/** Throws unless the text is base64. */
export const decodeProbes = (text: string, least: number): number[] =>
  Array.from(fromBase64(text), (byte) => least * 2 ** (byte / STEPS_IN_OCTAVE));
