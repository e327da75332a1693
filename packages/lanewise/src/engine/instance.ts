/** Kernels made to run: instantiated when first called, on the engine that is chosen. */
import type { ModuleTexts } from './bytes.ts';
import { ENGINES, isPassing, POSTPONED, REFUSED, refused, startVectors, states, tried, type Engine } from './detect.ts';
import { bufferOf, Bytes, copyBytes, copyExactly, fillBytes, instantiate, type Started } from './intrinsics.ts';

export const PAGE_BYTES = 65536;

/** How a kernel is made: the same functions over the same memory map, as WebAssembly and as JavaScript. */
export interface KernelSource<Functions> {
  /** The texts of modules that export `memory` and the functions. */
  readonly texts: ModuleTexts;
  /** The functions over a memory, or the instance of a kernel that does the same and more. */
  js: ((memory: ArrayBuffer) => Functions) | { readonly larger: () => Instance<Functions> };
  /** The size of the memory, in pages of 64 KiB: products would keep bundlers from leaving it out. */
  readonly pages: number;
  /** The first address that may hold secrets: before it there are constants. */
  readonly secrets: number;
  /** Whether the kernel computes a known answer. Memory may hold anything before, and holds no secret afterwards. */
  selfTest(instance: Instance<Functions>): boolean;
}

/** A kernel at work. Its memory is lent to one call at a time, which stages its bytes there and wipes them. */
export class Instance<Functions> {
  readonly run: Functions;
  readonly memory: Uint8Array<ArrayBuffer>;
  /** See {@link KernelSource.secrets}. */
  readonly secrets: number;
  /** The compiled module, from which own-memory.ts makes other instances; undefined for the js engine. */
  declare readonly module: object | undefined;
  /** The text of the module, if the host compiled it. */
  declare readonly text: string | undefined;
  readonly #buffer: ArrayBuffer;
  /** The view of the last read: making one costs more than copying a short message, and messages often have one length. */
  #view: Uint8Array;
  #viewAddress = 0;
  #viewLength = 0;

  constructor({ secrets }: KernelSource<Functions>, { exports, buffer, module }: Started, text?: string) {
    this.run = exports as Functions;
    this.memory = new Bytes(buffer);
    this.secrets = secrets;
    this.module = module;
    this.text = text;
    this.#buffer = buffer;
    this.#view = new Bytes(buffer, 0, 0);
  }

  /**
   * Copies bytes to an address: as many as were counted when they were checked. Those for the stage come last, but for bytes after
   * them: native code may read long ones where they are, in the next call of a function.
   */
  write(address: number, length: number, bytes: Uint8Array): void {
    copyExactly(this.memory, address, bytes, length);
  }

