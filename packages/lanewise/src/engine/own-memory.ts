/** Instances with a memory of their own: for work that needs much memory, or that goes on while other calls are made. */
import { Instance, PAGE_BYTES, type KernelSource } from './instance.ts';
import { bufferOf, Bytes, getter, instantiate, uncurried, type Method } from './intrinsics.ts';

const MOST_PAGES_IN_JAVASCRIPT = 32768;

/**
 * An instance of the same kernel on the same engine, with a fresh memory of so many pages. Nothing refers to it but the
 * caller, so the host frees the memory when the caller drops it. It computes the kernel's known answer first.
 *
 * @throws RangeError of the host's if it has not as much memory, Error if the answer is wrong.
 */
export function withOwnMemory<Functions>(
  source: KernelSource<Functions>,
  { module }: Instance<Functions>,
  pages: number,
): Instance<Functions> {
  const made = module ? grown(source, module, pages) : inJavaScript(source, pages);
  if (!source.selfTest(made)) throw new Error('the engine gave a wrong answer');
  return made;
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

function grown<Functions>(source: KernelSource<Functions>, module: object, pages: number): Instance<Functions> {
  const { exports } = instantiate!(module);
  const buffer = grow!((exports as WebAssembly.Exports)['memory'], pages - source.pages);
  return new Instance(source, { exports, buffer, module });
}

function inJavaScript<Functions>(source: KernelSource<Functions>, pages: number): Instance<Functions> {
  // Its addresses are signed.
  if (pages > MOST_PAGES_IN_JAVASCRIPT) throw new RangeError('the js engine has at most 2 GiB');
  const buffer = bufferOf(new Bytes(pages * PAGE_BYTES)) as ArrayBuffer;
  return new Instance(source, { exports: (source.js as (memory: ArrayBuffer) => object)(buffer), buffer });
}
