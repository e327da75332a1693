/** Kernels of the addon as instances of the library: the same functions over the same memory map. */
import type { NativeCode } from 'lanewise/engine.js';
import type { Addon, NativeFunction } from './addon.ts';

type Maker = Extract<NativeCode, { lanes: number }>['instanceOf'];

const PAGE_BYTES = 65536;
/** From here on, bytes are read where the caller has them: handing them over costs as much as copying some thousand. */
const LEAST_BYTES = 4096;

const TypedArray = Object.getPrototypeOf(Uint8Array.prototype) as Uint8Array;
/** The true length, of an object that may claim another. */
const lengthGetter = Object.getOwnPropertyDescriptor(TypedArray, 'byteLength') as { get: (this: unknown) => number };
const byteLengthOf = (bytes: Uint8Array): number => Reflect.apply(lengthGetter.get, bytes, []);

export const lanesHere = ({ widths }: Addon): number[] => widths.filter((each) => typeof each === 'number');

/**
 * A memory. That of WebAssembly begins at a page, and the pages after it can't be read or written; it is never grown, so it stays
 * where it is.
 */
function memoryOf(pages: number): ArrayBuffer {
  const host = (globalThis as { WebAssembly?: typeof WebAssembly }).WebAssembly;
  return host ? new host.Memory({ initial: pages, maximum: pages }).buffer : new ArrayBuffer(pages * PAGE_BYTES);
}

const makerOf =
  (addon: Addon, lanes: number) =>
  (...[source, Instance]: Parameters<Maker>): object | undefined => {
    const { texts, js, pages } = source;
    // A kernel for short messages isn't slower in WebAssembly, which is called in a tenth of the time.
    if (typeof js !== 'function') return undefined;
    const kernel = addon.find(texts.vectors ?? texts.scalar);
    if (kernel < 0) return undefined;
    const buffer = memoryOf(pages);
    const { stage, ...functions } = addon.create(kernel, lanes, buffer);

    /** The caller's bytes that stand for those in the stage, until the next call. */
    let input: Uint8Array | undefined;
    let inputEnd = 0;
    const exports: Record<string, NativeFunction> = {};
    for (const [name, native] of Object.entries(functions) as [string, NativeFunction][])
      exports[name] = (...operands) => {
        if (!input) return native(...operands);
        const bytes = input;
        input = undefined;
        return native(...operands, bytes);
      };

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
    return new NativeInstance(source, { exports, buffer });
  };

/** The same, which makes each instance once: engines have optimised the functions of the one that there is. */
function once(make: (...operands: Parameters<Maker>) => object | undefined): Maker {
  const made = new WeakMap<object, { readonly its: object | undefined }>();
  return (source, Instance) => {
    let found = made.get(source);
    if (!found) made.set(source, (found = { its: make(source, Instance) }));
    return found.its as never;
  };
}

/** The native code of an addon in one width. */
export function codeOf(addon: Addon, lanes: number): NativeCode {
  const instructions = addon.widths[addon.widths.indexOf(lanes) + 1] as string;
  return { lanes, instructions, instanceOf: once(makerOf(addon, lanes)) };
}
