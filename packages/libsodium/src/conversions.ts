/**
 * How the original reads arguments and gives results. A call that does not fit goes to the original, which refuses it with its own words.
 */
import { isMessage, sizeOf } from '../../drop-ins/src/message.ts';
import type { Original } from './original.ts';

/** The conversions of one original. */
export interface Conversions {
  /** Bytes of an argument: a Uint8Array, or the UTF-8 of a string. Undefined for arguments that the original refuses. */
  readonly bytesOf: (value: unknown) => Uint8Array | undefined;
  /** The same for an argument that must have a certain length. */
  readonly exactly: (value: unknown, length: number) => Uint8Array | undefined;
  /** The same for an argument that may be left out or null. */
  readonly optional: (value: unknown) => Uint8Array | undefined;
  /** Whether the original knows this format of results. */
  readonly isFormat: (format: unknown) => boolean;
  /** A result in a format; its bytes are wiped if they are not the result. */
  readonly formatted: (bytes: Uint8Array, format: unknown) => Uint8Array | string;
}

/** The integers that the original takes: counters, tags, lengths, addresses. */
export const isUnsigned = (value: unknown): value is number =>
  typeof value === 'number' && (value | 0) === value && value >= 0;

const NOTHING = new Uint8Array(0);

export function conversionsOf(original: Original): Conversions {
  const writers: Readonly<Record<string, (bytes: Uint8Array) => string>> = {
    text: original.to_string,
    hex: original.to_hex,
    base64: original.to_base64,
  };
  const bytesOf = (value: unknown): Uint8Array | undefined =>
    // The original asks for arrays of its own realm.
    value instanceof Uint8Array && isMessage(value)
      ? value
      : typeof value === 'string'
        ? original.from_string(value)
        : undefined;
  return {
    bytesOf,
    exactly(value, length) {
      const bytes = bytesOf(value);
      return bytes && sizeOf(bytes) === length ? bytes : undefined;
    },
    optional: (value) => (value === undefined || value === null ? NOTHING : bytesOf(value)),
    isFormat: (format) =>
      !format || format === 'uint8array' || (typeof format === 'string' && Object.hasOwn(writers, format)),
    formatted(bytes, format) {
      if (!format || format === 'uint8array') return bytes;
      try {
        return writers[format as string](bytes);
      } finally {
        bytes.fill(0);
      }
    },
  };
}
