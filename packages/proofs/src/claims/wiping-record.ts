// Records how the library uses a kernel's memory in a public call: the bytes that it writes, reads and wipes, and its calls of
// the kernel's functions, in their order. The calls are real, on each engine.
//
// The library takes the methods of typed arrays when it is loaded (engine/intrinsics.ts), so methods that record are
// installed before that. A write to memory in any other way shows as a difference at the next call.
//
// The results of kernels do not matter here. So no self-test runs (claims/known-answers.ts runs them), and the
// recorder, not the kernel, decides whether a tag is valid.
import type { Engine } from '../../../lanewise/src/engine.ts';
import type { Instance } from '../../../lanewise/src/engine/instance.ts';
import { rooms } from '../rooms.ts';
import type { Binding, Library } from './recorded.ts';

/** Something done to the memory of one instance of a kernel. */
export type Operation =
  | { readonly op: 'write' | 'read'; readonly address: number; readonly length: number }
  /** All bytes get one public value; `to` is Infinity for the end of memory. */
  | { readonly op: 'wipe'; readonly from: number; readonly to: number }
  | { readonly op: 'call'; readonly name: string; readonly parameters: readonly number[] };

/** The name of an instance that the library holds, in the recorded calls of a room. */
export type Slot = string;

type Bindings = Readonly<Record<Slot, Binding>>;

export type Recording = ReadonlyMap<Slot, readonly Operation[]>;

/**
 * The place at which a call of the kernel is made to fail: before or after the kernel's function number `call` has run.
 */
export interface Planted {
  readonly call: number;
  readonly time: 'before' | 'after';
}

/** Whether a tag is valid, as the answer of every kernel. */
export type Verdict = 0 | 1;
const VERDICTS: readonly string[] = ['open', 'verify'];

export class PlantedError extends Error {
  override readonly name = 'PlantedError';
}

type Functions = Readonly<Record<string, (...parameters: number[]) => number | undefined>>;

/** The property under which a listener keeps the functions that it records. */
const functions = Symbol('functions');
interface Listened {
  readonly [functions]?: Functions;
}

/** An instance whose memory and calls are recorded. */
interface Watched {
  readonly slot: Slot;
  readonly instance: Instance<object>;
  readonly memory: Uint8Array;
  /** The content of memory if every write was recorded. */
  readonly known: Uint8Array;
  operations: Operation[];
}

/** The class of the library's instances. */
type InstanceClass = typeof import('../../../lanewise/src/engine/instance.ts').Instance;

/** Whether a kernel passes the library's own self-test. */
export type Asked = (slot: Slot, run: object, memory: ArrayBuffer) => boolean;

export class Recorder {
  readonly #library: Library;
  readonly #bindings: Bindings;
  readonly #select: (engine: Engine) => void;
  /** Runs the self-test on a kernel's functions and their memory. */
  readonly asked: Asked;
  readonly #watched = new Map<ArrayBufferLike, Watched>();
  /** The memories that were made within the recorded call. */
  readonly #own = new Set<ArrayBufferLike>();
  #recording = false;
  #calls = 0;
  #planted: Planted | undefined;
  #verdict: Verdict = 1;

  private constructor(library: Library, select: (engine: Engine) => void, bindings: Bindings, asked: Asked) {
    this.#library = library;
    this.#select = select;
    this.#bindings = bindings;
    this.asked = asked;
  }

  static #made: Promise<Recorder> | undefined;

