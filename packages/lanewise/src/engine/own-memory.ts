/** Instances with a memory of their own: for work that needs much memory, or that goes on while other calls are made. */
import { Instance, nativeOver, PAGE_BYTES, type KernelSource } from './instance.ts';
import { bufferOf, Bytes, getter, instantiate, uncurried, type Method, type Started } from './intrinsics.ts';

/** The number of the section of memories in a module, and that of bytes before the first section. Core specification §5.5 */
const MEMORIES = 5;
const HEADER_BYTES = 8;

/** Where each section of a module begins, by its number. */
export function sectionsOf(bytes: Uint8Array): readonly number[] {
  const starts: number[] = [];
  for (let at = HEADER_BYTES; (bytes[at] as number | undefined) !== undefined;) {
    starts[bytes[at]] = at;
    let size = 0;
    for (let shift = 0; shift === 0 || bytes[at] > 127; shift += 7) size |= (bytes[++at] & 127) << shift;
    at += 1 + size;
  }
  return starts;
}

/** Writes the size of its only memory into the bytes of a module, whose numbers have three bytes: see wasm/module.ts. */
function setPages(bytes: Uint8Array, pages: number): void {
  // Minimum and maximum come after the number and the size of the section, the count of memories, and the flag that there is a maximum.
  const at = sectionsOf(bytes)[MEMORIES] + 4;
  for (let i = 0; i < 6; i++) bytes[at + i] = (pages >> (7 * (i % 3))) | (i % 3 < 2 ? 128 : 0);
}

/** Makes a WebAssembly.Memory larger by some pages, and returns its bytes. Undefined where there is no WebAssembly. */
const grow = /* @__PURE__ */ ((): ((memory: unknown, pages: number) => ArrayBuffer) | undefined => {
  const prototype = (globalThis as { WebAssembly?: typeof WebAssembly }).WebAssembly?.Memory.prototype;
  if (!prototype) return undefined;
  // eslint-disable-next-line @typescript-eslint/unbound-method -- uncurried takes methods without their objects
  const growBy = uncurried(() => prototype.grow as Method<unknown, [pages: number], number>);
  const bytesOf = getter<ArrayBuffer>(prototype, 'buffer');
  return (memory, pages) => {
    growBy(memory, pages);
    return bytesOf(memory);
  };
})();

function inJavaScript<Functions>({ js }: KernelSource<Functions>, pages: number): Started {
  // Its addresses are signed.
  if (pages * PAGE_BYTES > 2 ** 31) throw new RangeError('js has at most 2 GiB');
  const buffer = bufferOf(new Bytes(pages * PAGE_BYTES)) as ArrayBuffer;
  return { exports: (js as (memory: ArrayBuffer) => object)(buffer), buffer };
}

/**
 * A function that makes instances of a kernel without relaxed vectors, on the engine of an instance that there is, each with a fresh
 * memory of so many pages. Nothing refers to one but the caller, so the host frees its memory when the caller drops it. It
 * computes the kernel's known answer first. It throws the host's RangeError if there is not as much memory, and Error if the
 * answer is wrong.
 */
export function withOwnMemory<Functions>(
  source: KernelSource<Functions>,
): (instance: Instance<Functions>, pages: number) => Instance<Functions> {
  /** The last module that was compiled, and the pages of its memory: engines have optimised its code. */
  let compiled: object | undefined;
  let compiledAs = '';

  // V8 does not count memory that has grown, and so does not collect it: a memory has its size from the start.
  const sized = (module: object, text: string, pages: number): Started => {
    if (!compiled || compiledAs !== `${pages} ${text}`) {
      const bytes = source.texts.decode(text);
      setPages(bytes, pages);
      let started: Started;
      try {
        started = instantiate!(bytes);
      } catch {
        // The host compiles no modules, but was given one; or it has not as much memory, which growing tells.
        const { exports } = instantiate!(module);
        return { exports, buffer: grow!((exports as WebAssembly.Exports)['memory'], pages - source.pages), module };
      }
      compiled = started.module;
      compiledAs = `${pages} ${text}`;
      return started;
    }
    return instantiate!(compiled);
  };

  return ({ module, text = source.texts.scalar }, pages) => {
    const made =
      nativeOver(source, pages) ??
      new Instance(source, module ? sized(module, text, pages) : inJavaScript(source, pages));
    if (!source.selfTest(made)) throw new Error('the engine gave a wrong answer');
    return made;
  };
}