  /** Copies `length` bytes from an address to `to`, from `at` on. */
  read(address: number, length: number, to: Uint8Array, at = 0): void {
    if (address !== this.#viewAddress || length !== this.#viewLength) {
      this.#view = new Bytes(this.#buffer, address, length);
      this.#viewAddress = address;
      this.#viewLength = length;
    }
    copyBytes(to, this.#view, at);
  }

  /** Zeros over all that a call may have left between two addresses. */
  wipe(from: number, to: number): void {
    fillBytes(this.memory, 0, from, to);
  }

  /** Whether the four bytes at an address are these, little-endian; for known answers. */
  holds(word: number, address: number): boolean {
    const { memory: m } = this;
    return (m[address] | (m[address + 1] << 8) | (m[address + 2] << 16) | (m[address + 3] << 24)) === (word | 0);
  }
}

let selected: Engine | undefined;
/** Whether modules were provided, and none of them has given a wrong answer. */
let provided = false;

/** The instances of a kernel that were made. */
type Instances<Functions> = Partial<Record<Engine | 'provided', Instance<Functions>>>;

/** Every imported kernel, with its instances; whichever functions it has. */
interface Imported {
  readonly source: KernelSource<never>;
  readonly instances: Instances<never>;
}
const imported: Imported[] = [];

/**
 * Makes instances of kernels by other means than those of the engines: native code. It returns the same instance each time that it is
 * asked for a kernel, and undefined for one that it lacks; over a memory that it is given, or in one of so many pages, a new one.
 */
export type InstanceMaker = <Functions>(
  source: KernelSource<Functions>,
  make: typeof Instance,
  memory?: number | Uint8Array,
) => Instance<Functions> | undefined;
let native: InstanceMaker | undefined;

/** A kernel's instance on native code; undefined if another engine runs the kernel. See {@link InstanceMaker}. */
export const nativeOver = <Functions>(source: KernelSource<Functions>, memory?: number | Uint8Array) =>
  selected ? undefined : native?.(source, Instance, memory);

/** Lets kernels run on native code from now on, or no more. */
export function offer(maker: InstanceMaker | undefined): void {
  native = maker;
  generation++;
}

/** Where `@lanewise/native` leaves its code for a copy of the engine that is loaded later. */
const OFFERED = /* @__PURE__ */ Symbol.for('@lanewise/native');
/** Takes the native code that was offered to another copy of the engine in this thread, before this one was loaded. */
export const takeOffer = (): void =>
  offer((globalThis as Record<symbol, { instanceOf?: InstanceMaker } | undefined>)[OFFERED]?.instanceOf);

/** Whether kernels that have a native form run on it. */
export const isNative = (): boolean => !!native && !selected;

/** Counts the changes of the choice, after which every kernel looks for its instance again. */
let generation = 0;

/** `undefined` leaves the choice to the library. */
export function choose(engine: Engine | undefined): void {
  selected = engine;
  generation++;
}

/** The engine that was chosen, if any was. */
export const selection = (): Engine | undefined => selected;

/** Returns whether a module is that of a kernel, which runs it from now on. */
function takes({ source, instances }: Imported, module: object): boolean {
  try {
    const found = new Instance(source, instantiate!(module));
    const right = source.selfTest(found);
    if (right) instances.provided = found;
    return right;
  } catch (error) {
    if (isPassing(error)) throw error;
    // The module lacks functions of this kernel, or traps in them.
    return false;
  }
}

/** Returns whether a module is one of the imported kernels; from now on these run it, as the simd engine. */
export function take(module: object): boolean {
  let taken = false;
  for (let i = 0; i < imported.length; i++) taken = takes(imported[i], module) || taken;
  if (taken) {
    provided = true;
    generation++;
  }
  return taken;
}

/** Whether modules were provided, which run where the host compiles none. */
export const isProvided = (): boolean => provided;

const noEngine = (): Error => new Error(`no ${selected ?? 'engine works'} here: ${refused(selected ?? 'js') ?? ''}`);

/** The chosen engine, else the best that works here. */
export function current(): Engine {
  if (selected) return selected;
  if (provided) return 'simd';
  for (let i = 0; i < ENGINES.length; i++) if (refused(ENGINES[i]) === undefined) return ENGINES[i];
  throw noEngine();
}

function start<Functions>(source: KernelSource<Functions>, engine: Engine): Instance<Functions> {
  if (engine === 'js') {
    // Reuse the long kernel's instance: with a second closure over the same code, engines treat the views as variables,
    // which is slower.
    if (typeof source.js !== 'function') return source.js.larger();
    const buffer = bufferOf(new Bytes(source.pages * PAGE_BYTES)) as ArrayBuffer;
    return new Instance(source, { exports: source.js(buffer) as object, buffer });
  }
  const { decode, vectors, scalar, toPlain } = source.texts;
  const text = (engine === 'simd' && vectors) || scalar;
  const bytes = decode(text);
  const started = engine === 'simd' && toPlain ? startVectors(bytes, toPlain) : instantiate!(bytes);
  return new Instance(source, started, text);
}

/** A kernel's self-test runs again after this number of calls, then after TIMES as many, and so on. */
const CALLS = 256;
const TIMES = 4;

/**
 * A function that returns the kernel's instance on the current engine.
 *
 * Engines have compiled vectors wrongly, most of them only once code was hot. So a kernel computes a known answer when it
 * starts, and again after it has run a while; then it also tries the better engines that were postponed. A wrong answer
 * disables the engine for all kernels.
 */
export function instantiated<Functions>(source: KernelSource<Functions>): () => Instance<Functions> {
  const instances = Object.create(null) as Instances<Functions>;
  let current: Instance<Functions> | undefined;
  /** The generation in which it was found. */
  let since = -1;
  /** How often it was asked for since, and the number at which it is checked again. */
  let calls = 0;
  let checkAt = 0;

  imported[imported.length] = { source, instances } as unknown as Imported;

  /** The instance of a provided module, of the chosen engine, or of the best that works: starting a kernel is the best probe. */
  const find = (): Instance<Functions> => {
    let passing: unknown;
    const own = selected ? undefined : native?.(source, Instance);
    if (own) {
      if (source.selfTest(own)) return own;
      offer(undefined);
    }
    if (instances.provided && provided && (selected ?? 'simd') === 'simd') {
      if (source.selfTest(instances.provided)) return instances.provided;
      provided = false;
      const error = new Error('the provided module gave a wrong answer');
      tried('simd', error);
      generation++;
      if (selected) throw error;
    }
    // A kernel without vectors is the same for the first two engines, and need not wait until it is known which it is.
    for (let i = selected || source.texts.vectors ? 0 : 1; i < ENGINES.length; i++) {
      const engine = selected ?? ENGINES[i];
      try {
        // A kernel without vectors tells nothing about these, if they were selected.
        if (selected || engine === 'js') refused(engine, true);
        if (states[engine] === REFUSED) continue;
        const found = (instances[engine] ??= start(source, engine));
        if (!source.selfTest(found)) throw new Error(`the ${engine} engine gave a wrong answer`);
        tried(engine, undefined);
        return found;
      } catch (error) {
        if (selected) throw error;
        // The host's own reason, which the probe gives, says more than an error of the kernel.
        if (isPassing(error) || refused(engine, true) === undefined) tried(engine, error);
        if (states[engine] === POSTPONED) passing = error;
        else generation++;
      }
    }
    throw (passing as Error | undefined) ?? noEngine();
  };
  return () => {
    if (since !== generation) current = undefined;
    if (current && ++calls < checkAt) return current;
    const last = current;
    current = undefined;
    const found = find();
    // Its count begins anew when the kernel gets another instance, so a better engine that was postponed is soon tried again.
    if (found !== last) calls = checkAt = 0;
    checkAt = checkAt * TIMES || CALLS;
    since = generation;
    return (current = found);
  };
}