  /** The only recorder of this thread, which must not have loaded the library before. */
  static load(): Promise<Recorder> {
    return (Recorder.#made ??= Recorder.#load());
  }

  /** The names of all instances that the library holds. */
  get slots(): readonly Slot[] {
    return Object.keys(this.#bindings);
  }

  /** Makes the library run on this engine from now on. */
  select(engine: Engine): void {
    this.#select(engine);
    this.#watched.clear();
    for (const [slot, { instance }] of Object.entries(this.#bindings)) this.#watch(slot, instance());
  }

  static async #load(): Promise<Recorder> {
    let made: Recorder | undefined;
    const restore = listenToTypedArrays({
      copied: (to, from, at) => {
        if (made) made.#copied(to, from, at);
      },
      filled: (bytes, value, from, to) => {
        if (made) made.#filled(bytes, value, from, to);
      },
    });
    try {
      const { select } = await import('../../../lanewise/src/engine.ts');
      const { Instance } = await import('../../../lanewise/src/engine/instance.ts');
      const bindings = await loadBindings();
      const asked = withoutQuestions(bindings, Instance, (slot, instance) => {
        if (made) made.#watchOwn(slot, instance);
      });
      const library = await loadLibrary();
      made = new Recorder(library, select, bindings, asked);
      return made;
    } finally {
      restore();
    }
  }

  /** Makes a call that is not recorded. */
  outside<T>(call: (library: Library) => T): T {
    return call(this.#library);
  }

  /** The operations of a call, and the error that it throws; with `planted`, the kernel fails at that place. */
  record(
    call: (library: Library) => unknown,
    { planted, verdict = 1 }: { readonly planted?: Planted | undefined; readonly verdict?: Verdict } = {},
  ): { recording: Recording; thrown: unknown } {
    for (const watched of this.#watched.values()) {
      watched.operations = [];
      watched.known.set(watched.memory);
    }
    this.#calls = 0;
    this.#planted = planted;
    this.#verdict = verdict;
    let thrown: unknown;
    this.#recording = true;
    try {
      call(this.#library);
    } catch (error) {
      thrown = error;
    }
    this.#recording = false;
    const used = [...this.#watched.values()];
    used.forEach((watched) => this.#noteMissed(watched));
    for (const buffer of this.#own) this.#watched.delete(buffer);
    this.#own.clear();
    const recording = used.flatMap(({ slot, operations }) => (operations.length ? [[slot, operations] as const] : []));
    return { recording: new Map(recording), thrown };
  }

  /** The number of kernel functions that the last call has run. */
  get calls(): number {
    return this.#calls;
  }

  /**
   * Watches an instance with a memory of its own, which the library makes within a call and asks for a known answer before it
   * uses it.
   */
  #watchOwn(slot: Slot, instance: Instance<object>): void {
    if (!this.#recording || this.#watched.has(instance.memory.buffer)) return;
    this.#watch(slot, instance);
    this.#own.add(instance.memory.buffer);
  }

  #watch(slot: Slot, instance: Instance<object>): void {
    const { memory } = instance;
    // One instance of the js engine serves both lengths.
    if (this.#watched.has(memory.buffer)) return;
    const watched: Watched = { slot, instance, memory, known: memory.slice(), operations: [] };
    this.#watched.set(memory.buffer, watched);
    const run = (instance.run as Listened)[functions] ?? (instance.run as Functions);
    const heard: Record<PropertyKey, unknown> = { [functions]: run };
    for (const [name, kernelFunction] of Object.entries(run))
      if (typeof kernelFunction === 'function')
        heard[name] = (...parameters: number[]): number | undefined =>
          this.#called(watched, name, kernelFunction, parameters);
    Object.assign(instance, { run: heard });
  }

  #called(
    watched: Watched,
    name: string,
    run: (...parameters: number[]) => number | undefined,
    parameters: readonly number[],
  ): number | undefined {
    if (!this.#recording) return run(...parameters);
    this.#noteMissed(watched);
    const planted = this.#planted?.call === this.#calls++ ? this.#planted : undefined;
    if (planted?.time === 'before') throw new PlantedError(`before ${name}`);
    // Recording pauses, because a kernel of the js engine itself calls the methods that record.
    this.#recording = false;
    const result = run(...parameters);
    this.#recording = true;
    watched.operations.push({ op: 'call', name, parameters: [...parameters] });
    watched.known.set(watched.memory);
    if (planted) throw new PlantedError(`after ${name}`);
    return VERDICTS.includes(name) ? this.#verdict : result;
  }

  #written(buffer: ArrayBufferLike, address: number, length: number): void {
    const watched = this.#recording ? this.#watched.get(buffer) : undefined;
    if (!watched || length === 0) return;
    watched.operations.push({ op: 'write', address, length });
    watched.known.set(watched.memory.subarray(address, address + length), address);
  }

  #copied(to: Uint8Array, from: ArrayLike<number>, at: number): void {
    this.#written(to.buffer, to.byteOffset + at, from.length);
    if (!this.#recording || !(from instanceof Uint8Array) || this.#watched.has(to.buffer)) return;
    const { byteOffset: address, length } = from;
    this.#watched.get(from.buffer)?.operations.push({ op: 'read', address, length });
  }

  #filled(bytes: Uint8Array, value: number, from: number, to: number): void {
    const watched = this.#recording ? this.#watched.get(bytes.buffer) : undefined;
    if (!watched) return;
    const { byteOffset } = bytes;
    // A wipe to the end of memory is the same whatever the memory's size.
    const end = byteOffset + to === watched.memory.length ? Infinity : byteOffset + to;
    watched.operations.push({ op: 'wipe', from: byteOffset + from, to: end });
    watched.known.fill(value, byteOffset + from, byteOffset + to);
  }

  /** Bytes that were written by assignment, which no method can record. */
  #noteMissed({ memory, known, operations }: Watched): void {
    if (Buffer.compare(memory, known) === 0) return;
    for (let at = 0; at < memory.length; at++)
      if (memory[at] !== known[at]) operations.push({ op: 'write', address: at, length: 1 });
    known.set(memory);
  }
}

async function loadBindings(): Promise<Bindings> {
  const all = await Promise.all(rooms.map(async ({ recorded }) => (await recorded.bindings?.()) ?? {}));
  return Object.assign({}, ...all) as Bindings;
}

async function loadLibrary(): Promise<Library> {
  const doors = new Set(rooms.flatMap(({ recorded }) => recorded.doors));
  const modules = [...doors].map(async (door) => [door, await import(`../../../lanewise/src/${door}.ts`)] as const);
  return Object.fromEntries(await Promise.all(modules)) as unknown as Library;
}

/**
 * Makes the library skip the self-tests of all kernels from now on, and tells of each; the result runs the self-tests that were
 * skipped.
 */
function withoutQuestions(
  bindings: Bindings,
  Made: InstanceClass,
  onQuestion: (slot: Slot, instance: Instance<object>) => void,
): Asked {
  const questions = new Map<Slot, (instance: Instance<object>) => boolean>();
  for (const [slot, { kernel }] of Object.entries(bindings)) {
    questions.set(slot, kernel.selfTest.bind(kernel));
    kernel.selfTest = (instance) => {
      onQuestion(slot, instance);
      return true;
    };
  }
  return (slot, run, memory) => questions.get(slot)!(new Made(bindings[slot].kernel, { exports: run, buffer: memory }));
}

interface Listener {
  readonly copied: (to: Uint8Array, from: ArrayLike<number>, at: number) => void;
  readonly filled: (bytes: Uint8Array, value: number, from: number, to: number) => void;
}

/** Replaces methods of typed arrays by methods that record; the result restores them. */
function listenToTypedArrays({ copied, filled }: Listener): () => void {
  const prototype = Object.getPrototypeOf(Uint8Array.prototype) as Uint8Array;
  const { set, fill } = Object.getOwnPropertyDescriptors(prototype);
  const originals = { set: set.value as Uint8Array['set'], fill: fill.value as Uint8Array['fill'] };
  Object.assign(prototype, {
    set(this: Uint8Array, from: ArrayLike<number>, at = 0): void {
      originals.set.call(this, from, at);
      copied(this, from, at);
    },
    fill(this: Uint8Array, value: number, from = 0, to = this.length): Uint8Array {
      originals.fill.call(this, value, from, to);
      filled(this, value, from, to);
      return this;
    },
  });
  return () => {
    Object.defineProperties(prototype, { set, fill });
  };
}
