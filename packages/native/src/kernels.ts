/** Kernels of the addon as instances of the library: the same functions over the same memory map. */
import type { NativeCode } from 'lanewise/engine.js';
import type { Addon, NativeFunction } from './addon.ts';

type Maker = Extract<NativeCode, { lanes: number }>['instanceOf'];
type Source = Parameters<Maker>[0];
type InstanceClass = Parameters<Maker>[1];
type ModuleExports = Readonly<Record<string, NativeFunction>> & { readonly memory: unknown };

const PAGE_BYTES = 65536;
/** The kernels of keystreams come first in scripts/kernels.ts, and then that of BLAKE3. */
const KEYSTREAMS = 2;
const BLAKE3 = 2;
/** So much memory that half of it, which is all that goes into one call, is 2 MiB: source/blake3.h keeps their chaining values in the stage. */
const BLAKE3_PAGES = 64;
/**
 * Up to here a keystream's own WebAssembly, over the same memory, is quicker than a call of Node-API and vectors that it can't fill: on Zen 4
 * C took 1.0 to 1.6 times as long from 65 to 512 bytes, and at 1024 0.7 to 0.9. Sealing has its MAC in the same loop: up to a quarter more.
 */
const SHORT_BYTES = 512;
/** From here on, bytes are read where the caller has them: handing them over costs as much as copying some thousand. */
const LEAST_BYTES = 4096;

/* eslint-disable @typescript-eslint/unbound-method -- uncurried takes methods without their objects */
// All that is reached in a call is taken now: a program may have replaced it by then, and a replacement would see what it is given.
const { bind, call } = Function.prototype;
/** A function that takes the object of a method as its first argument. */
const uncurried = Reflect.apply(bind, bind, [call]) as <Operands extends unknown[], Result>(
  method: (this: never, ...operands: Operands) => Result,
) => (self: unknown, ...operands: Operands) => Result;
const getter = (prototype: object, name: string): ((self: unknown) => unknown) =>
  uncurried(Object.getOwnPropertyDescriptor(prototype, name)!.get!);

const Buffer = ArrayBuffer;
const Bytes = Uint8Array;
const keysOf = Object.keys;
const found = uncurried(WeakMap.prototype.get);
const remember = uncurried(WeakMap.prototype.set);
/** The true length, of an object that may claim another. */
const byteLengthOf = getter(Object.getPrototypeOf(Uint8Array.prototype) as object, 'byteLength') as (
  bytes: unknown,
) => number;
const arrayBufferOf = getter(Object.getPrototypeOf(Uint8Array.prototype) as object, 'buffer') as (
  bytes: unknown,
) => ArrayBuffer;
/* eslint-enable @typescript-eslint/unbound-method */
const host = (globalThis as { WebAssembly?: typeof WebAssembly }).WebAssembly;
const { Module, Memory, Instance: Started } = host ?? {};
const bufferOf = Memory && (getter(Memory.prototype, 'buffer') as (memory: unknown) => ArrayBuffer);
const exportsOf = Started && (getter(Started.prototype, 'exports') as (instance: unknown) => ModuleExports);

export const lanesHere = ({ widths }: Addon): number[] => widths.filter((each) => typeof each === 'number');

/**
 * A memory. That of WebAssembly begins at a page, and the pages after it can't be read or written; it is never grown, so it stays
 * where it is.
 */
const memoryOf = (pages: number): ArrayBuffer =>
  Memory ? bufferOf!(new Memory({ initial: pages, maximum: pages })) : new Buffer(pages * PAGE_BYTES);

/** The kernel's own module with vectors; undefined where the host compiles none. */
function moduleOf({ decode, vectors, toPlain }: Source['texts']): ModuleExports | undefined {
  if (!exportsOf || vectors === undefined) return undefined;
  const bytes = decode(vectors);
  for (let isRelaxed = toPlain !== undefined; ; isRelaxed = false) {
    try {
      return exportsOf(new Started(new Module!(bytes)));
    } catch {
      if (!isRelaxed) return undefined;
      toPlain!(bytes, byteLengthOf(bytes));
    }
  }
}

/** A kernel in C; `check` puts the WebAssembly away that it uses for short messages, if that gives a wrong answer. */
interface Made {
  readonly instance: object;
  readonly check: (() => void) | undefined;
}

