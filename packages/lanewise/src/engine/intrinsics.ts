/**
 * The parts of the language that the library needs, taken when it is loaded: a page that later replaces a method of Uint8Array, or
 * Uint8Array itself, does not get to see keys, and the true length of an object is read even if it claims another one.
 */
const TypedArray = Object.getPrototypeOf(Uint8Array.prototype) as Uint8Array;

export type Method<Self, A extends readonly unknown[], R> = (this: Self, ...values: A) => R;

/* eslint-disable @typescript-eslint/unbound-method -- methods without their objects are what this file is for */

const callOf = Function.prototype.bind.bind(Function.prototype.call) as <Self, A extends readonly unknown[], R>(
  method: Method<Self, A, R>,
) => (self: Self, ...values: A) => R;

/**
 * A method as a function of its object. It is the result of a function because bundlers leave out an unused function, but not
 * an unused property.
 */
export const uncurried = <Self, A extends readonly unknown[], R>(
  method: () => Method<Self, A, R>,
): ((self: Self, ...values: A) => R) => callOf(method());

/** A getter as a function of its object. There is no such getter if a page has wrapped the object's constructor. */
export const getter = <T>(prototype: object, name: string | symbol): ((self: unknown) => T) => {
  const get = Object.getOwnPropertyDescriptor(prototype, name)?.get as Method<unknown, [], T> | undefined;
  return get ? callOf(get) : (self) => (self as Record<typeof name, T>)[name];
};

export const Bytes: Uint8ArrayConstructor = Uint8Array;
export const Words: Int32ArrayConstructor = Int32Array;
export const UnsignedWords: Uint32ArrayConstructor = Uint32Array;
export const toNumber: NumberConstructor = Number;
export const toBigInt: BigIntConstructor = BigInt;
export const floor: Math['floor'] = Math.floor;
export const min: Math['min'] = Math.min;
export const imul: Math['imul'] = Math.imul;
export const max: Math['max'] = Math.max;
export const apply: typeof Reflect.apply = Reflect.apply;
export const freeze: ObjectConstructor['freeze'] = Object.freeze;
export const assign: ObjectConstructor['assign'] = Object.assign;
export const isArray: ArrayConstructor['isArray'] = Array.isArray;
export const getPrototypeOf: typeof Reflect.getPrototypeOf = Reflect.getPrototypeOf;
/** The method that a `using` declaration calls; a symbol of our own where the host has none. */
export const dispose: typeof Symbol.dispose = Symbol.dispose ?? (Symbol('dispose') as typeof Symbol.dispose);
/** The same for `await using`. */
export const asyncDispose: typeof Symbol.asyncDispose =
  Symbol.asyncDispose ?? (Symbol('asyncDispose') as typeof Symbol.asyncDispose);
export const iterator: typeof Symbol.iterator = Symbol.iterator;
export const asyncIterator: typeof Symbol.asyncIterator = Symbol.asyncIterator;
export const objectPrototype: object = /* @__PURE__ */ (() => Object.prototype)();

/** The name of a typed array's true type; undefined for anything else. Holds across realms. */
export const typeName = /* @__PURE__ */ getter<string | undefined>(TypedArray, Symbol.toStringTag);
export const bufferOf = /* @__PURE__ */ getter<ArrayBufferLike>(TypedArray, 'buffer');
export const byteLengthOf = /* @__PURE__ */ getter<number>(TypedArray, 'byteLength');
export const byteOffsetOf = /* @__PURE__ */ getter<number>(TypedArray, 'byteOffset');

