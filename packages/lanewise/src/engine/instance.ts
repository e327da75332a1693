/** Kernels made to run: instantiated when first called, on the engine that is chosen. */
import { ENGINES, hasRelaxed, knownRefusal, messageOf, refuse, refused, type Engine } from './detect.ts';
import { Bytes, copyBytes, fillBytes } from './intrinsics.ts';

export const PAGE_BYTES = 65536;

/** A kernel: the same functions over the same memory map, as WebAssembly and as JavaScript. */
export interface Kernel<Functions> {
  /** Whether vectors make a difference to it. */
  readonly lanes: boolean;
  /** Bytes of a module that exports `memory` and the functions. */
  wasm(lanes: { readonly relaxed: boolean } | undefined): Uint8Array<ArrayBuffer>;
  /** The functions over a memory, or the instance of a kernel that does the same and more. */
  js: ((memory: ArrayBuffer) => Functions) | { readonly larger: () => Instance<Functions> };
  /** The size of the memory, in bytes. */
  readonly memoryBytes: number;
}

/** A kernel at work. Its memory is lent to one call at a time, which stages its bytes there and wipes them. */
export class Instance<Functions> {
  readonly run: Functions;
  readonly memory: Uint8Array<ArrayBuffer>;
  readonly #buffer: ArrayBuffer;
  /** What was read last: making a view costs more than copying a short message, and messages often have one length. */
  #view: Uint8Array;
  #viewAddress = 0;
  #viewLength = 0;

  constructor(run: Functions, buffer: ArrayBuffer) {
    this.run = run;
    this.memory = new Bytes(buffer);
    this.#buffer = buffer;
    this.#view = new Bytes(buffer, 0, 0);
  }

  /** Copies bytes to an address. */
  write(bytes: Uint8Array, address: number): void {
    copyBytes(this.memory, bytes, address);
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
}

let selected: Engine | undefined;
/** Counts the changes of engine, so that holders of an instance notice. */
let generation = 0;

/** `undefined` leaves the choice to the library. */
export function choose(engine: Engine | undefined): void {
  selected = engine;
  generation++;
}

/** The engine that was chosen, if any was. */
export const selection = (): Engine | undefined => selected;

const noEngine = (): Error => new Error(`no engine works here: ${refused('js') ?? ''}`);

/** The chosen engine, else the best that works here. */
export function current(): Engine {
  if (selected) return selected;
  for (const engine of ENGINES) if (refused(engine) === undefined) return engine;
  throw noEngine();
}

function start<Functions>(kernel: Kernel<Functions>, engine: Engine): Instance<Functions> {
  if (engine === 'js') {
    // One instance of the text serves all: with two, engines no longer take its views for constants.
    if (typeof kernel.js !== 'function') return kernel.js.larger();
    const { buffer } = new Bytes(kernel.memoryBytes);
    return new Instance(kernel.js(buffer), buffer);
  }
  const bytes = kernel.wasm(engine === 'simd' && kernel.lanes ? { relaxed: hasRelaxed() } : undefined);
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes));
  const buffer = (exports['memory'] as WebAssembly.Memory).buffer;
  return new Instance(exports as unknown as Functions, buffer);
}

/** A function that gives the instance of the kernel on the engine of the moment. */
export function instantiated<Functions>(kernel: Kernel<Functions>): () => Instance<Functions> {
  const instances = new Map<Engine, Instance<Functions>>();
  let instance: Instance<Functions> | undefined;
  let since = -1;

  const find = (): Instance<Functions> => {
    // A kernel without lanes is the same for the first two engines, and need not wait until it is known which it is.
    const choice = selected ? [selected] : kernel.lanes ? ENGINES : ENGINES.slice(1);
    for (const engine of choice) {
      // Starting a kernel is the best probe; only vectors are asked for first, because they come in two kinds.
      if (engine === 'scalar' ? knownRefusal(engine) : refused(engine)) continue;
      try {
        const found = instances.get(engine) ?? start(kernel, engine);
        instances.set(engine, found);
        since = generation;
        return found;
      } catch (error) {
        if (selected) throw error;
        refuse(engine, refused(engine) ?? messageOf(error));
      }
    }
    throw noEngine();
  };
  return () => (instance && since === generation ? instance : (instance = find()));
}
