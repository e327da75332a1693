/** Outputs of operations: comparison, concatenation, hexadecimal. */

/** One array, or its parts in order: concatenating them is not part of the contest. */
export type Output = Uint8Array | readonly Uint8Array[];

/** Whether an output, in one array or in parts, equals the expected bytes. */
export function equals(output: Output, expected: Uint8Array): boolean {
  let at = 0;
  for (const part of output instanceof Uint8Array ? [output] : output) {
    if (at + part.length > expected.length) return false;
    for (let i = 0; i < part.length; i++) if (part[i] !== expected[at + i]) return false;
    at += part.length;
  }
  return at === expected.length;
}

/** Concatenates an output into a new array. */
export function joined(output: Output): Uint8Array<ArrayBuffer> {
  const parts = output instanceof Uint8Array ? [output] : output;
  const result = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    result.set(part, at);
    at += part.length;
  }
  return result;
}

export const hex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

export const unhex = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length: text.length / 2 }, (_, i) => Number.parseInt(text.slice(2 * i, 2 * i + 2), 16));