/** `copyBytes(to, from, at)` */
export const copyBytes = /* @__PURE__ */ uncurried(
  () => TypedArray.set as Method<Uint8Array, [from: Uint8Array, at?: number], void>,
);
/** `fillBytes(bytes, value, from, to)` */
export const fillBytes = /* @__PURE__ */ uncurried(
  () => TypedArray.fill as Method<Uint8Array, [value: number, from?: number, to?: number], Uint8Array>,
);
/** `moveBytes(bytes, to, from, end)` */
export const moveBytes = /* @__PURE__ */ uncurried(
  () => TypedArray.copyWithin as Method<Uint8Array, [to: number, from: number, end?: number], Uint8Array>,
);
/** `hasOwn(object, name)` */
export const hasOwn = /* @__PURE__ */ uncurried(
  () => Object.prototype.hasOwnProperty as Method<object, [name: string], boolean>,
);
/** `[object Promise]` and the like: the kind of object that a value claims to be. */
export const tagOf = /* @__PURE__ */ uncurried(() => Object.prototype.toString as Method<unknown, [], string>);
/** Undefined in engines before 2025. It has no use for `this`: the result is a Uint8Array of the language's own. */
export const fromHex = (Uint8Array as { fromHex?: (text: string) => Uint8Array<ArrayBuffer> }).fromHex;
export const sliceOf = /* @__PURE__ */ uncurried(
  () => String.prototype.slice as Method<string, [from: number, to?: number], string>,
);
/** `codeAt(text, index)` */
export const codeAt = /* @__PURE__ */ uncurried(
  () => String.prototype.charCodeAt as Method<string, [index: number], number>,
);
/** `utf8Of(text)`. Undefined where the host has little more than the language. */
export const utf8Of = /* @__PURE__ */ ((): ((text: string) => Uint8Array) | undefined => {
  const Host = (globalThis as { TextEncoder?: typeof TextEncoder }).TextEncoder;
  return Host && Host.prototype.encode.bind(new Host());
})();
/** `getWeak(map, object)`; undefined for a value that isn't an object. */
export const getWeak = /* @__PURE__ */ uncurried(() => WeakMap.prototype.get) as <T>(
  map: WeakMap<object, T>,
  object: object,
) => T | undefined;
/** `setWeak(map, object, value)` */
export const setWeak = /* @__PURE__ */ uncurried(() => WeakMap.prototype.set) as <T>(
  map: WeakMap<object, T>,
  object: object,
  value: T,
) => void;
/** Of a buffer's own prototype, because a page may have wrapped ArrayBuffer. */
const arrayBufferLength = /* @__PURE__ */ (() =>
  getter<number>(Object.getPrototypeOf(new Bytes(0).buffer) as object, 'byteLength'))();

/**
 * A property of the global object, or undefined, by a function that is to be called when it is needed. A page that replaces it after
 * the library was loaded is not reached. In Node, asking for the streams of the global object loads a millisecond of code, even by
 * their descriptors; so only modules that need them do.
 */
export const hosted = <T>(name: string): (() => T | undefined) => {
  // The classes of workerd are properties of a prototype of the global object.
  let its: PropertyDescriptor | undefined;
  for (let object: object | null = globalThis; object && !its; object = Object.getPrototypeOf(object) as object | null)
    its = Object.getOwnPropertyDescriptor(object, name);
  const get = its?.get;
  return get ? () => apply(get, globalThis, []) as T : () => its?.value as T | undefined;
};

/** The exports of a module, the bytes of its memory, and the compiled module. */
export interface Started {
  readonly exports: object;
  readonly buffer: ArrayBuffer;
  readonly module?: object;
}
/** An instantiated module, from its bytes or compiled by the host. Undefined where there is no WebAssembly. */
export const instantiate = /* @__PURE__ */ ((): ((module: Uint8Array<ArrayBuffer> | object) => Started) | undefined => {
  const host = (globalThis as { WebAssembly?: typeof WebAssembly }).WebAssembly;
  if (!host) return undefined;
  const { Module, Instance, Memory } = host;
  const exportsOf = getter<WebAssembly.Exports>(Instance.prototype, 'exports');
  const memoryOf = getter<ArrayBuffer>(Memory.prototype, 'buffer');
  return (module) => {
    const compiled = typeName(module) === 'Uint8Array' ? new Module(module as Uint8Array<ArrayBuffer>) : module;
    const exports = exportsOf(new Instance(compiled));
    return { exports, buffer: memoryOf(exports['memory']), module: compiled };
  };
})();

/** A view without the constructor that a subclass would choose. */
export const part = (bytes: Uint8Array, from: number, length: number): Uint8Array =>
  new Bytes(bufferOf(bytes), byteOffsetOf(bytes) + from, length);

/** A copy, which later changes of the caller's bytes do not reach. */
export function copyOf(bytes: Uint8Array, length: number = byteLengthOf(bytes)): Uint8Array<ArrayBuffer> {
  const copy = new Bytes(length);
  copyExactly(copy, 0, bytes, length);
  return copy;
}

/**
 * Copies bytes to `at` of `to`: the first `length`, as many as were counted when they were checked. There may be more by now,
 * because a view that follows the length of shared memory grows when another thread makes that grow. It never shrinks, so if
 * there is nothing beyond the last byte after the copy, there was nothing during it; otherwise all of `to` after these bytes
 * is wiped, where nothing may be needed yet. Reading an element costs a fraction of reading the length, and runs no
 * code of the caller.
 */
export function copyExactly(to: Uint8Array, at: number, bytes: Uint8Array, length: number): void {
  try {
    copyBytes(to, bytes, at);
  } catch {
    // Nothing was copied: there was no room for so many.
    copyBytes(to, part(bytes, 0, length), at);
    return;
  }
  if ((bytes[length] as number | undefined) !== undefined) fillBytes(to, 0, at + length);
}

/** Whether other threads may write to these bytes. */
export function isShared(bytes: Uint8Array): boolean {
  try {
    arrayBufferLength(bufferOf(bytes));
    return false;
  } catch {
    return true;
  }
}
