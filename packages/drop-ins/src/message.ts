/** The checks of a message that all drop-in packages make before they pass it to our kernels. */
import { isBytes } from 'lanewise/utils.js';

/* eslint-disable @typescript-eslint/unbound-method -- these are called with their objects */
const { prototype } = Object.getPrototypeOf(Uint8Array) as { readonly prototype: Uint8Array };
const lengthOf = Object.getOwnPropertyDescriptor(prototype, 'length')!.get!;
const tagOf = Object.getOwnPropertyDescriptor(prototype, Symbol.toStringTag)!.get!;
const offsetOf = Object.getOwnPropertyDescriptor(prototype, 'byteOffset')!.get!;
const bufferOf = Object.getOwnPropertyDescriptor(prototype, 'buffer')!.get!;
const { keys } = prototype;
/* eslint-enable @typescript-eslint/unbound-method */

/**
 * The length that bytes have, whatever their class or they themselves say. A getter may say the truth when it is asked first, and another
 * thing afterwards, so nothing in a drop-in package asks an argument twice.
 */
export const sizeOf = (bytes: Uint8Array): number => Reflect.apply(lengthOf, bytes, []) as number;

/** Bytes of an array from `from` on, without the method and the constructor that a subclass would choose. */
export const partOf = (bytes: Uint8Array, from: number, to: number = sizeOf(bytes)): Uint8Array =>
  new Uint8Array(
    Reflect.apply(bufferOf, bytes, []) as ArrayBuffer,
    (Reflect.apply(offsetOf, bytes, []) as number) + from,
    to - from,
  );

/** The memory in which bytes lie, and where they begin in it. */
export const placeOf = (bytes: Uint8Array): { readonly buffer: ArrayBufferLike; readonly from: number } => ({
  buffer: Reflect.apply(bufferOf, bytes, []) as ArrayBufferLike,
  from: Reflect.apply(offsetOf, bytes, []) as number,
});

/**
 * Whether a value is bytes. Two kinds are not, and are the original's: a view of a detached buffer, which has length 0, and which originals
 * refuse in different places, or not; and an object of a class that gives another length than it has.
 */
export function isMessage(value: unknown): value is Uint8Array {
  if (!isBytes(value)) return false;
  const { length } = value;
  if (length !== sizeOf(value)) return false;
  if (length > 0) return true;
  try {
    // It reads and writes no bytes, and throws if the buffer is detached or too short.
    Reflect.apply(keys, value, []);
    return true;
  } catch (error) {
    // Anything else, such as an overflow of the stack, says nothing about the buffer.
    if (!(error instanceof TypeError)) throw error;
    return false;
  }
}

/** The length that an array of the language's kinds has, whatever its class gives; undefined for all else. */
export const realLengthOf = (value: unknown): number | undefined =>
  Reflect.apply(tagOf, value, []) === undefined ? undefined : (Reflect.apply(lengthOf, value, []) as number);
