/**
 * What the library needs of the language, taken when it is loaded: a page that later replaces a method of Uint8Array
 * does not get to see keys, and an object that lies about its length is asked past its lies.
 */
const TypedArray = Object.getPrototypeOf(Uint8Array.prototype) as Uint8Array;

type Method<Self, A extends readonly unknown[], R> = (this: Self, ...values: A) => R;

/* eslint-disable @typescript-eslint/unbound-method -- methods without their objects are what this file is for */

/** A method as a function of its object. */
const uncurried = Function.prototype.bind.bind(Function.prototype.call) as <Self, A extends readonly unknown[], R>(
  method: Method<Self, A, R>,
) => (self: Self, ...values: A) => R;

const getter = <T>(prototype: object, name: PropertyKey): ((self: unknown) => T) =>
  uncurried(Object.getOwnPropertyDescriptor(prototype, name)?.get as Method<unknown, [], T>);

export const Bytes: Uint8ArrayConstructor = Uint8Array;

/** The name of a typed array's true type; undefined for anything else. Holds across realms. */
export const typeName = /* @__PURE__ */ getter<string | undefined>(TypedArray, Symbol.toStringTag);
export const bufferOf = /* @__PURE__ */ getter<ArrayBufferLike>(TypedArray, 'buffer');
export const byteLengthOf = /* @__PURE__ */ getter<number>(TypedArray, 'byteLength');
export const byteOffsetOf = /* @__PURE__ */ getter<number>(TypedArray, 'byteOffset');

/** `copyBytes(to, from, at)` */
export const copyBytes = /* @__PURE__ */ uncurried(
  TypedArray.set as Method<Uint8Array, [from: Uint8Array, at?: number], void>,
);
/** `fillBytes(bytes, value, from, to)` */
export const fillBytes = /* @__PURE__ */ uncurried(
  TypedArray.fill as Method<Uint8Array, [value: number, from?: number, to?: number], Uint8Array>,
);
const arrayBufferLength = /* @__PURE__ */ getter<number>(ArrayBuffer.prototype, 'byteLength');

/** A view without the constructor that a subclass would choose. */
export const part = (bytes: Uint8Array, from: number, length: number): Uint8Array =>
  new Bytes(bufferOf(bytes), byteOffsetOf(bytes) + from, length);

/** Whether other threads may write to it. */
export function isShared(bytes: Uint8Array): boolean {
  try {
    arrayBufferLength(bufferOf(bytes));
    return false;
  } catch {
    return true;
  }
}