const madeOf = (instance: object): Made => ({ instance, check: undefined });

const makerOf =
  (addon: Addon, lanes: number, shortBytes: number) =>
  (source: Source, Instance: InstanceClass, own?: number | Uint8Array): Made | undefined => {
    const { texts, js, pages } = source;
    // A kernel for short messages isn't slower in WebAssembly, which is called in a tenth of the time.
    if (own === undefined && typeof js !== 'function') return undefined;
    const kernel = addon.find(texts.vectors ?? texts.scalar);
    if (kernel < 0) return undefined;
    if (own !== undefined) {
      const memory = typeof own === 'number' ? new Bytes(memoryOf(own)) : own;
      const functions = addon.create(kernel, lanes, memory);
      return functions && madeOf(new Instance(source, { exports: functions, buffer: arrayBufferOf(memory) }));
    }
    const short = shortBytes > 0 && kernel < KEYSTREAMS ? moduleOf(texts) : undefined;
    const buffer = short ? bufferOf!(short.memory) : memoryOf(kernel === BLAKE3 ? BLAKE3_PAGES : pages);
    const functions = addon.create(kernel, lanes, new Bytes(buffer));
    if (!functions) return undefined;
    const { stage } = functions;

    /** The caller's bytes that stand for those in the stage, until the next call. */
    let input: Uint8Array | undefined;
    let inputEnd = 0;
    const exports = { __proto__: null } as unknown as Record<string, NativeFunction>;
    const names = keysOf(functions);
    for (let i = 0; i < names.length; i++) {
      const native = functions[names[i]];
      if (typeof native === 'number') continue;
      exports[names[i]] = (a, b, c, d, e, f, g, h) => {
        if (!input) return native(a, b, c, d, e, f, g, h);
        const bytes = input;
        input = undefined;
        return native(a, b, c, d, e, f, g, h, bytes);
      };
    }

    class NativeInstance extends Instance<unknown> {
      override write(address: number, length: number, bytes: Uint8Array): void {
        if (address === stage && length >= LEAST_BYTES && byteLengthOf(bytes) === length) {
          input = bytes;
          inputEnd = address + length;
          return;
        }
        // Bytes that were never used are those of a call that threw: a room writes to its stage last.
        if (address < inputEnd - 16) input = undefined;
        super.write(address, length, bytes);
      }
    }
    const instance = new NativeInstance(source, { exports, buffer }, texts.vectors);
    if (!short) return madeOf(instance);
    let most = shortBytes;
    const { xor, seal, open } = exports;
    const { xor: shortXor, seal: sealShort, open: openShort } = short;
    exports['xor'] = (a, b, c, d) => (64 * d! <= most ? shortXor(a, b, c, d) : xor(a, b, c, d));
    // Secretbox has no additional data: its second number is the length.
    exports['seal'] = (a, b, c = 0) => (b! + c <= 1.25 * most ? sealShort(a, b, c) : seal(a, b, c));
    exports['open'] = (a, b, c = 0) => (b! + c <= 1.25 * most ? openShort(a, b, c) : open(a, b, c));
    const inWebAssembly = new Instance(source, { exports: short, buffer });
    return {
      instance,
      check() {
        if (!source.selfTest(inWebAssembly)) most = -1;
      },
    };
  };

/**
 * The same, which makes each instance once: engines have optimised the functions of the one that there is. The library asks for it
 * before each self-test, which is of long messages.
 */
function once(make: ReturnType<typeof makerOf>): Maker {
  const made = new WeakMap<object, { readonly its: Made | undefined }>();
  return (source, Instance, own) => {
    if (own !== undefined) return make(source, Instance, own)?.instance as never;
    let its = found(made, source) as { readonly its: Made | undefined } | undefined;
    if (!its) remember(made, source, (its = { its: make(source, Instance) }));
    its.its?.check?.();
    return its.its?.instance as never;
  };
}

/** The native code of an addon in one width, for messages of more than so many bytes. */
export function codeOf(addon: Addon, lanes: number, shortBytes = SHORT_BYTES): NativeCode {
  const instructions = addon.widths[addon.widths.indexOf(lanes) + 1] as string;
  return { lanes, instructions, instanceOf: once(makerOf(addon, lanes, shortBytes)) };
}
